"""Planted run folders of the traj.jsonl family."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

from plants import Planted
from tracewitness.intake.formats.osworld import FORMAT
from tracewitness.testing.words import Words

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001"
    "f61738550000000049454e44ae426082"
)
"""A picture of one pixel; bytes behind its end make each one differ."""

TASK = "Switch on the dark mode"

Lines = list[dict[str, Any]]


def picture(path: Path, number: int) -> str:
    """Write a picture and return its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(PNG + bytes([number]))
    return path.name


def _line(folder: Path, words: Words, number: int, action: Any, **fields: Any) -> dict[str, Any]:
    """Return a line as the common runner writes it."""
    stamp = f"20260501@1200{number:02}000000"
    return {
        "step_num": number,
        "action_timestamp": stamp,
        "action": action,
        **fields,
        "reward": words.grading(f"reward {number}"),
        "done": False,
        "info": {"note": words.grading(f"info {number}")},
        "screenshot_file": picture(folder / f"step_{number}_{stamp}.png", number),
    }


def _written(folder: Path, words: Words, lines: Lines) -> Path:
    (folder / "traj.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (folder / "result.txt").write_text(words.grading("score"), encoding="utf-8")
    (folder / "runtime.log").write_text(words.narration("runtime log"), encoding="utf-8")
    return folder


def plant_pyautogui(folder: Path, words: Words) -> Path:
    """Write a run of a model that answers with pyautogui code, several calls in one snippet."""
    comment = f"# {words.narration('comment', plain=True)}"
    typed = f"{comment}\npyautogui.click(10, 20)\npyautogui.write({words.evidence('typed')!r})"
    said = {one: repr(words.narration(one)) for one in ("printed", "raised", "asserted", "kept", "returned")}
    talking = (
        f"text = {said['kept']}\nprint(text, {said['printed']}.upper())\n"
        f"def go():\n    return {said['returned']}\ngo()\n"
        f"if not open({words.evidence('opened')!r}):\n    raise ValueError({said['raised']})\n"
        f"assert 1, {said['asserted']}\nos.system({'echo ' + shlex.quote(words.narration('run'))!r})"
    )
    lines = [
        _line(folder, words, 1, typed, response=words.narration("response 1")),
        _line(folder, words, 2, "pyautogui.hotkey('ctrl', 's')", response=words.narration("response 2")),
        _line(folder, words, 3, talking, response=words.narration("response 3")),
    ]
    if words.finished:
        lines.append(_line(folder, words, 4, "DONE", response=words.report("response")))
    return _written(folder, words, lines)


def plant_ui_tars(folder: Path, words: Words) -> Path:
    """Write a run of UI-TARS, whose code repeats its thought as a string; the instruction stands in every line."""

    def code(about: str, call: str) -> str:
        seen, thought = words.narration(f"observation {about}"), words.narration(f"thought {about}")
        told = f"Observation:\n{seen}\n\nThought:\n{thought}"
        return f"import pyautogui\nimport time\n'''\n{told}\n'''\n{call}"

    paste = f"import pyperclip\npyperclip.copy('{words.evidence('pasted')}')\npyautogui.hotkey('ctrl', 'v')\n"
    said = f"Thought: {words.narration('response 1')}\nAction: click(start_box='(10,20)')"
    lines = [
        _line(folder, words, 1, code("1", "\npyautogui.click(10.5, 20.1, button='left')"), response=said),
        _line(folder, words, 2, code("2", paste), response=words.narration("response 2")),
    ]
    if words.finished:
        last = f"Thought: {words.narration('last thought')}\nAction: finished(content='{words.report('content')}')"
        lines.append(_line(folder, words, 3, "DONE", response=last))
    return _written(folder, words, [{**line, "instruction": words.task()} for line in lines])


def plant_agent_s(folder: Path, words: Words) -> Path:
    """Write a run of Agent-S, which merges all that it knows into every line."""

    def info(about: str, said: Callable[[str], str]) -> dict[str, Any]:
        keys = ("plan", "executor_plan", "plan_code", "reflection", "reflection_thoughts", "code_agent_output")
        return {key: said(f"{key} {about}") for key in keys} | {"num_input_tokens": 3}

    (folder / "instruction.txt").write_text(words.task(), encoding="utf-8")
    picture(folder / "step_0.png", 0)
    code = f"import pyautogui; pyautogui.click(5, 6); pyautogui.typewrite({words.evidence('typed')!r})"
    handed = {**info("2", words.narration), "code_agent_output": _coding(words)}
    lines = [
        {**info("1", words.narration), **_line(folder, words, 1, code)},
        {**handed, **_line(folder, words, 2, "import time; time.sleep(2.222)")},
    ]
    if words.finished:
        lines.append({**info("3", words.report), **_line(folder, words, 3, "DONE")})
    return _written(folder, words, lines)


def _coding(words: Words) -> dict[str, Any]:
    """Return what Agent-S3 keeps of a coding agent: what it ran, among what it thought and what it came to."""
    ran = f"open({words.evidence('file')!r}, 'w').write({words.evidence('written')!r})"
    blocks = (f"```python\n{ran}\n```", f"```bash\nmv a {quote(words.evidence('moved'))}\n```", "DONE")
    history = [
        {
            "step": at,
            "action": f"{words.narration(f'said {at}')}\n{block}",
            "thoughts": words.narration(f"thoughts {at}"),
        }
        for at, block in enumerate(blocks, 1)
    ]
    return {"task_instruction": words.narration("handed over"), "summary": words.narration("summary")} | {
        "completion_reason": "DONE",
        "execution_history": history,
        "steps_executed": 3,
    }


def plant_anthropic(folder: Path, words: Words) -> Path:
    """Write a run of Anthropic's computer use, where each action carries the whole response."""

    def action(about: str, **given: Any) -> dict[str, Any]:
        raw = words.narration(f"raw {about}")
        called = {"name": "computer", "input": given, "id": f"toolu_{about}", "action_type": "tool_use"}
        return {**called, "command": "pyautogui.sleep(0.1)\n", "raw_response": raw}

    typed = action("2", action="type", text=words.evidence("typed"))
    lines = [
        _line(
            folder, words, 1, action("1", action="left_click", coordinate=[3, 4]), response=words.narration("said 1")
        ),
        _line(folder, words, 2, typed, response=words.narration("said 2")),
    ]
    if words.finished:
        ended = {"action_type": "DONE", "raw_response": words.report("raw")}
        lines.append(_line(folder, words, 3, ended, response=words.report("said")))
    return _written(folder, words, lines)


def plant_openai(folder: Path, words: Words) -> Path:
    """Write a run of OpenAI's computer use, whose final message is not logged, with an answer of a tool server."""
    code = f"import pyautogui\npyautogui.typewrite({words.evidence('typed')!r})"
    action: dict[str, Any] = {"action_space": "pyautogui", "action": code, "pending_checks": [], "call_id": "call_1"}
    served = {"exec_ok": True, "exec_result": {"ok": True, "result": words.evidence("tool result")}}
    called = f"MCP:calc.set_cell:{json.dumps({'cell': 'A1', 'value': words.evidence('cell')})}"
    printed = words.narration("printed")
    ran = f"MCP:os.run_python:{json.dumps({'code': f'print({printed!r})'})}"
    output = {"exec_ok": True, "exec_result": {"result": f"{printed}\n{words.evidence('output')}"}}
    lines = [
        _line(folder, words, 1, action),
        _line(folder, words, 2, called, **served, parsed_action={"thought": words.narration("parsed")}),
        _line(folder, words, 3, ran, **output),
    ]
    if words.finished:
        lines.append(_line(folder, words, 4, {**action, "action": "FAIL"}, response=words.report("last")))
    return _written(folder, words, lines)


def plant_computer_13(folder: Path, words: Words) -> Path:
    """Write a run in the action space computer_13, ended by an error of the runner where the agent never ended."""
    typed = {"action_type": "TYPING", "parameters": {"text": words.evidence("typed")}}
    lines = [
        _line(folder, words, 1, {"action_type": "CLICK", "x": 1, "y": 2, "button": "left"}, response="CLICK"),
        _line(folder, words, 2, typed, response={"thought": words.narration("thought")}),
    ]
    if words.finished:
        lines.append(_line(folder, words, 3, {"action_type": "DONE"}, response={"text": words.report("text")}))
    else:
        lines.append({"Error": words.grading("error")})
    return _written(folder, words, lines)


def plant_mobile_agent(folder: Path, words: Words) -> Path:
    """Write a run of Mobile-Agent-v3 on a desktop: no response, a status of every step."""
    picture(folder / "step_0_20260501@120000.png", 0)
    lines = [_line(folder, words, 1, f"pyautogui.write({words.evidence('typed')!r})", step_status=True)]
    if words.finished:
        lines.append(_line(folder, words, 2, "DONE", step_status=True))
    return _written(folder, words, lines)


def plant_waa(folder: Path, words: Words) -> Path:
    """Write a run of WindowsAgentArena: the observation before each action in its line, the last one in no line."""

    def tree(about: str, number: int) -> str:
        name = f"accessibility_tree-step_{number}_20260501@12000{number}.txt"
        shown = f'<desktop><item name="{words.evidence(about)}"/></desktop>'
        (folder / name).write_text(shown, encoding="utf-8")
        return name

    def line(number: int, action: str, said: Callable[[str], str]) -> dict[str, Any]:
        stamp = f"20260501@12000{number}"
        question = f"user_question-step_{number}_{stamp}.txt"
        (folder / question).write_text(words.narration(f"question {number}"), encoding="utf-8")
        shot = picture(folder / "screenshot" / f"screenshot-step_{number}_{stamp}.png", number)
        return {
            "step_num": number + 1,
            "action_timestamp": stamp,
            "action": action,
            "screenshot": f"screenshot/{shot}",
            "accessibility_tree": tree(f"tree {number}", number),
            "instruction": words.task(),
            "window_title": words.evidence(f"title {number}"),
            "window_rect": [0, 0, 10, 10],
            "window_names_str": words.evidence(f"windows {number}"),
            "computer_clipboard": words.evidence(f"clipboard {number}"),
            "user_question": question,
            "plan_result": said(f"plan {number}"),
            "regions": "key: regions: <class 'list'> not saved",
        }

    pointed = "computer.mouse.move_id(id=78)\ncomputer.mouse.single_click()"
    typed = f"{pointed}\ncomputer.keyboard.write({words.evidence('typed')!r})"
    lines = [line(0, typed, words.narration)]
    if words.finished:
        lines.append(line(1, "DONE", words.report))
    picture(folder / "screenshot" / f"screenshot-step_{len(lines)}_20260501@120059.png", 9)
    tree("last tree", len(lines))
    (folder / "traj.md").write_text(words.grading("markdown"), encoding="utf-8")
    return _written(folder, words, lines)


PLANTS = {
    "osworld pyautogui": Planted(FORMAT, plant_pyautogui, TASK),
    "osworld ui-tars": Planted(FORMAT, plant_ui_tars),
    "osworld agent-s": Planted(FORMAT, plant_agent_s),
    "osworld anthropic": Planted(FORMAT, plant_anthropic, TASK),
    "osworld openai": Planted(FORMAT, plant_openai, TASK),
    "osworld computer_13": Planted(FORMAT, plant_computer_13, TASK),
    "osworld mobile-agent": Planted(FORMAT, plant_mobile_agent, TASK),
    "osworld windows-agent-arena": Planted(FORMAT, plant_waa),
}
