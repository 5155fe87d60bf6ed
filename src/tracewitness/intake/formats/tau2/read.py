"""Reading results of tau2-bench, one simulation after the other."""

from collections.abc import Iterator
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, IntakeFailure
from tracewitness.intake.formats.tau2.split import turns_of
from tracewitness.intake.formats.tau2.tasks import brief_of
from tracewitness.intake.formats.tau_bench.handing_over import HANDED_OVER, handed_over
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.kept_back import kept_back
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_GRADED = (Plane.GRADING, LeakRoute.GRADING_ECHO)
GRADED_KEYS = {
    key: _GRADED for key in ("reward_info", "review", "hallucination_check", "auth_classification", "user_only_review")
}
_ENDED = ("user_stop", "agent_stop")
_STATUS = {"max_steps": HarnessStatus.STEP_LIMIT, "timeout": HarnessStatus.TIMEOUT}


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file.

    Raises:
        IntakeError: The file is damaged; the runs ahead of the damage come first.
    """
    stream = JsonStream(candidate.path, options.limits, "simulations")
    stem = candidate.path.name.split(".", 1)[0]
    met: dict[str, int] = {}
    for place, value in stream:
        keys = object_of(value)
        run_id = f"{stem}/{keys.get('task_id')}/{keys.get('trial', 0)}"[:200]
        met[run_id] = met.get(run_id, 0) + 1
        run_id = run_id if met[run_id] == 1 else f"{run_id}-{met[run_id]}"
        origin = Origin(candidate.name, "tau2", "", stream.encoding, _agent(stream.others))
        try:
            yield _sealed(keys, place, run_id, origin, objects_of(stream.others.get("tasks")), options)
        except IntakeError as error:
            yield error.at(candidate.name, place).failure(run_id)
    if not met:
        raise EmptyError("no simulations in it", "leave the file out")


def _agent(others: dict[str, Any]) -> str | None:
    return text_of(object_of(object_of(others.get("info")).get("agent_info")).get("llm")) or None


def _sealed(
    keys: dict[str, Any],
    place: str,
    run_id: str,
    origin: Origin,
    tasks: list[dict[str, Any]],
    options: ReadOptions,
) -> SealedRun:
    messages = list_of(keys.get("messages"))
    if not messages:
        raise BadRunError("no messages in the simulation", "leave it out")
    reason = text_of(keys.get("termination_reason")).rpartition(".")[2].casefold()
    ended = reason in _ENDED
    brief, graded = brief_of(tasks, keys.get("task_id"))
    turns, lost = turns_of(messages, f"{place}.messages", ended)
    kinds = options.finish_kinds | {HANDED_OVER}
    told = split_turns(turns, task=brief, finish_kinds=kinds, user_ends=reason == "user_stop")
    return seal_conversation(
        handed_over(told, turns),
        run_id,
        origin,
        options,
        task=brief,
        harness=_harness(reason, ended),
        gaps=[Gap.MISSING_STEPS] if lost else [],
        stripped=[*kept_back(keys, place, GRADED_KEYS), *graded, *_raw(messages, place)],
    )


def _harness(reason: str, ended: bool) -> HarnessStatus | None:
    if ended or not reason:
        return None
    return _STATUS.get(reason, HarnessStatus.ERROR if "error" in reason else HarnessStatus.UNKNOWN)


def _raw(messages: list[Any], place: str) -> Iterator[Stripped]:
    """Yield notes of the providers' own answers, which repeat the agent's words."""
    for at, message in enumerate(objects_of(messages)):
        where = f"{place}.messages[{at}]"
        yield from kept_back(message, where, {"raw_data": (Plane.NARRATION, LeakRoute.ECHO)})
