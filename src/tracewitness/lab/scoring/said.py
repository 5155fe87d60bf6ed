"""What a judge said of the lab's runs: out of stores of audits, files of verdicts, or a CSV file of any other judge."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracewitness.benchmark.audited import audited_by_makers
from tracewitness.benchmark.verdicts import read_verdicts
from tracewitness.findings.labels import Disposition
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import decode_utf8, read_bytes
from tracewitness.lab.making.made import LabFolderError
from tracewitness.lab.recording.profiles import LOG_SOURCE
from tracewitness.store.store import Store
from tracewitness.store.texts import from_stored

_RUN, _VERDICT, _PROFILE = "run_id", ("disposition", "verdict"), "profile"
_NOT_TOLD = "not told"
_RUN_ID = re.compile(r"lab-\d+-\d{5}")


@dataclass(frozen=True, slots=True)
class Said:
    """What one judge said of runs recorded in one profile.

    Attributes:
        judge: Its name.
        profile: The recording profile; ``not told`` where the log's format has no place for it.
        verdicts: Its dispositions by run id; None where it gave no answer.
    """

    judge: str
    profile: str
    verdicts: Mapping[str, Disposition | None]


def said_in_stores(stores: Sequence[Store]) -> Iterator[Said]:
    """Yield what every maker of audits said, by recording profile."""
    for one in audited_by_makers(stores):
        by_profile: dict[str, dict[str, Disposition | None]] = {}
        for row in one.rows.values():
            source = row.source or ""
            profile = source.removeprefix(LOG_SOURCE) if source.startswith(LOG_SOURCE) else _NOT_TOLD
            by_profile.setdefault(profile, {})[_lab_run(from_stored(row.run_id))] = row.disposition
        yield from (Said(one.name, profile, verdicts) for profile, verdicts in sorted(by_profile.items()))


def said_in_file(path: Path) -> Iterator[Said]:
    """Yield what a file says: JSON Lines as ``bench judge`` writes them, else CSV.

    A CSV file has the columns ``run_id`` and ``disposition`` (or ``verdict``) of PASS, FLAG, REVIEW or nothing, and
    may have one ``profile``. The judge has the name of the file.

    Raises:
        LabFolderError: The file is neither.
        BenchmarkError: The file of verdicts is none.
    """
    if path.suffix == ".jsonl":
        told = read_verdicts(path)
        yield Said(told.method, _NOT_TOLD, {_lab_run(run): verdict.disposition for run, verdict in told.said.items()})
        return
    by_profile: dict[str, dict[str, Disposition | None]] = {}
    for number, row in enumerate(_rows(path), 2):
        run, verdict = row.get(_RUN), next((row[key] for key in _VERDICT if row.get(key) is not None), None)
        if not run or verdict is None:
            raise LabFolderError(f"{path}: line {number}: expected the columns run_id and disposition")
        run, said = _lab_run(run), by_profile.setdefault(row.get(_PROFILE) or _NOT_TOLD, {})
        if run in said:
            raise LabFolderError(f"{path}: line {number}: run {run[:60]!r} has a verdict already")
        said[run] = _disposition(verdict, f"{path}: line {number}")
    yield from (Said(path.stem, profile, verdicts) for profile, verdicts in sorted(by_profile.items()))


def _lab_run(run_id: str) -> str:
    """Return the run of the lab: formats without a place for its name are known by folder and file."""
    found = _RUN_ID.search(run_id)
    return found[0] if found else run_id


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        text = decode_utf8(read_bytes(path, Limits().document))
    except IntakeError as error:
        raise LabFolderError(error.at(str(path)).line()) from error
    yield from csv.DictReader(io.StringIO(text, newline=""))


def _disposition(verdict: str, where: str) -> Disposition | None:
    if not verdict.strip():
        return None
    try:
        return Disposition(verdict.strip().upper())
    except ValueError:
        raise LabFolderError(f"{where}: {verdict[:60]!r} is not PASS, FLAG, REVIEW or nothing") from None
