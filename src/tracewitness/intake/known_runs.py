"""The runs of a batch that were met already: no id stands for two runs, no run is taken twice, and none is lost.

The id of a run comes from its log or from where that lies, and two experiments often give one id to their runs. The
later one then gets its folders in front. A run that is the same in all that an audit sees (a copy of the log, or the
log in another form) is left out. In the neutral run format users write the ids, so there the same id for another run
is their mistake.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from tracewitness.intake.errors import DuplicateRunIdError, IntakeFailure
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Observation, Screenshot

_IDS_OF_USERS = "neutral"


@dataclass(frozen=True, slots=True)
class TakenAlready:
    """A run that is the same as one that was met before, and the file or folder where that one was."""

    run_id: str
    path: str


@dataclass(slots=True)
class KnownRuns:
    """The runs of a batch so far, by id: the file or folder of each, and what tells its content from others'."""

    _met: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])

    def told_apart(self, run: SealedRun, place: Path) -> SealedRun | IntakeFailure | TakenAlready:
        """Return a run, under a longer id where another one has its own.

        Args:
            run: The run.
            place: The file or folder that holds it.
        """
        content = _content(run)
        if run.run_id not in self._met:
            return self._noted(run, content)
        first, before = self._met[run.run_id]
        if before == content:
            return TakenAlready(run.run_id, first)
        same = "in the same file" if first == run.origin.path else f"in {first}"
        if run.origin.format_name == _IDS_OF_USERS:
            problem = f"run_id {run.run_id!r} was already met {same}"
            error = DuplicateRunIdError(problem, "give each run its own id", path=run.origin.path)
            return error.failure(run.run_id)
        for longer in _longer(run.run_id, place, alone=first != run.origin.path):
            if longer not in self._met:
                told = f"another run {same} has the id {run.run_id!r}, so this one is called {longer!r}"
                return self._noted(replace(run, run_id=longer, notices=(*run.notices, told)), content)
            if self._met[longer][1] == content:
                return TakenAlready(longer, self._met[longer][0])
        raise AssertionError("numbers do not end")

    def _noted(self, run: SealedRun, content: int) -> SealedRun:
        self._met[run.run_id] = (run.origin.path, content)
        return run


def _longer(run_id: str, place: Path, *, alone: bool) -> Iterator[str]:
    """Yield longer ids for a run: with more and more of the folders that it lies in, then with a number.

    Args:
        run_id: Its id.
        place: The file or folder that holds it.
        alone: Whether the other run of that id is elsewhere, so that folders tell the two apart.
    """
    own, parts = run_id.split("/"), place.absolute().parts[1:]
    if alone:
        end = _place_of(own, parts)
        yield from ("/".join((*parts[at:end], run_id)) for at in range(end - 1, -1, -1))
    yield from (f"{run_id}-{number}" for number in count(2))


def _place_of(own: list[str], parts: tuple[str, ...]) -> int:
    """Return how many of the names of a path stand ahead of those with which an id begins; all but the last else."""
    found = (at for at in range(len(parts) - 1, -1, -1) if parts[at] == own[0])
    return next(found, len(parts) - 1)


def _content(run: SealedRun) -> int:
    """Return a number that is the same for runs that are the same in all that an audit sees.

    Pictures are compared by their digests, for their names tell which file they lie in.
    """
    steps = [(one.action, _seen(one.before), _seen(one.after), one.error, one.time) for one in run.trace.steps]
    return hash((run.task, tuple(steps), run.report))


def _seen(seen: Observation | None) -> Observation | None:
    shot = seen.screenshot if seen is not None else None
    if seen is None or shot is None or shot.digest is None:
        return seen
    return replace(seen, screenshot=Screenshot("", shot.digest))
