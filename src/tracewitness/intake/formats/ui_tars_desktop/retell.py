"""Retelling UI-TARS-desktop runs."""

import json
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.formats.ui_tars_desktop.detect import is_run
from tracewitness.intake.formats.ui_tars_desktop.read import documents
from tracewitness.intake.grammars import ui_tars
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import write_lines
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_SCRIPT = '<script type="ui_tars_web_dump" type="application/json">{}\n</script>'


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the runs with thoughts, reflections and final words in other words; that it finished stays."""
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, sidecar_names(candidate.path))
    told = folder / candidate.path.name
    if candidate.shape is Shape.OTHER:
        body = "".join(_script(value, say) for _, value in documents(candidate, candidate.limits))
        told.write_text(f"<!doctype html><html><body>{body}</body></html>", encoding="utf-8")
    elif candidate.shape is Shape.JSON_LINES:
        write_lines(candidate.path, told, candidate.limits, lambda value: _value_in(value, say))
    else:
        told.write_text(json.dumps(_value_in(candidate.document, say)), encoding="utf-8")
    return told


def _script(value: Any, say: Say) -> str:
    """Return the data of a page; what cannot be read is as little readable in the retold one."""
    return _SCRIPT.format("{" if isinstance(value, IntakeError) else json.dumps(_value_in(value, say)))


def _value_in(value: Any, say: Say) -> Any:
    """Return a JSON value with the runs that it is or lists in other words."""
    if isinstance(value, list):
        return [_value_in(one, say) for one in list_of(value)]
    run = object_of(value)
    return _retold(run, say) if is_run(run) else value


def _retold(run: dict[str, Any], say: Say) -> dict[str, Any]:
    turns = [_turn(one, say) for one in objects_of(run.get("conversations"))]
    told = {**run, "conversations": turns}
    return {**told, "errMsg": say(Plane.GRADING)} if run.get("errMsg") else told


def _turn(turn: dict[str, Any], say: Say) -> dict[str, Any]:
    if turn.get("from") != "gpt":
        return turn
    told = {**turn, "value": _value(text_of(turn.get("value")), say)}
    if turn.get("predictionParsed"):
        told["predictionParsed"] = [_parsed(one, say) for one in objects_of(turn["predictionParsed"])]
    return told


def _value(value: str, say: Say) -> str:
    part = ui_tars.acting_part(value)
    if part is None:
        return say(Plane.NARRATION)
    acting = part
    parsed = ui_tars.parse(acting)
    if parsed is not None and any(is_finish_like(one.name) for one in parsed.calls):
        acting = f"finished(content={say(Plane.REPORT)!r})"
    return f"Thought: {say(Plane.NARRATION)}\nAction: {acting}"


def _parsed(parsed: dict[str, Any], say: Say) -> dict[str, Any]:
    told = {**parsed, "thought": say(Plane.NARRATION), "reflection": say(Plane.NARRATION)}
    if is_finish_like(text_of(parsed.get("action_type"))):
        inputs = object_of(parsed.get("action_inputs"))
        told["action_inputs"] = {**inputs, "content": say(Plane.REPORT)}
    return told
