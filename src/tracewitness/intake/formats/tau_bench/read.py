"""Reading results of tau-bench, one run after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.chat_completions import is_message, turns
from tracewitness.intake.chats.dialect import Placed
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure
from tracewitness.intake.formats.tau_bench.detect import KEYS
from tracewitness.intake.formats.tau_bench.handing_over import HANDED_OVER, handed_over
from tracewitness.intake.formats.tau_bench.written_actions import are_written, with_calls
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.kept_back import kept_back
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.turns import Speaker, Turn, without_closing_words
from tracewitness.intake.untyped import list_of, object_of, text_of

_STOP = "###STOP###"
_GRADED = (Plane.GRADING, LeakRoute.GRADING_ECHO)


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file.

    Raises:
        IntakeError: The file is damaged; the runs ahead of the damage come first.
    """
    stream = JsonStream(candidate.path, options.limits)
    stem = candidate.path.name.split(".", 1)[0]
    met: dict[str, int] = {}
    for place, value in stream:
        keys = object_of(value)
        run_id = f"{stem}/{keys.get('task_id')}/{keys.get('trial', 0)}"[:200]
        met[run_id] = met.get(run_id, 0) + 1
        run_id = run_id if met[run_id] == 1 else f"{run_id}-{met[run_id]}"
        try:
            yield _sealed(
                keys, place, run_id, Origin(candidate.name, "tau_bench", "", stream.encoding), candidate, options
            )
        except IntakeError as error:
            yield error.at(candidate.name, place).failure(run_id)


def _sealed(
    keys: dict[str, Any], place: str, run_id: str, origin: Origin, candidate: Candidate, options: ReadOptions
) -> SealedRun:
    if not keys.keys() >= KEYS:
        raise BadRunError(f"expected the keys {', '.join(sorted(KEYS))}", "leave the record out")
    info, task = object_of(keys["info"]), object_of(object_of(keys["info"]).get("task"))
    messages = [
        Placed(f"{place}.traj[{at}]", object_of(message))
        for at, message in enumerate(list_of(keys["traj"]))
        if is_message(message)
    ]
    pictures = ChatPictures(RunFolder(candidate.path.parent, options.limits))
    listed = turns(messages, pictures)
    stopped, told = _until_stop(with_calls(listed) if are_written(listed) else listed)
    brief = text_of(task.get("instruction")).strip() or None
    kinds = options.finish_kinds | {HANDED_OVER}
    conversation = split_turns(told, task=brief, finish_kinds=kinds, user_ends=stopped)
    return seal_conversation(
        handed_over(conversation, told),
        run_id,
        origin,
        options,
        task=brief,
        harness=HarnessStatus.ERROR if text_of(info.get("error")) and not messages else None,
        stripped=_graded(keys, info, task, place),
    )


def _until_stop(told: Sequence[Turn]) -> tuple[bool, list[Turn]]:
    """Return whether the simulated user ended the conversation, and the turns without the mark by which it does."""
    last = next((turn for turn in reversed(told) if turn.speaker is Speaker.USER), None)
    stopped = last is not None and _STOP in last.text
    bare = [
        replace(turn, text=turn.text.replace(_STOP, "").strip()) if turn.speaker is Speaker.USER else turn
        for turn in told
    ]
    return stopped, bare if stopped else without_closing_words(bare)


def _graded(keys: dict[str, Any], info: dict[str, Any], task: dict[str, Any], place: str) -> Iterator[Stripped]:
    yield from kept_back(keys, place, {"reward": _GRADED})
    yield from kept_back(info, f"{place}.info", {"reward_info": _GRADED, "error": _GRADED, "traceback": _GRADED})
    yield from kept_back(task, f"{place}.info.task", {"actions": _GRADED, "outputs": _GRADED})
