"""Planted AndroidLab task folders."""

from pathlib import Path
from typing import Any

from made_logs import dump, node, write_lines

from plants import Planted
from plants.mobile_agent_v3 import PIXEL
from tracewitness.intake.formats.androidlab import FORMAT
from tracewitness.testing.words import Words

NAME = "bluecoins_1_2024-05-10_12-00-00"


def turn(index: int, task: str, action: str, kwargs: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return one line of the log."""
    parsed: dict[str, Any] = {"operation": "finish" if action == "finish" else "do", "action": action}
    if kwargs is not None:
        parsed["kwargs"] = kwargs
    line = {
        "trace_id": NAME,
        "index": index,
        "prompt": task if index == 0 else "** XML **",
        "image": None,
        "xml": f"logs/evaluation/test/{NAME}/xml/{index}.xml",
        "ac_xml": None,
        "current_activity": "com.android.settings/.Settings",
        "window": [1080, 2400],
        "target": task,
        "parsed_action": parsed,
        "current_response": f"do(action={action!r})",
    }
    return {**line, **more}


def write_run(folder: Path, turns: list[dict[str, Any]], dumps: list[str | None]) -> Path:
    """Write a task folder with a dump before every step; ``dumps`` may hold one more."""
    run = folder / NAME
    for below in ("traces", "xml", "Screen"):
        (run / below).mkdir(parents=True, exist_ok=True)
    write_lines(run / "traces" / "trace.jsonl", turns)
    for at, content in enumerate(dumps):
        if content is not None:
            (run / "xml" / f"{at}.xml").write_text(content, encoding="utf-8")
    return run


def plant(folder: Path, words: Words) -> Path:
    """Write a run with a dump and a picture before every step."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("Tap", {"element": [0, 0, 90, 90]}),
        ("Type", {"text": words.evidence("typed")}),
        ("Call_API", {"instruction": words.narration("asked"), "response": words.narration("answered")}),
    ]
    if words.finished:
        calls.append(("finish", {"message": words.report("message")}))
    turns, dumps = list[dict[str, Any]](), list[str | None]()
    for at, (action, kwargs) in enumerate(calls):
        more: dict[str, Any] = {"current_response": words.narration(f"response {at}")}
        if at > 0:
            more["prompt"] = words.narration(f"prompt {at}")
        more |= {"command": {"adb shell settings": words.grading(f"command {at}")}}
        more |= {"current_activity": words.evidence(f"activity {at}")}
        more |= {"image": f"/root/logs/{NAME}/Screen/screenshot-{at}-17100{at}.5-before.png"}
        turns.append(turn(at, words.task(), action, kwargs, **more))
        dumps.append(dump(node(words.evidence(f"page {at}"), "[0,0][90,90]", clickable="true")))
    run = write_run(folder, turns, dumps)
    for at in range(len(calls)):
        (run / "Screen" / f"screenshot-{at}-17100{at}.5-before.png").write_bytes(PIXEL + bytes([at]))
    return run


PLANTS = {"androidlab": Planted(FORMAT, plant)}
