"""Planted browser-use histories."""

import base64
import json
from pathlib import Path
from typing import Any

from made_logs import browser_round, browser_use, prompt_of_round

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


def plant_nested(folder: Path, words: Words) -> Path:
    """Write a history of 0.1 to 0.2: the agent's words nested, pictures in the log, no prompt and so no task."""

    def state(at: int) -> dict[str, str]:
        return {key: words.narration(f"{key} {at}") for key in ("evaluation_previous_goal", "memory", "next_goal")}

    first = nested_round(1, state(1), [{"go_to_url": {"url": words.evidence("address")}}], words)
    first["result"] = [
        {"is_done": False, "extracted_content": words.evidence("result"), "include_in_memory": True},
    ]
    second = nested_round(2, state(2), [{"click_element": {"index": 3, "xpath": words.evidence("xpath")}}], words)
    second["result"] = [{"is_done": False, "error": words.evidence("error"), "include_in_memory": True}]
    second["state"]["interacted_element"] = [
        {
            "tag_name": "a",
            "xpath": "html/body/a",
            "highlight_index": 3,
            "attributes": {"aria-label": words.evidence("a")},
        }
    ]
    third = nested_round(3, state(3), [{"extract_content": {"goal": words.narration("extraction goal")}}], words)
    third["result"] = [{"is_done": False, "extracted_content": words.narration("extracted"), "include_in_memory": True}]
    rounds = [first, second, third]
    if words.finished:
        last = nested_round(4, state(4), [{"done": {"text": words.report("done.text"), "success": True}}], words)
        last["result"] = [{"is_done": True, "success": True, "extracted_content": words.report("final")}]
        rounds.append(last)
    return browser_use(folder / "AgentHistory.json", rounds)


def nested_round(at: int, state: dict[str, str], actions: list[dict[str, Any]], words: Words) -> dict[str, Any]:
    page = {"url": words.evidence(f"url {at}"), "title": words.evidence(f"title {at}")}
    other = {"page_id": 1, "url": words.evidence(f"tab url {at}"), "title": words.evidence(f"tab {at}")}
    return {
        "model_output": {"current_state": state, "action": actions},
        "result": [],
        "state": {
            **page,
            "tabs": [{"page_id": 0, **page, "parent_page_id": None}, other],
            "interacted_element": [None] * len(actions),
            "screenshot": base64.b64encode(PNG).decode(),
        },
        "metadata": {"step_start_time": 1.7e9 + at, "step_end_time": 1.7e9 + at, "input_tokens": 9, "step_number": at},
    }


def plant_pre_release(folder: Path, words: Words) -> Path:
    """Write a history of the pre-release: one action and one result a round, as objects."""

    def one(at: int, action: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
        state = {key: words.narration(f"{key} {at}") for key in ("valuation_previous_goal", "memory", "next_goal")}
        page: dict[str, Any] = {
            "items": words.evidence(f"items {at}"),
            "url": words.evidence(f"url {at}"),
            "title": "t",
            "tabs": [],
        }
        return {"model_output": {"current_state": state, "action": action}, "result": result, "state": page}

    typing = {"input_text": {"index": 1, "text": words.evidence("typed")}, "done": None}
    rounds = [one(1, typing, {"is_done": False, "extracted_content": words.evidence("result"), "error": None})]
    if words.finished:
        done = {"input_text": None, "done": {"text": words.report("done.text")}}
        final = {"is_done": True, "extracted_content": words.report("final"), "error": None}
        rounds.append(one(2, done, final))
    return browser_use(folder / "AgentHistory.json", rounds)


def plant_conversations(folder: Path, words: Words) -> Path:
    """Write a folder of conversations."""

    def write(number: int, actions: list[dict[str, Any]]) -> None:
        said = {key: words.narration(f"{key} {number}") for key in (*_OUTPUT[:4], "past", "todo")}
        past, todo = (said.pop(key) for key in ("past", "todo"))
        told = {"past": "Agent initialized" if number == 1 else past, "todo": "" if number == 1 else todo}
        page = words.evidence(f"page {number}")
        prompt = prompt_of_round(number, {"task": words.task(), "page": page, **told})
        answer = json.dumps({**said, "action": actions}, indent=2, ensure_ascii=False)
        system = "You are an agent.\n<browser_state>\nHow to read it.\n</browser_state>"
        text = f" system \n{system}\n\n user \n{prompt}\n\n{answer}"
        (folder / f"conversation_06b0d337-47d4_{number}.txt").write_text(text, encoding="utf-8")

    write(1, [{"navigate": {"url": words.evidence("address")}}])
    note = {"write_file": {"file_name": words.evidence("file"), "content": words.narration("note")}}
    write(2, [note, {"click": {"index": 2}}])
    write(3, [{"done": {"text": words.report("done.text"), "success": True}}] if words.finished else [{"wait": {}}])
    return folder


PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)

PLANTS = {
    "browser_use": Planted(FORMAT, plant),
    "browser_use 0.2": Planted(FORMAT, plant_nested, "Open the cart"),
    "browser_use pre-release": Planted(FORMAT, plant_pre_release, "Open the cart"),
    "browser_use conversations": Planted(FORMAT, plant_conversations),
}
