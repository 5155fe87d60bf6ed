"""Planted AndroidWorld checkpoints, as each of its agents writes them."""

import gzip
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.androidworld import FORMAT
from tracewitness.intake.pickles import Array, Global, Stub
from tracewitness.intake.pickles.writing import write_pickle
from tracewitness.testing.words import Words

_ELEMENT = Global("android_world.env.representation_utils", "UIElement")
_BOX = Global("android_world.env.representation_utils", "BoundingBox")
_ACTION = Global("android_world.env.json_action", "JSONAction")
_RESPONSE = Global("google.generativeai.types", "GenerateContentResponse")
_OFFERED = Global("android_world.agents.seeact_utils", "SeeActElement")
_FIELDS = "action_type index x y text direction goal_status app_name keycode clear_text".split()


def element(text: str, at: int = 0, **facts: Any) -> Stub:
    box = Stub(_BOX, state={"x_min": 0, "x_max": 100, "y_min": 10 * at, "y_max": 10 * at + 10})
    given = {"text": text, "is_visible": True, "is_clickable": True, "is_enabled": True, "bbox_pixels": box}
    return Stub(_ELEMENT, state={**given, "class_name": "android.widget.TextView", **facts})


def overlay(text: str) -> Stub:
    return element(text, 9, package_name="com.example.androidworld", resource_name="com.example.androidworld:id/goal")


def action(**fields: Any) -> Stub:
    return Stub(_ACTION, state={name: fields.get(name) for name in _FIELDS})


def frame(shade: int) -> Array:
    return Array((16, 9, 3), "u1", content=bytes([shade]) * (16 * 9 * 3))


def checkpoint(path: Path, *episodes: Any, whole: Any = None) -> Path:
    out = BytesIO()
    write_pickle(list(episodes) if whole is None else whole, out)
    packed = BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=5, mtime=0, filename="") as stream:
        stream.write(out.getvalue())
    path.write_bytes(packed.getvalue())
    return path


