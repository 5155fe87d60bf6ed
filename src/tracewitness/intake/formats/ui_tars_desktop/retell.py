"""Retelling UI-TARS-desktop runs."""

import json
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.formats.ui_tars_desktop.detect import runs_in
from tracewitness.intake.formats.ui_tars_desktop.read import documents
from tracewitness.intake.grammars import ui_tars
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.untyped import object_of, objects_of, text_of

_SCRIPT = '<script type="ui_tars_web_dump" type="application/json">{}\n</script>'


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the runs with thoughts, reflections and final words in other words; that it finished stays."""
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, sidecar_names(candidate.path))
    told = folder / candidate.path.name
    values = [value for _, value in documents(candidate, candidate.limits) if not isinstance(value, IntakeError)]
    runs = [_retold(run, say) for value in values for run in runs_in(value)]
    if candidate.shape is Shape.OTHER:
        body = "".join(_SCRIPT.format(json.dumps(run)) for run in runs)
        text = f"<!doctype html><html><body>{body}</body></html>"
    elif candidate.shape is Shape.JSON_LINES:
        text = "".join(json.dumps(run) + "\n" for run in runs)
    else:
        text = json.dumps(runs if isinstance(candidate.document, list) else runs[0])
    told.write_text(text, encoding="utf-8")
    return told


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
