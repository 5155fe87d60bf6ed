"""Planted Midscene dumps and report pages."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.midscene import FORMAT
from tracewitness.testing.words import Words

PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=="
)


def shot(name: str = "shot") -> dict[str, Any]:
    return {"type": "midscene_screenshot_ref", "id": name, "mimeType": "image/png", "storage": "inline"}


def task(kind: str, sub: str, **more: Any) -> dict[str, Any]:
    context = {"size": {"width": 9, "height": 9}, "screenshot": shot()}
    recorder = [{"type": "screenshot", "ts": 1, "screenshot": shot(), "timing": "after-calling"}]
    started = {"start": 1766481375768, "end": 1766481383812, "cost": 1}
    told = {"status": "finished", "type": kind, "subType": sub, "timing": started, "recorder": recorder}
    return {**told, "uiContext": context, **more}


def plan(words: Words, about: str, **output: Any) -> dict[str, Any]:
    return task(
        "Planning",
        "Plan",
        param={"userInstruction": words.task()},
        log={"rawResponse": words.narration(f"raw response {about}")},
        thought=words.narration(f"thought {about}"),
        reasoning_content=words.narration(f"reasoning {about}"),
        output={"log": words.narration(f"log {about}"), "more_actions_needed_by_instruction": True, **output},
    )


def dump(words: Words) -> dict[str, Any]:
    """Return a dump with words in every field."""
    located = {"center": [4, 4], "description": words.evidence("description")}
    acted = {"value": words.evidence("typed"), "locate": located, "thought": words.narration("argument")}
    seen = {"screenshot": shot(), "tree": {"node": {"content": words.evidence("tree")}}, "url": words.evidence("url")}
    tasks: list[dict[str, Any]] = [
        plan(words, "1"),
        task("Planning", "Locate", param={"prompt": "x"}, output={"element": located}, thought=words.narration("l")),
        task("Action Space", "Input", param=acted, uiContext=seen),
        task("Action Space", "Launch", param=words.evidence("app")),
        task("Insight", "Assert", output=True, thought=words.narration("assertion"), log={"x": words.narration("i")}),
        task("Action Space", "Tap", status="failed", param={"locate": located}, errorMessage=words.evidence("error")),
    ]
    if words.finished:
        said = {"condition": words.report("condition"), "thought": words.report("asserted"), "result": True}
        final = plan(words, "end", more_actions_needed_by_instruction=False, log=words.report("log"))
        tasks += [final, task("Action Space", "Print_Assert_Result", param=said)]
    execution = {"logTime": 1, "name": "Action - x", "tasks": tasks}
    return {"sdkVersion": "1.0.3", "groupName": words.grading("group", plain=True), "executions": [execution]}


def plant(folder: Path, words: Words) -> Path:
    """Write a dump with its images."""
    path = folder / "made.json"
    path.write_text(json.dumps({"dump": dump(words), "images": {"shot": PICTURE}}, indent=1), encoding="utf-8")
    return path


def page(held: dict[str, Any], images: dict[str, str]) -> str:
    """Return a report page, whose program names the marks as well."""
    told = json.dumps(held).replace("<", "__midscene_lt__").replace(">", "__midscene_gt__")
    pictures = "".join(
        f'<script type="midscene-image" data-id="{name}">{data}</script>\n' for name, data in images.items()
    )
    return (
        "<!doctype html>\n<html><head><script>const tag = 'type=\"midscene_web_dump\"';</script></head><body>\n"
        f'{pictures}<script type="midscene_web_dump" type="application/json" data-group-id="g">\n{told}\n</script>\n'
        "</body></html>\n"
    )


def plant_page(folder: Path, words: Words) -> Path:
    """Write a report page."""
    path = folder / "made.html"
    path.write_text(page(dump(words), {"shot": PICTURE}), encoding="utf-8")
    return path


PLANTS = {"midscene": Planted(FORMAT, plant), "midscene_page": Planted(FORMAT, plant_page)}
