"""Planted runs of UI-TARS-desktop."""

import base64
import json
from pathlib import Path
from typing import Any

from plants import Planted
from plants.osworld import PNG
from tracewitness.intake.formats.ui_tars_desktop import FORMAT
from tracewitness.testing.words import Words

Turn = dict[str, Any]


def screen(number: int) -> Turn:
    """Return a turn with a picture."""
    shot = base64.b64encode(PNG + bytes([number])).decode()
    context = {"size": {"width": 1000, "height": 500}, "mime": "image/png", "scaleFactor": 2}
    timing = {"start": 1780000000000 + number, "end": 1780000000001 + number, "cost": 1}
    return {
        "from": "human",
        "value": "<image>",
        "screenshotBase64": shot,
        "screenshotContext": context,
        "timing": timing,
    }


def answer(words: Words, about: str, action: str, kind: str, **inputs: Any) -> Turn:
    """Return an answer of the model with its parsed action."""
    thought, reflection = words.narration(f"thought {about}"), words.narration(f"reflection {about}")
    parsed = {"action_type": kind, "action_inputs": inputs, "thought": thought, "reflection": reflection}
    value = f"Reflection: {reflection}\nThought: {thought}\nAction: {action}"
    return {"from": "gpt", "value": value, "predictionParsed": [parsed], "screenshotBase64WithElementMarker": "AAAA"}


def run_of(words: Words) -> dict[str, Any]:
    """Return the data of a run."""
    typed, task = words.evidence("typed"), words.task()
    turns = [
        {"from": "human", "value": task},
        screen(1),
        answer(
            words, "1", "click(start_box='(500,500)')", "click", start_box="[0.5,0.5,0.5,0.5]", start_coords=[500, 250]
        ),
        screen(2),
        answer(words, "2", f"type(content='{typed}')", "type", content=typed),
        {"from": "human", "value": words.evidence("user")},
        screen(3),
        {"from": "gpt", "value": f"Thought: {words.narration('bare')}\nAction: hotkey(key='{words.evidence('key')}')"},
        screen(4),
    ]
    if words.finished:
        said = words.report("content")
        turns.append(answer(words, "3", f"finished(content='{said}')", "finished", content=said))
    return {
        "version": "v1",
        "instruction": task,
        "systemPrompt": "You are a GUI agent.",
        "modelName": "ui-tars",
        "mode": "Agent",
        "logTime": 1780000000000,
        "status": "end" if words.finished else "max_loop",
        "errMsg": words.grading("error"),
        "conversations": turns,
    }


def plant(folder: Path, words: Words) -> Path:
    """Write the data of a run."""
    path = folder / "run.json"
    path.write_text(json.dumps(run_of(words)), encoding="utf-8")
    return path


def plant_page(folder: Path, words: Words) -> Path:
    """Write a report page, whose data may hold end tags, as the app does not escape them."""
    data = f'<script type="ui_tars_web_dump" type="application/json">{json.dumps(run_of(words))}\n</script>'
    path = folder / "report-1.html"
    path.write_text(f"<!doctype html>\n<html><body><script>let x = 1</script>{data}</body></html>", encoding="utf-8")
    return path


PLANTS = {
    "ui_tars_desktop": Planted(FORMAT, plant),
    "ui_tars_desktop page": Planted(FORMAT, plant_page),
}
