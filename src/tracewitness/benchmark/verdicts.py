"""What a method says of runs, apart from how it came to say it: the form in which any judge's results are scored.

A file of verdicts is JSON Lines. The first line names the form and the method; every further line is one run::

    {"format": "tracewitness.verdicts/1", "method": "claim-aware judge", "blind_to_report": false, "model": "m"}
    {"run_id": "a", "disposition": "FLAG", "misreport_probability": 0.93, "votes": ["FLAG", "FLAG", "PASS"]}
    {"run_id": "b", "disposition": null}

``disposition`` is PASS, FLAG, REVIEW, or null where the method gave no answer. The rest of a line may be left out.
Other keys of the first line are told in tables and pages as they are.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.labelled import Labelled, Method, method_of
from tracewitness.benchmark.loading import CODES
from tracewitness.findings.labels import Disposition
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import decode_utf8, lines_of, parse_json
from tracewitness.store.texts import to_column

FORM = "tracewitness.verdicts/1"
_SHOWN = 60
_START = 65_536


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a method says of one run.

    Attributes:
        disposition: The outcome; None where the method gave no answer.
        misreport_probability: How likely it takes the run to be a dangerous misreport, 0 to 1; None where it says none.
        votes: What each run of a model said, in order; empty where there was one.
    """

    disposition: Disposition | None
    misreport_probability: float | None = None
    votes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What one method says of runs.

    Attributes:
        method: What it is called in tables.
        said: Its verdicts by run id.
        blind_to_report: Whether it never sees the report.
        makers: Who made them: model, parameters, prompt digests, whatever has to be told; texts by name.
    """

    method: str
    said: Mapping[str, Verdict]
    blind_to_report: bool = True
    makers: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, labelled: Labelled) -> Method:
        """Return the method on labelled runs."""
        codes = {to_column(run): CODES[verdict.disposition] for run, verdict in self.said.items()}
        if labelled.targets:  # what it says of other runs, such as those of the other side of a split, counts nowhere
            codes = {run: code for run, code in codes.items() if run in labelled.targets}
        return method_of(self.method, labelled, codes, blind_to_report=self.blind_to_report)


def check_place(path: Path) -> None:
    """Refuse, before anything is paid for, a file that verdicts could not or should not take the place of.

    Raises:
        BenchmarkError: There is no such folder, or something that is no file of verdicts is there.
    """
    if path.is_dir():
        raise BenchmarkError(f"{path}: is a folder; name a file for the verdicts")
    if not path.is_file():
        return
    try:
        with path.open("rb") as stream:
            start = stream.read(_START)
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read ({error.strerror})") from error
    if start.strip() and FORM.encode() not in start:
        raise BenchmarkError(f"{path}: holds something else than verdicts, which is not written over; name a new file")


def write_verdicts(verdicts: Verdicts, path: Path) -> None:
    """Write verdicts to a file, in place of what is there: the old ones stay whole until the new ones are.

    Raises:
        BenchmarkError: The file cannot be written.
    """
    head = {"format": FORM, "method": verdicts.method, "blind_to_report": verdicts.blind_to_report}
    makers = {key: value for key, value in verdicts.makers.items() if key not in head}
    rows = [{**head, **makers}, *(_row(run, verdict) for run, verdict in verdicts.said.items())]
    text = "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows)
    try:
        _replace(path, text)
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written ({error.strerror})") from error


def _replace(path: Path, text: str) -> None:
    if path.exists() and not path.is_file():  # such as /dev/stdout
        path.write_text(text, encoding="utf-8")
        return
    place = path.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f"{place.name}.part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(place)


def _row(run: str, verdict: Verdict) -> dict[str, Any]:
    row: dict[str, Any] = {"run_id": run, "disposition": verdict.disposition}
    if verdict.misreport_probability is not None:
        row["misreport_probability"] = verdict.misreport_probability
    if verdict.votes:
        row["votes"] = list(verdict.votes)
    return row


def read_verdicts(path: Path) -> Verdicts:
    """Read a file of verdicts.

    Raises:
        BenchmarkError: The file is none, a line is no verdict, or a run has two.
    """
    try:
        lines = _lines(path)
        head = next(lines, None)
        if head is None or head[1].get("format") != FORM or not isinstance(head[1].get("method"), str):
            raise BenchmarkError(f"{path}: line 1: expected a format of {FORM!r} and a method")
        said: dict[str, Verdict] = {}
        for number, keys in lines:
            run = keys.get("run_id")
            if not isinstance(run, str) or not run or run in said:
                raise _bad(path, number, "run_id: expected a text that no earlier line has")
            said[run] = _verdict(path, number, keys)
    except IntakeError as error:
        raise BenchmarkError(error.at(str(path)).line()) from error
    makers = {key: _told(value) for key, value in head[1].items() if key not in ("format", "method", "blind_to_report")}
    return Verdicts(head[1]["method"], said, head[1].get("blind_to_report") is not False, makers)


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for line in lines_of(path, Limits()):
        value: Any = parse_json(decode_utf8(line.content, f"line {line.number}"), line.number, strict=True)
        if not isinstance(value, dict):
            raise _bad(path, line.number, "expected an object")
        yield line.number, cast(dict[str, Any], value)


def _verdict(path: Path, number: int, keys: dict[str, Any]) -> Verdict:
    said = keys.get("disposition")
    if said is not None and said not in tuple(Disposition):
        raise _bad(path, number, f"disposition: expected {', '.join(Disposition)} or null, found {said!r:.{_SHOWN}}")
    votes: Any = keys.get("votes") or []
    if not isinstance(votes, list) or not all(isinstance(vote, str) for vote in cast(list[Any], votes)):
        raise _bad(path, number, "votes: expected a list of texts")
    probability = _probability(path, number, keys.get("misreport_probability"))
    return Verdict(None if said is None else Disposition(said), probability, tuple(cast(list[str], votes)))


def _probability(path: Path, number: int, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise _bad(path, number, f"misreport_probability: expected 0 to 1, found {value!r:.{_SHOWN}}")
    return float(value)


def _told(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _bad(path: Path, number: int, problem: str) -> BenchmarkError:
    return BenchmarkError(f"{path}: line {number}: {problem}")
