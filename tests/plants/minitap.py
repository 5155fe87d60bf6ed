"""Planted trace folders of mobile-use."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.minitap import FORMAT
from tracewitness.testing.words import Words

NAME = "wifi_PASS_2026-01-31T12-00-00"


def message(at: int, content: str, kind: str = "ai", **more: Any) -> dict[str, Any]:
    """Return one record."""
    held: dict[str, Any] = {"content": content, "additional_kwargs": {}, "type": kind, "name": None, "id": None, **more}
    return {"timestamp": 1796027254 + at, "data": json.dumps(held)}


def thoughts(at: int, agent: str, *told: str) -> dict[str, Any]:
    """Return the record of an agent's thoughts."""
    return message(at, str([f"[{agent}] {one}" for one in told]))


def write_run(folder: Path, records: list[dict[str, Any]], task: str | None = None, name: str = NAME) -> Path:
    """Write a trace folder."""
    run = folder / name
    run.mkdir(parents=True, exist_ok=True)
    (run / "steps.json").write_text(json.dumps(records), encoding="utf-8")
    if task is not None:
        (run / "task.txt").write_text(task, encoding="utf-8")
    return run


def plant_thoughts(folder: Path, words: Words) -> Path:
    """Write a trace of thoughts, with the sentences of the tools among them."""
    tapped = f"Tap on element with text='{words.evidence('tapped')}' (index=0) was successful."
    typed = f"Typed '{words.evidence('typed')}'\nHere is the whole content: '{words.evidence('field')}'"
    records = [
        thoughts(0, "planner", words.narration("plan")),
        thoughts(1, "orchestrator", f"Starting the first subgoal: {words.narration('subgoal')}"),
        thoughts(2, "cortex", words.narration("decision")),
        thoughts(3, "executor", words.narration("why tap"), tapped),
        thoughts(4, "executor", words.narration("why type"), typed),
        thoughts(5, "executor", words.narration("why back")),
        thoughts(6, "cortex", words.narration("goals completion")),
    ]
    if words.finished:
        records.append(thoughts(7, "orchestrator", words.report("reason")))
    return write_run(folder, records, words.task())


def plant_calls(folder: Path, words: Words) -> Path:
    """Write a trace with calls of tools and their messages."""

    def called(at: int, name: str, **arguments: Any) -> dict[str, Any]:
        told = {"agent_thought": words.narration(f"agent_thought {at}"), **arguments}
        call = {"name": name, "args": told, "id": f"call_{at}", "type": "tool_call"}
        return message(at, words.narration(f"content {at}"), tool_calls=[call])

    records = [
        called(1, "tap", target={"text": words.evidence("target"), "resource_id": None}),
        message(2, words.evidence("tapped"), "tool", tool_call_id="call_1", status="success"),
        called(3, "focus_and_input_text", text=words.evidence("typed"), target={"resource_id": "field"}),
        message(4, words.evidence("failed"), "tool", tool_call_id="call_3", status="error"),
        thoughts(5, "cortex", words.narration("decision")),
    ]
    if words.finished:
        records.append(thoughts(6, "orchestrator", words.report("reason")))
    return write_run(folder, records, words.task())


PLANTS = {"minitap": Planted(FORMAT, plant_thoughts), "minitap calls": Planted(FORMAT, plant_calls)}
