"""Planted task folders of UFO."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from plants.osworld import picture
from tracewitness.intake.formats.ufo import FORMAT
from tracewitness.testing.words import Words

Line = dict[str, Any]


def _screens(folder: Path, words: Words, steps: int, last: str) -> None:
    trees = folder / "ui_trees"
    trees.mkdir()
    for number in range(steps):
        picture(folder / f"action_step{number}.png", number)
        tree: Line = {"name": words.evidence(f"tree {number}"), "control_type": "Window", "children": []}
        (trees / f"ui_tree_step{number}.json").write_text(json.dumps(tree), encoding="utf-8")
    picture(folder / last, 99)


def _written(folder: Path, words: Words, lines: list[Line]) -> Path:
    (folder / "response.log").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (folder / "request.log").write_text(json.dumps({"prompt": words.narration("prompt")}), encoding="utf-8")
    (folder / "evaluation.log").write_text(json.dumps({"complete": words.grading("complete")}), encoding="utf-8")
    (folder / "output.md").write_text(words.narration("output"), encoding="utf-8")
    return folder


def plant(folder: Path, words: Words) -> Path:
    """Write a run of UFO3: a host agent that hands its task to an app agent, and ends it."""

    def said(about: str) -> Line:
        keys = ("observation", "thought", "comment", "message", "subtask")
        return {key: words.narration(f"{key} {about}") for key in keys} | {"plan": [words.narration(f"plan {about}")]}

    def line(step: int, agent: str, status: str, **fields: Any) -> Line:
        common = {"agent_type": agent, "agent_name": agent, "session_step": step, "round_step": step, "round_num": 0}
        shot = f"logs\\task\\action_step{step}.png"
        return {**common, "status": status, "request": words.task(), "clean_screenshot_path": shot, **fields}

    returned = {"status": "success", "error": "", "result": words.evidence("returned")}
    action = {
        "function": "set_edit_text",
        "arguments": {"text": words.evidence("typed")},
        "target": {"kind": "control", "id": "5", "name": words.evidence("control"), "type": "Edit"},
        "result": returned,
        "action_string": "set_edit_text(...)",
        "action_representation": words.narration("representation"),
        "status": "CONTINUE",
    }
    broken = {
        "function": "click_input",
        "arguments": {},
        "result": {"status": "failure", "error": words.evidence("error")},
    }
    noted = {
        "function": "summary",
        "arguments": {"text": words.narration("summary")},
        "result": {"result": words.narration("noted")},
    }
    chosen = {"function": "select_application_window", "arguments": {"id": "1", "name": words.evidence("window")}}
    lines = [
        line(0, "HostAgent", "ASSIGN", **said("host"), current_subtask=words.narration("current"), **chosen),
        line(
            1, "AppAgent", "CONTINUE", **said("1"), action=[action, broken], action_success=[words.narration("success")]
        ),
        line(2, "AppAgent", "FINISH", **said("2"), action=noted, result=words.narration("app result")),
    ]
    if words.finished:
        told = {key: words.report(key) for key in ("comment", "result")}
        lines.append(line(3, "HostAgent", "FINISH", thought=words.narration("last thought"), **told))
    _screens(folder, words, len(lines), "action_step_final.png")
    return _written(folder, words, lines)


def plant_first(folder: Path, words: Words) -> Path:
    """Write a run of UFO v1, whose one agent ends it with its last action."""

    def line(step: int, status: str, function: str, **fields: Any) -> Line:
        keys = ("Observation", "Thought")
        told: Line = {key: words.narration(f"{key} {step}") for key in keys}
        acted = {"Function": function, "Action": f"{function}(...)", "ActionType": "UIControl", "ControlLabel": "3"}
        return (
            {"Step": step, "Round": 0, "Agent": "AppAgent", "Request": words.task(), "Status": status}
            | told
            | acted
            | fields
        )

    typed = {
        "Args": {"keys": words.evidence("keys")},
        "ControlText": words.evidence("control"),
        "Plan": [words.narration("plan")],
    }
    results = [{"status": "CONTINUE", "error": "", "return_value": words.evidence("returned")}]
    lines = [
        line(0, "CONTINUE", "keyboard_input", **typed, Results=results, Comment=words.narration("comment")),
        line(1, "CONTINUE", "texts", Args={}, ControlText="Title", Results=words.evidence("read")),
    ]
    if words.finished:
        lines.append(line(2, "FINISH", "", Comment=words.report("comment")))
    _screens(folder, words, len(lines), "action_round_0_final.png")
    return _written(folder, words, lines)


PLANTS = {"ufo": Planted(FORMAT, plant), "ufo v1": Planted(FORMAT, plant_first)}
