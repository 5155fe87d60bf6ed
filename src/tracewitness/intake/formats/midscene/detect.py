"""Telling a Midscene dump by its keys, and a report page by the dump embedded in it."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.report_pages import embeds
from tracewitness.intake.untyped import list_of, object_of, objects_of

MARK = b'"midscene_web_dump"'


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a dump, to one with its images, and to a report page."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a dump or report")
    if candidate.shape is Shape.JSON:
        if is_dump(dump_of(candidate.sample)):
            return Verdict(True, "executions with tasks stand in it")
        return Verdict(False, "no executions with tasks in it")
    if embeds(candidate, MARK):
        return Verdict(True, "a page with an embedded Midscene dump")
    return Verdict(False, "neither a dump nor a page with one")


def dump_of(value: Any) -> dict[str, Any]:
    """Return the dump itself, where it stands beside its images."""
    given = object_of(value)
    return object_of(given.get("dump")) if "images" in given else given


def is_dump(dump: dict[str, Any]) -> bool:
    """Tell whether a value is a dump: a group of executions, each of tasks."""
    executions = objects_of(dump.get("executions"))
    if not executions or "groupName" not in dump:
        return False
    tasks = objects_of(executions[0].get("tasks"))
    return "tasks" in executions[0] and (not list_of(executions[0]["tasks"]) or any("type" in task for task in tasks))
