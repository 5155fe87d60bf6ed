"""Retelling ATIF trajectories."""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.formats.atif.document import is_atif
from tracewitness.intake.formats.atif.profile import KEY, is_marked, marks_of
from tracewitness.intake.formats.atif.read import log_of
from tracewitness.intake.grammars import command_batches, function_tags
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_calls import RetoldCalls
from tracewitness.intake.retelling_files import write_lines
from tracewitness.intake.roles import Role, role_of
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write a trajectory with its continuations and pictures, all that agents and graders say in other words."""
    log = log_of(candidate)
    source = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    told = folder / log
    told.parent.mkdir(parents=True)
    beside = (source / log).parent
    names = sorted(one.name for one in beside.glob("*.json") if one.name != told.name)
    for name in names:
        _retell_file(beside / name, told.parent / name, candidate, say, flag)
    if candidate.shape is Shape.JSON_LINES:
        write_lines(source / log, told, candidate.limits, lambda value: _retold(value, say, flag))
    else:
        _retell_file(source / log, told, candidate, say, flag)
    copy_files(beside, told.parent, _pictures(beside))
    return folder if candidate.shape is Shape.FOLDER else told


def _pictures(beside: Path) -> Iterable[str]:
    endings = (".png", ".jpg", ".jpeg", ".gif", ".webp")
    found = (one for one in beside.rglob("*") if one.suffix.lower() in endings and not one.is_symlink())
    return sorted(one.relative_to(beside).as_posix() for one in found)


def _retell_file(given: Path, written: Path, candidate: Candidate, say: Say, flag: bool | None) -> None:
    try:
        document = Candidate(given, given.name, candidate.limits).document
    except IntakeError:
        return
    told = [_retold(one, say, flag) for one in list_of(document)] if isinstance(document, list) else None
    written.write_text(json.dumps(_retold(document, say, flag) if told is None else told), encoding="utf-8")


def _retold(value: Any, say: Say, flag: bool | None) -> Any:
    if not is_atif(value):
        return value
    return _retold_document(deepcopy(object_of(value)), say, flag)


def _retold_document(document: dict[str, Any], say: Say, flag: bool | None) -> dict[str, Any]:
    if is_marked(document):
        marks_of(document).update({"harness": "unknown", "extra": {"note": say(Plane.GRADING)}})
    elif document.get("extra"):
        document["extra"] = {"note": say(Plane.GRADING)}
    document["notes"] = say(Plane.NARRATION)
    steps = [step for step in objects_of(document.get("steps")) if step.get("is_copied_context") is not True]
    agents = [step for step in steps if step.get("source") == "agent"]
    told = RetoldCalls(say, flag, "")
    for step in agents:
        _retell_step(step, told, last=step is agents[-1])
    for step in objects_of(document.get("steps")):
        _retell_extra(step, say)
    for other in objects_of(document.get("subagent_trajectories")):
        _retold_document(other, say, flag)
        for step in objects_of(other.get("steps")):
            if step.get("source") != "agent" and step.get("message"):
                step["message"] = say(Plane.NARRATION)
    return document


def _retell_step(step: dict[str, Any], told: RetoldCalls, *, last: bool) -> None:
    say = told.say

    def arguments(call: Call) -> Mapping[str, Any]:
        return _retold_arguments(call.name, call.arguments, told, last=last)

    if step.get("reasoning_content"):
        step["reasoning_content"] = say(Plane.NARRATION)
    calls = objects_of(step.get("tool_calls"))
    for call in calls:
        name = text_of(call.get("function_name"))
        call["arguments"] = dict(_retold_arguments(name, object_of(call.get("arguments")), told, last=last))
    for result in _results(step):
        result["content"] = told.answered(result.get("content"))
    message = step.get("message")
    if not isinstance(message, str) or not message:
        return
    words = say(Plane.REPORT if last else Plane.NARRATION)
    if calls or not _acts(message):
        step["message"] = words
    elif function_tags.parse(message):
        step["message"] = function_tags.retold(message, words, arguments)
    else:
        step["message"] = command_batches.retold(message, words)


def _acts(message: str) -> bool:
    return function_tags.parse(message) is not None or command_batches.parse(message) is not None


def _retold_arguments(name: str, given: Mapping[str, Any], told: RetoldCalls, *, last: bool) -> Mapping[str, Any]:
    if role_of(name, given) in (Role.ENDS, Role.UNDECIDED) or (last and is_finish_like(name)):
        told.remember(Call(name, given))
        status = {None: "", True: "success", False: "failure"}[told.flag]
        texts = (key for key, value in given.items() if isinstance(value, str) and key != "status")
        kept = {key: told.say(Plane.REPORT) for key in texts}
        return {**kept, "status": status} if "status" in given else kept
    return told.arguments(name, given)


def _retell_extra(step: dict[str, Any], say: Say) -> None:
    """Put other words into what stands aside, but for the marks that name what a step holds."""
    for held in (step, *objects_of(step.get("tool_calls")), *_results(step)):
        extra = object_of(held.get("extra"))
        kept = {key: extra[key] for key in (KEY, "context_management") if key in extra}
        if extra:
            held["extra"] = {**kept, "note": say(Plane.GRADING)}


def _results(step: dict[str, Any]) -> list[dict[str, Any]]:
    return objects_of(object_of(step.get("observation")).get("results"))
