"""Retelling results of tau-bench."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.retelling_chats import RetoldMessages
from tracewitness.intake.formats.tau_bench.read import read
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import reports_of, write_list
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.untyped import object_of

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
    return {**told, "traj": messages.told(keys.get("traj"))}


def _graded(keys: dict[str, Any], graded: tuple[str, ...], say: Say) -> dict[str, Any]:
    return {key: say(Plane.GRADING) if key in graded and item else item for key, item in keys.items()}
