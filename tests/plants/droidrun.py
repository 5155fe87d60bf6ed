"""Planted DroidRun trajectories."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from plants.mobile_agent_v3 import PIXEL
from tracewitness.intake.formats.droidrun import FORMAT
from tracewitness.testing.words import Words


def element(number: int, text: str, bounds: str = "0,0,90,90", kind: str = "Button", **more: Any) -> dict[str, Any]:
    """Return one element of a state."""
    children = list[dict[str, Any]]()
    held: dict[str, Any] = {"index": number, "resourceId": "", "className": kind, "text": text, "bounds": bounds}
    return {**held, "children": children, **more}


def write_run(
    folder: Path,
    events: list[dict[str, Any]],
    states: list[list[dict[str, Any]]],
    *,
    goal: str | None = None,
    actions: list[dict[str, Any]] | None = None,
    pictures: int = 0,
) -> Path:
    """Write a trajectory folder."""
    run = folder / "20260131_120000_0a1b2c3d"
    for below in ("ui_states", "screenshots"):
        (run / below).mkdir(parents=True, exist_ok=True)
    (run / "trajectory.json").write_text(json.dumps(events, indent=2), encoding="utf-8")
    if goal is not None:
        macro = {"version": "1.0", "description": goal, "timestamp": "20260131_120000", "actions": actions or []}
        (run / "macro.json").write_text(json.dumps(macro, indent=2), encoding="utf-8")
    for at, state in enumerate(states):
        (run / "ui_states" / f"{at:04d}.json").write_text(json.dumps(state, indent=2), encoding="utf-8")
    for at in range(pictures):
        (run / "screenshots" / f"{at:04d}.png").write_bytes(PIXEL + bytes([at]))
    return run


def answer(thought: str, code: str | None = None) -> dict[str, Any]:
    """Return the event of an agent's answer."""
    return {"type": "FastAgentResponseEvent", "thought": thought, "code": code, "usage": None}


def tool(name: str, arguments: dict[str, Any], summary: str, success: bool = True) -> dict[str, Any]:
    """Return the event of an executed tool."""
    return {
        "type": "ToolExecutionEvent",
        "tool_name": name,
        "tool_args": arguments,
        "success": success,
        "summary": summary,
    }


def plant_tools(folder: Path, words: Words) -> Path:
    """Write a trajectory of mobilerun's fast agent."""
    typed = {"text": words.evidence("typed"), "index": 1}
    events: list[dict[str, Any]] = [
        answer(words.narration("thought 1"), f"<function_calls>{words.narration('calls')}</function_calls>"),
        {"type": "FastAgentToolCallEvent", "tool_calls_repr": words.narration("repr")},
        tool("click", {"index": 1}, words.evidence("clicked")),
        {"type": "FastAgentOutputEvent", "output": words.narration("output")},
        answer(words.narration("thought 2")),
        tool("type", typed, words.evidence("failed"), success=False),
        tool("remember", {"information": words.narration("note")}, words.narration("remembered")),
    ]
    states = [[element(1, words.evidence(f"state {at}"))] for at in range(3 if words.finished else 2)]
    if words.finished:
        events += [
            answer(words.narration("thought 3")),
            tool("complete", {"success": True, "message": words.report("message")}, words.report("summary")),
            {"type": "FastAgentEndEvent", "success": True, "reason": words.report("reason"), "tool_call_count": 4},
        ]
    else:
        reason = "Reached max step count of 15 steps"
        events.append({"type": "FastAgentEndEvent", "success": False, "reason": reason, "tool_call_count": 3})
    return write_run(folder, events, states, goal=words.task(), pictures=len(states))


def plant_macro(folder: Path, words: Words) -> Path:
    """Write a trajectory of an early version, whose agent writes code."""

    def thinking(at: int, code: str) -> list[dict[str, Any]]:
        noted = f"# {words.narration(f'comment {at}', plain=True)}\n{code}\nprint({words.narration(f'print {at}')!r})"
        told = {"type": "TaskThinkingEvent", "thoughts": words.narration(f"thoughts {at}"), "code": noted}
        return [told, {"type": "TaskExecutionResultEvent", "output": words.narration(f"output {at}")}]

    tapped = {"type": "TapActionEvent", "action_type": "tap", "description": words.narration("described")}
    tapped |= {"x": 5, "y": 6, "element_index": 1, "element_text": words.evidence("tapped"), "element_bounds": ""}
    typed = {"type": "InputTextActionEvent", "action_type": "input_text", "text": words.evidence("typed")}
    events = [*thinking(1, "tap_by_index(1)"), *thinking(2, "input_text('x')")]
    states = [[element(1, words.evidence(f"state {at}"))] for at in range(3 if words.finished else 2)]
    if words.finished:
        events += thinking(3, f"complete(success=True, reason={words.report('code')!r})")[:1]
        events.append({"type": "TaskEndEvent", "success": True, "reason": words.report("reason")})
    events.append({"type": "EpisodicMemoryEvent", "episodic_memory": words.narration("memory")})
    return write_run(folder, events, states, goal=words.task(), actions=[tapped, typed])


def plant_manager(folder: Path, words: Words) -> Path:
    """Write a trajectory of a manager and an executor that ends with an answer."""

    def turn(at: int, answered: str = "") -> list[dict[str, Any]]:
        plan = {name: words.narration(f"{name} {at}") for name in ("plan", "subgoal", "thought", "memory_update")}
        details = {"type": "ManagerPlanDetailsEvent", **plan, "answer": answered, "success": bool(answered) or None}
        return [{"type": "ManagerContextEvent"}, {"type": "ManagerResponseEvent", "response": plan["plan"]}, details]

    acted = {"action": "click", "index": 1}
    acted |= {key: words.narration(f"{key} of a click") for key in ("description", "comment")}
    result = {"type": "ExecutorActionResultEvent", "action": acted, "success": True, "error": ""}
    told = {name: words.narration(name) for name in ("thought", "full_response")}
    typed = {"action": "type", "text": words.evidence("typed")}
    failed = {**result, "action": typed, "success": False, "error": words.evidence("error"), **told}
    events = [*turn(1), {**result, **told, "summary": words.evidence("clicked")}, *turn(2), failed]
    states = [[element(1, words.evidence(f"state {at}"))] for at in range(3 if words.finished else 2)]
    if words.finished:
        events += turn(3, words.report("answer", needed=True))
    return write_run(folder, events, states, goal=words.task())


PLANTS = {
    "droidrun": Planted(FORMAT, plant_tools),
    "droidrun macro": Planted(FORMAT, plant_macro),
    "droidrun manager": Planted(FORMAT, plant_manager),
}
