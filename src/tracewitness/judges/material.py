"""What a judge is shown of a run: the task and the trace, the same for all, and what stands beside them."""

from dataclasses import dataclass

from tracewitness.asking.fences import fence
from tracewitness.asking.port import Picture
from tracewitness.auditing.screen_texts import ScreenTexts
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.sealed import SealedRun
from tracewitness.judges.counter_reports import neutral, opposite
from tracewitness.judges.showing import Showing
from tracewitness.language.folding import tidy
from tracewitness.report_side.report import Report
from tracewitness.trace_side.exhibits import Exhibits, Told
from tracewitness.trace_side.screen_text import with_screen_text
from tracewitness.trace_side.showing import Room, Shown, show
from tracewitness.values.redaction import redact


@dataclass(frozen=True, slots=True)
class Material:
    """What one judge is shown of one run.

    Attributes:
        task: The task, fenced; of a very long one as much as an audit reads of it.
        trace: The window of the trace, with the mark of a fence around everything that comes from the trace.
        beside: What stands beside it, under its name; empty where nothing does.
        pictures: The pictures that go with it.
        whole: Whether nothing of the trace was left out.
    """

    task: str
    trace: str
    beside: str
    pictures: tuple[Picture, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """What may be known of a run before it is judged.

    Attributes:
        run_id: The run.
        task_key: The key of its task.
        source: Where it is from; None where that is not known.
        has_report: Whether it has a report or a flag.
        has_narration: Whether it has words of the agent.
    """

    run_id: str
    task_key: str
    source: str | None
    has_report: bool
    has_narration: bool


def outline(run: SealedRun) -> Outline:
    """Return what may be known of a run before it is judged."""
    reported = run.report.text is not None or run.report.declared_status is not None
    return Outline(run.run_id, run.task.key, run.origin.source, reported, bool(run.narration))


def material(run: SealedRun, showing: Showing, room: Room, texts: ScreenTexts | None = None) -> Material:
    """Return what a judge is shown of a run.

    Task, trace and pictures are the same whatever stands beside them. A run without a report, or without words of the
    agent, is shown as the blind judge sees it.

    Args:
        run: The run.
        showing: What stands beside task and trace.
        room: How much is shown.
        texts: Gives the text of screenshots that have no other; None to do without.

    Raises:
        WindowTooSmallError: The task does not fit the room with the bare first and last step.
    """
    exhibits, trace = Exhibits(RunPictures(run.origin)), run.trace
    if texts is not None:
        trace = with_screen_text(trace, exhibits.pictures, texts.of_run(trace)).trace
    shown = show(run.task, trace, room, exhibits)
    task = fence(shown.task.read_part, "task")
    beside = _beside(run, showing, room, shown)
    return Material(task, shown.window.text, beside, shown.pictures.pictures, shown.window.whole)


def _beside(run: SealedRun, showing: Showing, room: Room, shown: Shown) -> str:
    if showing is Showing.BLIND:
        return ""
    if showing is Showing.NARRATION:
        told = tuple(Told(one.step, one.text) for one in run.narration)
        return show(run.task, run.trace, _apart(room), Exhibits(narration=told)).told if told else ""
    return _report_block(_report(run.report, showing), shown.known)


def _apart(room: Room) -> Room:
    return Room(room.tokens, room.count, apart=True)


def _report(report: Report, showing: Showing) -> Report:
    if showing is Showing.OPPOSITE:
        return opposite(report)
    return neutral(report) if showing is Showing.NEUTRAL else report


def _report_block(report: Report, known: tuple[str, ...]) -> str:
    lines: list[str] = []
    if text := redact(tidy(report.text or ""), known).text:
        lines.append("The agent's final report:\n" + fence(text, "report"))
    if report.declared_status is not None:
        lines.append(f"The agent's own success flag: {report.declared_status.value}")
    return "\n".join(lines)
