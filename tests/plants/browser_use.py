"""Planted browser-use histories."""

from pathlib import Path
from typing import Any

from made_logs import browser_round, browser_use

from plants import Planted
from tracewitness.intake.formats.browser_use import FORMAT
from tracewitness.testing.words import Words

_OUTPUT = ("evaluation_previous_goal", "memory", "next_goal", "thinking", "past", "todo")


def plant(folder: Path, words: Words) -> Path:
    """Write a history of the current generation."""

    def said(at: int) -> dict[str, str]:
        told = {key: words.narration(f"{key} {at}", plain=key in ("past", "todo")) for key in _OUTPUT}
        return told if at > 1 else {**told, "past": "Agent initialized", "todo": ""}

    notes = {"write_file": {"file_name": words.evidence("file"), "content": words.narration("note")}}
    actions: list[dict[str, Any]] = [{"navigate": {"url": words.evidence("address")}}, notes]
    results: list[dict[str, Any]] = [
        {"extracted_content": words.evidence("result"), "long_term_memory": words.narration("remembered")},
        {"error": words.evidence("error")},
    ]
    rounds = [
        browser_round(1, actions, results, page=words.evidence("page 1"), task=words.task(), **said(1)),
        browser_round(2, [{"click": {"index": 2}}], [{}], page=words.evidence("page 2"), task=words.task(), **said(2)),
    ]
    if words.finished:
        done = {"done": {"text": words.report("done.text"), "success": True}}
        final: dict[str, Any] = {"is_done": True, "success": True, "extracted_content": words.report("final")}
        final |= {"judgement": {"reasoning": words.grading("judgement")}}
        page = words.evidence("page 3")
        rounds.append(browser_round(3, [done], [final], page=page, task=words.task(), **said(3)))
    return browser_use(folder / "AgentHistory.json", rounds)


PLANTS = {"browser_use": Planted(FORMAT, plant)}
