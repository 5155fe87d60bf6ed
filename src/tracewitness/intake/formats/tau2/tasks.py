"""The brief of the user whom a simulation plays, and the gold that stands beside it."""

from collections.abc import Sequence
from typing import Any

from tracewitness.intake.kept_back import kept_back
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.untyped import object_of, text_of

_GRADED = (Plane.GRADING, LeakRoute.GRADING_ECHO)
_SCENARIO = ("reason_for_call", "known_info", "unknown_info", "task_instructions")


def brief_of(tasks: Sequence[dict[str, Any]], task_id: Any) -> tuple[str | None, list[Stripped]]:
    """Return what the user of a task was told to want, and notes of what belongs to grading in the task."""
    at = next((at for at, task in enumerate(tasks) if str(task.get("id")) == str(task_id)), None)
    if at is None:
        return None, []
    task = tasks[at]
    instructions = object_of(task.get("user_scenario")).get("instructions")
    parts = [text_of(object_of(instructions).get(key)) for key in _SCENARIO]
    said = text_of(instructions) or "\n".join(filter(None, (part.strip() for part in parts)))
    hidden = kept_back(task, f"tasks[{at}]", {"evaluation_criteria": _GRADED, "description": _GRADED})
    return (said or text_of(task.get("ticket"))).strip() or None, list(hidden)
