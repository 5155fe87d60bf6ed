"""Planted run folders of Mobile-Agent-v3."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.mobile_agent_v3 import FORMAT
from tracewitness.testing.words import Words

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018dd8db0"
    "0000000049454e44ae426082"
)
REQUEST = "You are an agent.\n\n### User Request ###\n{task}\n\n---\n{rest}"


def role(folder: Path, step: int, name: str, response: str, prompt: str) -> None:
    """Write what one role answered at one step."""
    content = [{"type": "text", "text": prompt}]
    record = {
        "name": name,
        "messages": [{"role": "user", "content": content}],
        "response": response,
        "step_id": step,
    }
    path = folder / f"step_{step}" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=4), encoding="utf-8")


def picture(folder: Path, number: int) -> None:
    """Write the picture with a number; each has bytes of its own."""
    path = folder / "images" / f"screenshot_2026-03-12-{950 + number}-0000000{number}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(PIXEL + bytes([number]))


def result(folder: Path, goal: str, hit_step_limit: float = 0.0) -> None:
    """Write ``task_result.json``."""
    record = {"goal": goal, "finish_dtime": "2026-03-12 00:18:39.038459", "hit_step_limit": hit_step_limit}
    (folder / "task_result.json").write_text(json.dumps(record, indent=4), encoding="utf-8")


def _plant(words: Words, folder: Path, *, python: bool, answers: bool) -> Path:
    run = folder / "20260312_001556_Switch_on"
    actions: list[dict[str, Any]] = [
        {"action": "click", "coordinate": [178, 1190]},
        {"action": "type", "text": words.evidence("typed")},
    ]

    def said(name: str, at: int) -> str:
        return words.narration(f"{name} {at}")

    for at, action in enumerate(actions, 1):
        prompt = REQUEST.format(task=words.task(), rest=said("prompt", at))
        role(run, at, "manager", f"### Thought ###\n{said('thought', at)}\n\n### Plan ###\n{said('plan', at)}", prompt)
        written = str(action) if python else json.dumps(action)
        response = f"### Thought ###\n{said('why', at)}\n\n### Action ###\n{written}\n\n### Description ###\n"
        role(run, at, "operator", response + said("description", at), prompt)
        role(run, at, "reflector", f"### Outcome ###\nA\n\n### Error Description ###\n{said('outcome', at)}", prompt)
        role(run, at, "notekeeper", f"### Important Notes ###\n{said('notes', at)}", prompt)
        picture(run, at)
    picture(run, 3)
    if words.finished:
        prompt = REQUEST.format(task=words.task(), rest=said("prompt", 3))
        told = words.report("last", plain=python)
        if answers:
            role(run, 3, "manager", f"### Thought ###\n{said('thought', 3)}\n\n### Plan ###\n{said('plan', 3)}", prompt)
            action = {"action": "answer", "text": told}
            written = str(action) if python else json.dumps(action)
            role(
                run,
                3,
                "operator",
                f"### Thought ###\nyes\n\n### Action ###\n{written}\n\n### Description ###\n",
                prompt,
            )
        else:
            role(run, 3, "manager", f"### Thought ###\n{told}\n\n### Plan ###\nFinished", prompt)
        result(run, words.task())
    return run


def plant_finished(folder: Path, words: Words) -> Path:
    """Write a run that its manager ends."""
    return _plant(words, folder, python=False, answers=False)


def plant_answer(folder: Path, words: Words) -> Path:
    """Write a run that ends with an answer, its actions as Python writes a dict."""
    return _plant(words, folder, python=True, answers=True)


PLANTS = {
    "mobile_agent_v3": Planted(FORMAT, plant_finished),
    "mobile_agent_v3 answer": Planted(FORMAT, plant_answer),
}
