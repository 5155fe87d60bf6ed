"""Planted run folders of Mobile-Agent-E."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from plants.mobile_agent_v3 import PIXEL
from tracewitness.intake.formats.mobile_agent_e import FORMAT
from tracewitness.testing.words import Words


def perception(step: int, *infos: tuple[str, int, int]) -> dict[str, Any]:
    """Return what was recognised before a step."""
    found = [{"text": text, "coordinates": [x, y]} for text, x, y in infos]
    path = f"logs/gpt-4o/mobile_agent_E/test/1/screenshots/{step}.jpg"
    return {
        "step": step, "operation": "perception", "screenshot": path, "perception_infos": found, "duration": 1.5
    }  # fmt: skip


def action(step: int, name: str, arguments: dict[str, Any] | None, **words: str) -> dict[str, Any]:
    """Return the entry of an action."""
    given = {"name": name, "arguments": arguments}
    entry = {"step": step, "operation": "action", "action_object": given, "action_object_str": json.dumps(given)}
    return {**entry, **words, "duration": 2.0, "execution_duration": 5.0}


def write_log(folder: Path, entries: list[dict[str, Any]], pictures: int = 0) -> Path:
    """Write a run folder."""
    (folder / "screenshots").mkdir(parents=True, exist_ok=True)
    for number in range(1, pictures + 1):
        (folder / "screenshots" / f"{number}.jpg").write_bytes(PIXEL + bytes([number]))
    (folder / "steps.json").write_text(json.dumps(entries, indent=4), encoding="utf-8")
    return folder


def init(instruction: str, **more: Any) -> dict[str, Any]:
    """Return the first entry."""
    entry: dict[str, Any] = {"step": 0, "operation": "init", "instruction": instruction, "task_id": "1"}
    return {**entry, "run_name": "test", "max_itr": 40, "future_tasks": [], **more}


def finish(step: int, flag: str, pool: dict[str, Any]) -> dict[str, Any]:
    """Return the last entry."""
    return {"step": step, "operation": "finish", "finish_flag": flag, "final_info_pool": pool, "task_duration": 60.0}


def plant(folder: Path, words: Words) -> Path:
    """Write a run with words in every field."""

    def said(step: int, *names: str) -> dict[str, str]:
        return {name: words.narration(f"{name} {step}") for name in names}

    def around(step: int) -> list[dict[str, Any]]:
        planned = said(step, "prompt_planning", "thought", "plan", "current_subgoal")
        return [{"step": step, "operation": "planning", **planned, "raw_response": words.narration(f"planned {step}")}]

    def behind(step: int) -> list[dict[str, Any]]:
        reflected = said(step, "prompt_action_reflect", "outcome", "error_description", "progress_status")
        noted = said(step, "prompt_note", "important_notes")
        return [
            {"step": step, "operation": "action_reflection", **reflected, "raw_response": words.narration(f"r {step}")},
            {"step": step, "operation": "notetaking", **noted, "raw_response": words.narration(f"n {step}")},
        ]

    def screen(step: int) -> dict[str, Any]:
        text, icon = f"text: {words.evidence(f'text {step}')}", f"icon: {words.evidence(f'icon {step}')}"
        return perception(step, (text, 100, 200), (icon, 500, 700))

    told = ("prompt_action", "raw_response", "action_thought", "action_description")
    retrieved = said(-1, "original_tips", "experience_retrieval_tips_prompt", "selected_tips")
    typed = {"x": 100, "y": 200, "text": words.evidence("typed")}
    entries = [
        {"step": -1, "operation": "experience_retrieval", **retrieved},
        init(words.task(), init_info_pool=said(0, "tips", "shortcuts")),
        screen(1), *around(1), action(1, "Tap", {"x": 500, "y": 700}, **said(1, *told)),
        screen(2), *behind(1), *around(2), action(2, "Tap_Type_and_Enter", typed, **said(2, *told)),
        screen(3), *behind(2),
    ]  # fmt: skip
    pool = said(3, "plan", "progress_status", "important_notes")
    if words.finished:
        learned = said(3, "prompt_knowledge", "new_shortcut", "updated_tips")
        entries += [*around(3), {"step": 3, "operation": "experience_reflection", **learned}]
        entries.append(finish(3, "success", {**pool, "finish_thought": words.report("finish thought")}))
    else:
        entries.append(finish(3, "max_iteration", pool))
    return write_log(folder / "test" / "1", entries, pictures=3)


PLANTS = {"mobile_agent_e": Planted(FORMAT, plant)}
