"""Telling the data of a run by its keys, and a report page by the data embedded in it."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.format import Verdict
from tracewitness.intake.report_pages import embeds
from tracewitness.intake.untyped import object_of, objects_of

MARK = b"ui_tars_web_dump"


def detect(candidate: Candidate) -> Verdict:
    """Say yes to an object (or a list of them) with instruction and conversations, and to a report page."""
    if candidate.shape is Shape.FOLDER:
        return Verdict(False, "a folder, not a run or report")
    if candidate.shape in (Shape.JSON, Shape.JSON_LINES):
        if runs_in(candidate.sample):
            return Verdict(True, "an instruction and conversations from human and gpt stand in it")
        return Verdict(False, "no conversations from human and gpt in it")
    if embeds(candidate, MARK):
        return Verdict(True, "a page with the data of UI-TARS runs")
    return Verdict(False, "neither data of a run nor a page with it")


def runs_in(value: Any) -> list[dict[str, Any]]:
    """Return the runs that a JSON value is or lists."""
    return [one for one in (objects_of(value) if isinstance(value, list) else [object_of(value)]) if is_run(one)]


def is_run(run: dict[str, Any]) -> bool:
    """Tell whether an object is the data of a run."""
    turns = objects_of(run.get("conversations"))
    told = all("from" in turn and "value" in turn for turn in turns[:3])
    return (
        bool(turns)
        and told
        and "instruction" in run
        and bool({"status", "logTime", "systemPrompt", "version"} & run.keys())
    )
