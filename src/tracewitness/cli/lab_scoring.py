"""What ``lab score`` does, apart from its options."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.stores import opened_store
from tracewitness.cli.tabled import Destination, Form, Told, command_line, explained, write_told
from tracewitness.lab.making.made import LabFolder, LabFolderError, RunTruth
from tracewitness.lab.recording.profiles import Profile
from tracewitness.lab.scoring.controls import DECLARED_FLAG, KEYWORD, of_logs, without_trace
from tracewitness.lab.scoring.lab_scores import Grouping
from tracewitness.lab.scoring.lab_tables import lab_tables
from tracewitness.lab.scoring.said import Said, said_in_file, said_in_stores
from tracewitness.values.digests import digest_text
from tracewitness.values.plurals import plural

_Named = TypeVar("_Named", bound=StrEnum)
_USUAL = (Grouping.ALL, Grouping.FAMILY, Grouping.KIND)


def score(
    folder: Path,
    stores: Sequence[str] | None,
    verdicts: Sequence[Path] | None,
    by: Sequence[str] | None,
    form: str,
    output: Path | None,
    *,
    controls: bool,
) -> None:
    """Score what was said of a lab's runs and write the tables."""
    with guarded(), explained(), ExitStack() as opened:
        groupings = [_chosen(Grouping, name) for name in by] if by else _USUAL
        destination = Destination(_chosen(Form, form), output)
        try:
            truths = list(LabFolder(folder).truths())
            files = [one for path in verdicts or () for one in said_in_file(path)]
        except LabFolderError as problem:
            raise Stop(str(problem), ExitCode.NOTHING_AUDITED) from problem
        places = stores if stores or verdicts else [None]
        audits = said_in_stores([opened.enter_context(opened_store(place)) for place in places or ()])
        known = {truth.run_id for truth in truths}
        said = [one for one in (*audits, *files) if not known.isdisjoint(one.verdicts)]
        if not said:
            raise Stop(f"nothing was said of the runs of {folder}; audit its logs first", ExitCode.NOTHING_AUDITED)
        for remark in _remarks(said, known):
            complain(remark)
        beside = list(_controls(LabFolder(folder), truths, said)) if controls else []
        tables = lab_tables(truths, [*said, *beside], groupings)
        made_of = [("runs", str(len(truths))), ("truth", digest_text("".join(map(RunTruth.line, truths))))]
        write_told(Told("The lab", tables, iter(()), [*made_of, ("command", command_line())]), destination)


def _chosen(names: type[_Named], name: str) -> _Named:
    try:
        return names(name)
    except ValueError:
        known = ", ".join(one.value for one in names)
        raise Stop(f"there is no {name!r}; there are {known}", ExitCode.USAGE) from None


def _remarks(said: Sequence[Said], known: set[str]) -> Iterator[str]:
    for one in said:
        missing, foreign = len(known - one.verdicts.keys()), len(one.verdicts.keys() - known)
        if missing:
            yield f"{one.judge} ({one.profile}): says nothing of {plural(missing, 'run')} of the lab"
        if foreign:
            yield f"{one.judge} ({one.profile}): {plural(foreign, 'run')} that the lab does not have left out"


def _controls(lab: LabFolder, truths: Sequence[RunTruth], said: Sequence[Said]) -> Iterator[Said]:
    """Yield the controls: those that look at nothing, and those that skim the logs of each profile that was judged.

    Where no judge tells a profile, they skim the logs that keep everything.
    """
    yield from without_trace(truths)
    judged = dict.fromkeys(one.profile for one in said if one.profile in set(Profile))
    for profile in judged or (Profile.ALL.value,):
        try:
            found = list(of_logs(lab, truths, profile))
        except LabFolderError as problem:
            raise Stop(str(problem), ExitCode.NOTHING_AUDITED) from problem
        if not found:
            complain(f"{KEYWORD}, {DECLARED_FLAG} ({profile}): there are no logs in {lab.logs(profile, 'neutral')}")
        yield from found
        for one in found:
            none = sum(verdict is None for verdict in one.verdicts.values())
            if none:
                complain(f"{one.judge} ({profile}): none declared in {plural(none, 'run')} of {len(one.verdicts)}")
