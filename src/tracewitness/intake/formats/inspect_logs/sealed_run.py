"""The sealed run of a sample."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.formats.inspect_logs.content import Contents
from tracewitness.intake.formats.inspect_logs.transcript import NOT_CARRIED_OUT, OPERATOR, Transcript
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.turns import Speaker, Turn
from tracewitness.trace_side.trace import Step
from tracewitness.values.plurals import plural

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

_OUT_OF_TIME = ("time", "working")


def sealed_run(sample: "EvalSample", run_id: str, origin: Origin, options: ReadOptions) -> SealedRun:
    """Return the run of a sample.

    Raises:
        IntakeError: The sample says nothing of what was asked for, or has too many steps.
    """
    contents = Contents(f"samples/{sample.id}_epoch_{sample.epoch}")
    transcript = Transcript(contents)
    turns = _turns(sample, transcript)
    broken_off = sample.limit is not None or sample.error is not None
    told = split_turns(_closed(turns, sample, broken_off), task="", finish_kinds=options.finish_kinds)
    never_made = transcript.never_made()
    told.steps = tuple(_as_carried_out(step, never_made) for step in told.steps)
    return seal_conversation(
        told,
        run_id,
        origin,
        options,
        task=_task(sample, contents),
        harness=_harness(sample),
        gaps=(Gap.UNREADABLE_OBSERVATION,) if contents.missing or contents.unread else (),
        stripped=_stripped(sample, contents),
        notices=_notices(sample, contents),
    )


def _turns(sample: "EvalSample", transcript: Transcript) -> list[Turn]:
    """Return the turns of the transcript, or of the messages where the log holds no transcript."""
    if any(event.event in ("model", "tool") for event in sample.events):
        return transcript.turns(list(sample.events))
    turns: list[Turn] = []
    for at, message in enumerate(sample.messages):
        if message.role == "assistant" and message.source != "input":
            turns += transcript.of_message(message, f"messages[{at}]")
        elif message.role == "tool":
            turns.append(transcript.of_answer(message))
        elif message.role == "user" and message.source == OPERATOR:
            turns += transcript.of_operator(message, f"messages[{at}]")
    return [transcript.with_results(turn) for turn in turns]


def _closed(turns: list[Turn], sample: "EvalSample", broken_off: bool) -> list[Turn]:
    """Return the turns with the report as their last words, and all words ahead of it as narration.

    Where a solver put together another answer than the model's last words, that is the report. Where a limit or an
    error broke the run off, the last words are narration too: the agent had not ended.
    """
    last = max((at for at, turn in enumerate(turns) if turn.speaker is Speaker.AGENT), default=-1)
    closed = [turn if turn.calls or turn.speaker is not Speaker.AGENT else _silent(turn) for turn in turns]
    if last >= 0 and not turns[last].calls and not broken_off:
        closed[last] = replace(turns[last], text=sample.output.completion.strip() or turns[last].text)
    return closed


def _silent(turn: Turn) -> Turn:
    """Return a turn whose words are thoughts: a scaffold may have asked for them, and nobody answered."""
    return replace(turn, text="", reasoning="\n".join(filter(None, (turn.reasoning, turn.text))))


def _as_carried_out(step: Step, never_made: frozenset[str]) -> Step:
    if step.error is None or step.error not in never_made:
        return step
    error = None if step.error == NOT_CARRIED_OUT else step.error
    return replace(step, action=replace(step.action, executed=False), error=error)


def _task(sample: "EvalSample", contents: Contents) -> str:
    """Return what was asked: the input, or what a user says in it, with the choices where there are any."""
    if isinstance(sample.input, str):
        asked = contents.text(sample.input)
    else:
        asked = "\n\n".join(contents.text(message.content) for message in sample.input if message.role == "user")
    choices = "".join(f"\n- {choice}" for choice in sample.choices or [])
    return f"{asked.strip()}{choices}"


def _harness(sample: "EvalSample") -> HarnessStatus | None:
    if sample.error is not None:
        return HarnessStatus.ERROR
    if sample.limit is None:
        return None
    return HarnessStatus.TIMEOUT if sample.limit.type in _OUT_OF_TIME else HarnessStatus.STEP_LIMIT


def _stripped(sample: "EvalSample", contents: Contents) -> Iterator[Stripped]:
    grading: dict[str, Any] = {
        "target": sample.target if isinstance(sample.target, str) else "\n".join(sample.target),
        "metadata": sample.metadata,
        "scores": {name: score.model_dump(mode="json") for name, score in (sample.scores or {}).items()},
    }
    for key, value in grading.items():
        if value:
            yield Stripped(key, Plane.GRADING, LeakRoute.GRADING_ECHO, _size(value))
    if sample.store:
        yield Stripped("store", Plane.NARRATION, LeakRoute.CARRIED_MEMORY, _size(sample.store))
    shown = ("input", OPERATOR)
    said = sum(len(one.text) for one in sample.messages if one.role == "user" and one.source not in shown)
    if said:
        yield Stripped("messages (user)", Plane.NARRATION, LeakRoute.ECHO, said)
    told = sum(len(message.text) for event in sample.events if event.event == "model" for message in event.input)
    if told:
        yield Stripped("events (input of models)", Plane.NARRATION, LeakRoute.ECHO, told)


def _size(value: Any) -> int:
    try:
        return size_of(value)
    except (TypeError, ValueError):
        return len(str(value))


def _notices(sample: "EvalSample", contents: Contents) -> Iterator[str]:
    if sample.limit is not None:
        yield f"the limit of {sample.limit.type} was reached"
    if contents.missing:
        yield f"{plural(contents.missing, 'attachment')} cannot be found in the log"
    if contents.unread:
        yield f"{plural(contents.unread, 'part')} of results of a kind that is not read (sounds, films, files)"
