"""Retelling results of tau2-bench."""

from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.retelling_chats import RetoldMessages
from tracewitness.intake.formats.tau2.read import GRADED_KEYS, read
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.retelling_files import reports_of, write_retold
from tracewitness.intake.untyped import list_of, object_of

_GRADED_IN_TASKS = ("evaluation_criteria", "description")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the simulations with what the agent says, and rewards, reviews and criteria, in other words."""
    messages = RetoldMessages(say, flag, reports_of(read, candidate))

    def retold(document: Any) -> Any:
        keys = object_of(document)
        told = {
            "tasks": [_graded(one, _GRADED_IN_TASKS, say) for one in list_of(keys.get("tasks"))],
            "simulations": [_simulation(one, messages) for one in list_of(keys.get("simulations"))],
        }
        return {key: told.get(key, item) for key, item in keys.items()}

    return write_retold(candidate, folder, retold)


def _simulation(value: Any, messages: RetoldMessages) -> Any:
    keys = object_of(value)
    if not keys:
        return value
    told = _graded(keys, tuple(GRADED_KEYS), messages.say)
    listed = [_message(one, messages) for one in list_of(keys.get("messages"))]
    return {**told, "messages": listed} if listed else told


def _message(value: Any, messages: RetoldMessages) -> Any:
    told = messages.told(value)
    if object_of(told).get("raw_data"):
        return {**object_of(told), "raw_data": {"message": messages.say(Plane.NARRATION)}}
    return told


def _graded(value: Any, graded: tuple[str, ...], say: Say) -> Any:
    keys = object_of(value)
    return {key: say(Plane.GRADING) if key in graded and item else item for key, item in keys.items()} or value