def episode(goal: str, steps: Sequence[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    data: dict[str, list[Any]] = {}
    for at, step in enumerate(steps):
        for key, value in {**step, "step_number": at}.items():
            data.setdefault(key, []).append(value)
    return {
        "goal": goal,
        "task_template": "ClockStopWatchRunning",
        "episode_data": data,
        "is_successful": 1.0,
        "run_time": 12.5,
        "finish_dtime": Stub(Global("datetime", "datetime"), (b"\x07\xe9\x0c\r\x13\x1a\x17\r= ",)),
        "episode_length": len(steps),
        "aux_data": None,
        "screen_config": {"width": 1080, "height": 2400, "orientation": "portrait", "config_name": "default"},
        "exception_info": None,
        "seed": 30,
        "agent_name": "agent",
        "instance_id": 0,
        **fields,
    }


def _m3a(words: Words) -> list[dict[str, Any]]:
    def step(at: int, done: Any, after: bool = True) -> dict[str, Any]:
        shown = [element(words.evidence(f"element {at}"))] if at < 4 else [overlay(words.report("on the screen"))]
        return {
            "raw_screenshot": frame(at),
            "before_screenshot_with_som": frame(40 + at),
            "before_ui_elements": [*shown, element("Save", 1)],
            "after_screenshot_with_som": frame(80 + at) if after else None,
            "action_prompt": words.narration(f"action_prompt {at}"),
            "action_output": f"Reason: {words.narration(f'output {at}')} Action: {{}}",
            "action_output_json": done,
            "action_reason": words.narration(f"reason {at}"),
            "action_raw_response": Stub(_RESPONSE, state={"text": words.narration(f"raw {at}")}),
            "summary_prompt": words.narration(f"summary_prompt {at}") if after else None,
            "summary": words.narration(f"summary {at}"),
            "summary_raw_response": Stub(_RESPONSE, state={"text": words.narration(f"raw summary {at}")}),
        }

    steps = [
        step(0, action(action_type="click", index=1)),
        step(1, action(action_type="input_text", text=words.evidence("typed"), index=0)),
        step(2, action(action_type="click", index=77), after=False),
    ]
    if words.finished:
        steps += [
            step(3, action(action_type="answer", text=words.report("answer"))),
            step(4, action(action_type="status", goal_status="complete"), after=False),
        ]
    return steps


def _t3a(words: Words) -> list[dict[str, Any]]:
    def step(at: int, done: str, after: bool = True) -> dict[str, Any]:
        before = words.evidence(f"before {at}") if at < 3 else words.report(f"shown before {at}")
        later = words.evidence(f"after {at}") if at < 2 else words.report(f"shown after {at}")
        return {
            "before_screenshot": frame(at),
            "after_screenshot": frame(80 + at) if after else None,
            "before_element_list": [element(before)],
            "after_element_list": [element(later)] if after else None,
            "action_prompt": words.narration(f"prompt {at}"),
            "action_output": f"Reason: {words.narration(f'reason {at}', plain=True, needed=True)}\nAction: {done}",
            "action_raw_response": None,
            "summary_prompt": words.narration(f"summary_prompt {at}"),
            "summary": words.narration(f"summary {at}"),
            "summary_raw_response": None,
        }

    steps = [step(0, '{"action_type": "click", "index": 0}')]
    steps.append(step(1, f'{{"action_type": "input_text", "text": "{words.evidence("typed")}", "index": 0}}'))
    if words.finished:
        steps.append(step(2, f'{{"action_type": "answer", "text": "{words.report("answer", plain=True)}"}}'))
        steps.append(step(3, '{"action_type": "status", "goal_status": "infeasible"}', after=False))
    return steps


def _seeact(words: Words) -> list[dict[str, Any]]:
    def step(at: int, done: Any) -> dict[str, Any]:
        one = element(words.evidence(f"element {at}"))
        return {
            "ui_elements": [element("Other", 3), one],
            "screenshot": frame(at),
            "actionable_elements": [Stub(_OFFERED, state={"description": "x", "ui_element": one, "index": 0})],
            "action_gen_payload": {"messages": [{"content": words.narration(f"payload {at}")}]},
            "action_gen_response": words.narration(f"response {at}"),
            "action_ground_payload": {"messages": [{"content": words.narration(f"ground {at}")}]},
            "action_ground_response": words.narration(f"ground response {at}"),
            "seeact_action": Stub(
                Global("android_world.agents.seeact_utils", "SeeActAction"), state={"action": "CLICK"}
            ),
            "action": done,
            "action_description": words.narration(f"description {at}"),
        }

    steps = [
        step(0, action(action_type="click", index=0)),
        step(1, action(action_type="open_app", app_name=words.evidence("app"))),
        step(2, action(action_type="unknown")),
    ]
    if words.finished:
        steps.append(step(3, action(action_type="status", goal_status="task_complete")))
    return steps


def _gui_owl(words: Words) -> list[dict[str, Any]]:
    def step(at: int, done: Any, **arguments: Any) -> dict[str, Any]:
        call = {"name": "mobile_use", "arguments": arguments}
        return {
            "ui_elements": [element(words.evidence(f"element {at}"))] if at < 4 else [],
            "screenshot": frame(at),
            "actionable_elements": None,
            "action_gen_payload": None,
            "action": done,
            "action_response": f"<thinking>\n{words.narration(f'response {at}')}\n</thinking>",
            "dummy_action": call,
            "dummy_action_translated": call,
        }

    typed = words.evidence("typed")
    steps = [
        step(0, action(action_type="click", x=50, y=5), action="click", coordinate=[500, 5]),
        step(1, action(action_type="input_text", text=typed), action="type", text=typed),
        step(2, action(action_type="swipe", direction=[1, 2, 3, 4]), action="swipe"),
    ]
    if words.finished:
        said = words.report("answer")
        made_up = action(action_type="status", goal_status="task_complete")
        steps.append(step(3, action(action_type="answer", text=said), action="answer", text=said))
        steps.append(step(4, made_up, action="terminate", status="success"))
    return steps


def _mobile_agent(words: Words) -> list[dict[str, Any]]:
    pool: dict[str, Any] = {"action_history": [], "summary_history": [], "error_descriptions": []}

    def step(at: int, done: dict[str, Any], result: str = "A") -> dict[str, Any]:
        for name, value in (
            ("action_history", done),
            ("summary_history", words.narration(f"summary {at}")),
            ("error_descriptions", words.narration(f"error {at}")),
        ):
            pool[name] = [*pool[name], value]
        told = {name: words.narration(f"{name} {at}") for name in ("plan", "progress_status", "last_action_thought")}
        return {
            "instruction": words.task(),
            "last_action": done,
            "last_summary": words.narration(f"last summary {at}"),
            "action_outcomes": [result],
            "additional_knowledge_executor": "tips",
            **told,
            **pool,
        }

    steps = [
        step(0, {"action": "open_app", "text": words.evidence("app")}),
        step(1, {"action": "type", "text": words.evidence("typed")}),
        step(2, {"action": "invalid"}),
    ]
    if words.finished:
        steps += [step(3, {"action": "answer", "text": words.report("answer")}), step(4, {"action": "done"})]
    return steps


def _learning(words: Words) -> list[dict[str, Any]]:
    def step(at: int, done: Any) -> dict[str, Any]:
        return {
            "raw_screenshot": frame(at),
            "ui_elements": [element(words.evidence(f"element {at}")), overlay(words.grading(f"scoreboard {at}"))],
            "action_idx": at,
            "android_action": done,
            "reward_ext": 1.0,
            "goal": words.task(),
        }

    steps = [step(0, action(action_type="scroll", direction="down")), step(1, action(action_type="click", x=20, y=5))]
    if words.finished:
        steps.append(step(2, action(action_type="status", goal_status="complete")))
    return steps


def planter(steps: Callable[[Words], list[dict[str, Any]]]) -> Callable[[Path, Words], Path]:
    def plant(folder: Path, words: Words) -> Path:
        made = episode(words.task(), steps(words), aux_data={"judge": words.grading("aux_data")})
        return checkpoint(folder / "ClockStopWatchRunning_0.pkl.gz", made)

    return plant


_AGENTS = {
    "m3a": _m3a,
    "t3a": _t3a,
    "seeact": _seeact,
    "gui_owl": _gui_owl,
    "mobile_agent": _mobile_agent,
    "learning": _learning,
}
PLANTS = {f"androidworld_{name}": Planted(FORMAT, planter(steps)) for name, steps in _AGENTS.items()}
