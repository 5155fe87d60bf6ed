"""Planted Playwright traces."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from made_traces import Made, page, unpacked, zipped

from plants import Planted
from tracewitness.intake.formats.playwright import FORMAT
from tracewitness.testing.words import Words


def members(words: Words, version: int) -> dict[str, bytes]:
    """Return the files of a trace with words in every field that a recorder or the author of a program fills."""
    made = Made(version, title=words.narration("title"))
    made.event("page", pageId="page@1", openerPageId="page@0")
    form: list[Any] = [
        "FORM",
        {},
        ["LABEL", {"for": "n"}, words.evidence("label")],
        ["INPUT", {"id": "n", "__playwright_value_": words.evidence("value"), "__playwright_target__": ""}],
        ["BUTTON", {"aria-label": words.evidence("button")}, "x"],
    ]
    first = page(words.evidence("title of the page"), ["H1", {}, words.evidence("heading")], form)
    made.call("goto", {"url": words.evidence("address")}, after=first, url=words.evidence("page url"))
    made.request("POST", f"http://shop.test/{words.evidence('path')}", 500)
    made.call(
        "tracingGroup", {"name": words.narration("group")}, class_name="Tracing", done=False
    )  # the author's own words
    described = f'internal:role=button >> internal:describe="{words.narration("described", plain=True)}"'
    typed = {"selector": described, "value": words.evidence("typed")}
    made.call("fill", typed, before=[[1, 12]], action=[[2, 12]], after=[[3, 12]])
    made.event("dialog", type="confirm", message=words.evidence("dialog"))
    made.console("error", words.evidence("console") if version >= 5 else "x")
    made.event("download", suggestedFilename=words.evidence("file"))
    made.event("pageError", error={"error": {"message": words.evidence("page error"), "name": "Error"}})
    said = words.narration("script")
    made.call("evaluateExpression", {"expression": said}, before=first, after=page("x", words.evidence("drawn")))
    made.call("expect", {"expectedText": [{"string": words.grading("expected")}]}, done=False)
    made.picture()
    made.call(
        "click",
        {"selector": f'internal:role=button[name="{words.evidence("named")}"i]'},
        before=page("Shop", words.evidence("last text")),
        after=page("Shop", ["P", {"role": "status"}, words.evidence("status")]),
        error=words.evidence("error"),
        done=False,
    )
    made.picture()
    files = made.members()
    runner: list[Any] = [
        {"type": "context-options", "version": version, "origin": "testRunner", "title": words.grading("test")},
        {"type": "before", "callId": "t1", "class": "Test", "method": "expect", "title": words.grading("step")},
        {"type": "after", "callId": "t1", "attachments": [{"name": words.grading("attachment")}]},
        {"type": "error", "message": words.grading("failure")},
        {"type": "stdout", "text": words.narration("printed")},
    ]
    files["test.trace"] = "".join(json.dumps(one) + "\n" for one in runner).encode()
    return files


def _sidecars(folder: Path, words: Words) -> None:
    folder.joinpath("task.txt").write_text(words.task(), "utf-8")
    if words.finished:
        folder.joinpath("report.txt").write_text(words.report("report.txt"), "utf-8")


def plant_zip(folder: Path, words: Words, version: int) -> Path:
    """Write a trace.zip with its task and report beside it."""
    _sidecars(folder, words)
    return zipped(folder / "trace.zip", members(words, version))


def plant_folder(folder: Path, words: Words) -> Path:
    """Write an unpacked trace."""
    _sidecars(folder, words)
    return unpacked(folder, members(words, 10))


PLANTS = {
    "playwright_3": Planted(FORMAT, partial(plant_zip, version=3)),
    "playwright_6": Planted(FORMAT, partial(plant_zip, version=6)),
    "playwright_8": Planted(FORMAT, partial(plant_zip, version=8)),
    "playwright_10": Planted(FORMAT, partial(plant_zip, version=10)),
    "playwright_unpacked": Planted(FORMAT, plant_folder),
}
