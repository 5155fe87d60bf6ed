"""Evidence beside a log: what the trace of the browser shows is added to the steps that it belongs to in time.

The log says what the agent did; the side record only adds what was seen after it, where the log itself shows less. It
adds no step, changes no action, takes nothing away, and neither reads nor touches the report or the task, so that
whatever the report says, the very same evidence is joined. What was joined is told in a notice, and why nothing was.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.finishing import FINISH
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.remarked import not_joined, not_used
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.side_record import Moment, SideRecord
from tracewitness.intake.sidecar import evidence_beside
from tracewitness.intake.step_windows import Stamped, match
from tracewitness.trace_side.trace import Observation, Step, Trace

_OWN_FORMAT = "playwright"
_SEEN_GAPS = (Gap.NO_OBSERVATIONS, Gap.SCREENSHOT_ONLY)
_MOST_NAMED = 12
_ITSELF = "the run is a browser's trace itself"


class Evidence:
    """The side record of a source of runs, read when the first run with times asks for it.

    Args:
        path: The side record; None where there is none.
        told: The user named it, so that trouble with it is an error and not a notice.
        options: Bounds on what is read.
    """

    def __init__(self, path: Path | None, options: ReadOptions, *, told: bool) -> None:
        self._path = path
        self._options = options
        self._told = told
        self._record: SideRecord | None = None
        self._trouble = ""

    @classmethod
    def of(cls, candidate: Candidate, options: ReadOptions) -> "Evidence":
        """Return what the user named, or what lies beside a candidate."""
        if options.evidence is not None:
            return cls(options.evidence, options, told=True)
        return cls(evidence_beside(candidate.path), options, told=False)

    def joined(self, run: SealedRun) -> SealedRun:
        """Return a run with what the side record shows added to its trace.

        Raises:
            IntakeError: The user named a side record that cannot be read.
        """
        if self._path is None:
            return run
        if run.origin.format_name == _OWN_FORMAT:
            return _noticed(run, not_joined(self._path.name, _ITSELF)) if self._told else run
        record = self._read(self._path)
        if record is None:
            return _noticed(run, not_used(self._path.name, self._trouble))
        joined = join(run.trace, record)
        if not joined.steps:
            return _noticed(run, not_joined(record.name, joined.why_not))
        origin = replace(run.origin, evidence=str(self._path))
        return _noticed(replace(run, trace=joined.trace, origin=origin), _told(record, joined))

    def _read(self, path: Path) -> SideRecord | None:
        # Few logs have such a record beside them, so its reader is loaded with the first one.
        from tracewitness.intake.formats.playwright.side import read_side_record  # noqa: PLC0415

        if self._record is None and not self._trouble:
            try:
                self._record = read_side_record(path, self._options.limits)
            except IntakeError as error:
                if self._told:
                    raise error.at(str(path)) from error.__cause__
                self._trouble = error.problem
        return self._record


@dataclass(frozen=True, slots=True)
class Joined:
    """A trace with what a side record adds: to which steps, when the log stamps them, or why nothing was added."""

    trace: Trace
    steps: tuple[int, ...] = ()
    stamped: Stamped | None = None
    why_not: str = ""


def join(trace: Trace, record: SideRecord) -> Joined:
    """Add to each step what the side record shows after it, where the log shows less."""
    matched = match(trace.steps, record.moments)
    if matched.stamped is None:
        return Joined(trace, why_not=matched.why_not)
    steps, changed = list(trace.steps), list[int]()
    for at, moments in sorted(matched.moments.items()):
        fuller = _fuller(steps[at], moments)
        if fuller != steps[at]:
            steps[at] = fuller
            changed.append(fuller.index)
    if not changed:
        return Joined(trace, why_not="the log shows as much by itself")
    gaps = [gap for gap in trace.gaps if gap not in _SEEN_GAPS]
    gaps += [Gap.UNREADABLE_OBSERVATION] if record.damaged else []
    return Joined(Trace(tuple(steps), known_gaps(steps, gaps)), tuple(changed), matched.stamped)


def _fuller(step: Step, moments: Sequence[Moment]) -> Step:
    if step.action.kind == FINISH or not step.action.executed:
        return step
    last = moments[-1].step
    seen = [moment.step.after for moment in moments if moment.step.after is not None]
    notes = "\n".join(dict.fromkeys(line for one in seen for line in (one.text or "").splitlines()))
    after = _combined(step.after, last.after or Observation(), notes)
    return replace(step, after=after, error=step.error if step.error is not None else last.error)


def _combined(own: Observation | None, side: Observation, notes: str) -> Observation | None:
    """Return what the log shows, with the page of the side record where that tells more, and what was noted."""
    mine = own or Observation()
    tree = mine.ui_tree
    if not tree and side.ui_tree and len(mine.text or "") < len(side.ui_tree):
        tree = side.ui_tree
    told = set((mine.text or "").splitlines())
    missing = [line for line in notes.splitlines() if line not in told]
    text = "\n".join(filter(None, (mine.text, *missing))) or None
    combined = Observation(text, tree, mine.url or side.url, mine.screenshot or side.screenshot)
    return own if combined == mine else combined


def _noticed(run: SealedRun, notice: str) -> SealedRun:
    return replace(run, notices=(*run.notices, notice))


def _told(record: SideRecord, joined: Joined) -> str:
    named = ", ".join(map(str, joined.steps[:_MOST_NAMED]))
    more = f" and {len(joined.steps) - _MOST_NAMED} more" if len(joined.steps) > _MOST_NAMED else ""
    stamped = joined.stamped.value if joined.stamped is not None else ""
    return f"joined from {record.name} by time: what was seen after steps {named}{more} (log times taken as {stamped})"
