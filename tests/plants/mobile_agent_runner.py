"""Planted trajectories of the AndroidWorld runners."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from plants.mobile_agent_v3 import PIXEL
from tracewitness.intake.formats.mobile_agent_runner import FORMAT
from tracewitness.testing.words import Words


def write_run(folder: Path, actions: list[dict[str, Any]], *, owl: bool = False, pictures: int | None = None) -> Path:
    """Write a trajectory; by default with the pictures that its runner takes."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [{"name": "mobile_use", "arguments": action} if owl else action for action in actions]
    written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / "action.jsonl").write_text(written, encoding="utf-8")
    taken = len(actions) if owl or actions[-1]["action"] == "done" else len(actions) + 1
    for number in range(taken if pictures is None else pictures):
        (folder / f"screenshot_{number}.png").write_bytes(PIXEL + bytes([number]))
    return folder


def _actions(words: Words) -> list[dict[str, Any]]:
    return [
        {"action": "open", "text": words.evidence("app")},
        {"action": "click", "coordinate": [178, 119]},
        {"action": "type", "text": words.evidence("typed")},
    ]


def plant_answer(folder: Path, words: Words) -> Path:
    """Write a run of Mobile-Agent-v3 that answers."""
    answer = [{"action": "answer", "text": words.report("answer")}] if words.finished else []
    run = write_run(folder / "ContactsAdd", [*_actions(words), *answer])
    (run / "task.txt").write_text(words.task(), encoding="utf-8")
    return run


def plant_owl(folder: Path, words: Words) -> Path:
    """Write a run of GUI-Owl that answers and is then ended by its runner."""
    end = {"action": "terminate", "status": "success"}
    ending: list[dict[str, Any]] = [{"action": "answer", "text": words.report("answer")}, end] if words.finished else []
    return write_run(folder / "ContactsAdd", [*_actions(words), *ending], owl=True)


PLANTS = {
    "mobile_agent_runner": Planted(FORMAT, plant_answer),
    "mobile_agent_runner GUI-Owl": Planted(FORMAT, plant_owl, task="Switch on the light"),
}
