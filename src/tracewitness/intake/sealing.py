"""The sealed run of a conversation."""

from collections.abc import Iterable

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, NoTaskError
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.turn_split import Conversation
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_NOT_ENDED = (
    "the agent does not end the run in this log (step limit, stopped process, or a log cut short); none is inferred"
)


def seal_conversation(
    told: Conversation,
    run_id: str,
    origin: Origin,
    options: ReadOptions,
    *,
    task: str | None = None,
    app: str | None = None,
    start_url: str | None = None,
    harness: HarnessStatus | None = None,
    gaps: Iterable[Gap] = (),
    stripped: Iterable[Stripped] = (),
    notices: Iterable[str] = (),
) -> SealedRun:
    """Return the run of a conversation.

    Args:
        told: The conversation, sorted.
        run_id: Its id.
        origin: Where it came from.
        options: What the reader was told; its task is taken where neither the log nor ``task`` gives one.
        task: The instruction where the log or a file beside it gives one apart from the turns.
        app: The app it concerns.
        start_url: The page it starts on.
        harness: The harness's view; by default completed where the agent ended, else unknown.
        gaps: Gaps that the reader knows of.
        stripped: What the reader kept from the trace side besides.
        notices: What a person should know.

    Raises:
        NoTaskError: Nobody says what the task was.
        BadRunError: It has more steps than are read.
    """
    instruction = (task or told.task or options.task or "").strip()
    if not instruction:
        raise NoTaskError("the task text is not in this log", "give it with --task, or in task.txt beside it")
    if len(told.steps) > options.limits.steps:
        raise BadRunError(f"{len(told.steps)} steps, at most {options.limits.steps} are read", "split the run")
    ended = HarnessStatus.COMPLETED if told.ended else HarnessStatus.UNKNOWN
    return SealedRun(
        run_id=run_id,
        task=Task(instruction, app, start_url),
        trace=Trace(told.steps, known_gaps(told.steps, (*told.gaps, *gaps))),
        report=told.report,
        harness=harness or ended,
        origin=origin,
        narration=told.narration,
        stripped=(*told.stripped, *stripped),
        notices=(*notices, *(() if told.ended else (_NOT_ENDED,))),
    )
