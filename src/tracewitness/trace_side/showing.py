"""What a model is shown of a task and its trace, written in one place so that whoever asks shows the very same."""

from dataclasses import dataclass

from tracewitness.findings.causes import Gap
from tracewitness.task_side.task import Task
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.injection import find_judge_addressed
from tracewitness.trace_side.narration import narration_block, redact_narration
from tracewitness.trace_side.picture_choice import ChosenPictures, choose_pictures
from tracewitness.trace_side.redacting import known_passwords, redact_task, redact_trace
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.window import TokenCounter, Window, build_window

_NARRATION_SHARE = 4


@dataclass(frozen=True, slots=True)
class Room:
    """How much a model is shown.

    Attributes:
        tokens: Most tokens of the window, with what the agent told where that is shown.
        count: Counts tokens, as the model does where that is known.
        pictures: Most pictures; 0 where the model takes none.
        apart: Give the agent's words room of their own, so that the window is the same with them and without.
    """

    tokens: int
    count: TokenCounter
    pictures: int = 0
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model is shown, without secrets.

    Attributes:
        task: The task.
        trace: The trace.
        window: The trace, written within the room.
        pictures: The chosen pictures.
        narration: The agent's words by step; empty unless they are shown.
        told: The same as a block of text; empty likewise.
        known: Passwords that were found in the trace.
        warned: Whether the trace holds text addressed to a judge.
        gaps: What is missing from the record, or from what is shown of it.
    """

    task: Task
    trace: Trace
    window: Window
    pictures: ChosenPictures
    narration: dict[int, str]
    told: str
    known: tuple[str, ...]
    warned: bool
    gaps: tuple[Gap, ...]


def show(task: Task, trace: Trace, room: Room, exhibits: Exhibits) -> Shown:
    """Return what a model is shown.

    Raises:
        WindowTooSmallError: The task does not fit the room with the bare first and last step.
    """
    known = known_passwords(trace)
    warned = bool(find_judge_addressed(trace))
    task, trace = redact_task(task, known), redact_trace(trace)
    ledger = build_ledger(trace)
    narration = redact_narration(exhibits.narration, known)
    told = narration_block(narration, room.tokens // _NARRATION_SHARE, room.count)
    left = room.tokens if room.apart else room.tokens - room.count(told)
    window = build_window(task, ledger, left, room.count)
    pictures = choose_pictures(ledger, exhibits.pictures, room.pictures)
    lost = Gap.WINDOW_ELIDED if not window.whole or pictures.blind else None
    gaps = tuple(dict.fromkeys(filter(None, (*_seen_gaps(ledger.gaps, pictures), lost))))
    return Shown(task, trace, window, pictures, narration, told, known, warned, gaps)


def _seen_gaps(gaps: tuple[Gap, ...], pictures: ChosenPictures) -> list[Gap]:
    """Return the gaps that stay where pictures are looked at: a screen without words is no gap to who sees it."""
    all_seen = bool(pictures.pictures) and not pictures.unseen
    return [gap for gap in gaps if not (gap is Gap.SCREENSHOT_ONLY and all_seen)]
