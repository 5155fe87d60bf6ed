"""Retelling results of tau-bench."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.retelling_chats import RetoldMessages
from tracewitness.intake.formats.tau_bench.read import read
from tracewitness.intake.formats.tau_bench.written_actions import are_written, rewritten, said_to_user, written
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import reports_of, write_list
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import list_of, object_of, text_of

_GRADED: Mapping[str, tuple[str, ...]] = {
    "": ("reward",),
    "info": ("reward_info", "error", "traceback"),
    "task": ("actions", "outputs"),
}


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the runs with what the agent says, and rewards and expected actions, in other words."""
    messages = RetoldMessages(say, flag, reports_of(read, candidate))
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, sidecar_names(candidate.path))
    path = folder / candidate.path.name.removesuffix(".gz")
    write_list(candidate.path, path, candidate.limits, lambda one: _record(one, messages))
    return path


def _record(value: Any, messages: RetoldMessages) -> Any:
    keys = object_of(value)
    if not keys:
        return value
    told = _graded(keys, _GRADED[""], messages.say)
    info, task = object_of(keys.get("info")), object_of(object_of(keys.get("info")).get("task"))
    if info:
        told["info"] = _graded(info, _GRADED["info"], messages.say)
    if task:
        told["info"]["task"] = _graded(task, _GRADED["task"], messages.say)
    return {**told, "traj": _trajectory(keys.get("traj"), messages)}


def _trajectory(traj: Any, messages: RetoldMessages) -> Any:
    listed = [object_of(one) for one in list_of(traj)]
    if not are_written([_turn(one) for one in listed]):
        return messages.told(traj)
    return [
        {**one, "content": _written(text_of(one.get("content")), messages)} if one.get("role") == "assistant" else one
        for one in listed
    ]


def _turn(message: dict[str, Any]) -> Turn:
    """Return as much of a message as tells how the agent acts."""
    agent = message.get("role") == "assistant"
    calls = tuple(Call("tool", {}) for _ in list_of(message.get("tool_calls")))
    speaker = Speaker.AGENT if agent else Speaker.USER if message.get("role") == "user" else Speaker.SYSTEM
    results = (Result(),) if message.get("role") == "tool" else ()
    return Turn(speaker, "", text_of(message.get("content")), calls=calls, results=results)


def _written(text: str, messages: RetoldMessages) -> str:
    one = written(text)
    thought = messages.say(Plane.NARRATION) if one.thought else ""
    if one.name:
        return rewritten(
            thought, one.name, {**(one.arguments or {}), **messages.calls.arguments(one.name, one.arguments or {})}
        )
    plane = Plane.REPORT if one.said.strip() and one.said.strip() in messages.reports else Plane.NARRATION
    return said_to_user(thought, messages.say(plane))


def _graded(keys: dict[str, Any], graded: tuple[str, ...], say: Say) -> dict[str, Any]:
    return {key: say(Plane.GRADING) if key in graded and item else item for key, item in keys.items()}
