"""A recording as browser-use would log it: an ``AgentHistory.json`` whose rounds hold one action each.

The form is that of browser-use 0.13 as the reader's page describes it. What was seen after the last action stands in
the round of ``done``, as the state that it began with.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from tracewitness.lab.recording.as_neutral import page_text
from tracewitness.lab.recording.recording import Act, Action, Control, Recording, Seen

SCREENSHOTS = "screenshots"
_WORDS = {"evaluation_previous_goal": "Success", "memory": "Working on the task.", "next_goal": "Go on."}


def as_browser_use(recording: Recording) -> dict[str, Any]:
    """Return a run as the document of an ``AgentHistory.json``; pictures are named below ``screenshots``.

    A run without an observation before an action has an empty state there, as where the browser gave none.
    """
    rounds = [
        _round(recording, number, _acted(action, recording.at(number)))
        for number, action in enumerate(recording.actions)
    ]
    if recording.whole and recording.report is not None:
        rounds.append(_round(recording, len(recording.actions), _done(recording)))
    return {"history": rounds}


def _round(recording: Recording, at: int, acted: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    action, result = acted
    seen = recording.at(at)
    url, title = (seen.url, seen.title) if seen else ("", "")
    said = recording.narration[at] if at < len(recording.narration) else None
    moment = recording.actions[min(at, len(recording.actions) - 1)].moment if recording.actions else None
    return {
        "model_output": {**_WORDS, **({"next_goal": said} if said else {}), "action": [action], "thinking": said},
        "result": [result],
        "state": {
            "url": url,
            "title": title,
            "tabs": [{"url": url, "title": title, "target_id": "0001", "parent_target_id": None}],
            "interacted_element": [None],
            "screenshot_path": f"{SCREENSHOTS}/{seen.picture}" if seen and seen.picture else None,
        },
        "metadata": {"step_number": at + 1, "step_start_time": _seconds(moment), "step_end_time": _seconds(moment)},
        "state_message": _prompt(recording.task, seen, at + 1),
    }


def _seconds(moment: str | None) -> float | None:
    return None if moment is None else datetime.fromisoformat(moment).timestamp()


def _done(recording: Recording) -> tuple[dict[str, Any], dict[str, Any]]:
    flag = {} if recording.declared is None else {"success": recording.declared}
    done: dict[str, Any] = {"done": {"text": recording.report, **flag, "files_to_display": []}}
    return done, {"is_done": True, **flag, "extracted_content": recording.report}


def _acted(action: Action, before: Seen | None) -> tuple[dict[str, Any], dict[str, Any]]:
    result: dict[str, Any] = {"is_done": False, "error": action.error} if action.error else {"is_done": False}
    return _ACTIONS[action.act](action, _element(action, before)), result


def _element(action: Action, before: Seen | None) -> dict[str, Any]:
    """Return how an action names its element: by its number in the browser state, else by a point."""
    if action.box is None:
        return {}
    same = [n for n, control in enumerate(before.controls, 1) if control.box == action.box] if before else []
    if same:
        return {"index": same[0]}
    across, down = action.box.middle
    return {"coordinate_x": across, "coordinate_y": down}


def _prompt(task: str, seen: Seen | None, step: int) -> str:
    return (
        f"<user_request>\n{task}\n</user_request>\n\n<agent_history>\nAgent initialized\n</agent_history>\n\n"
        f"<agent_state>\n<file_system>\n\n</file_system>\n</agent_state>\n<browser_state>\n{_state(seen)}"
        f"\n</browser_state>\n<step_info>Step{step} maximum:100\n</step_info>"
    )


def _state(seen: Seen | None) -> str:
    if seen is None:
        return ""
    listed = "\n".join(_line(number, control) for number, control in enumerate(seen.controls, 1))
    text = page_text(seen) or ""
    return (
        f"Current tab: 0001\nAvailable tabs:\nTab 0001: {seen.url} - {seen.title}\n\nInteractive elements:\n"
        f"[Start of page]\n{text}\n{listed}\n[End of page]"
    )


def _line(number: int, control: Control) -> str:
    marks = " ".join(_MARKS[mark] for mark in control.state.split())
    name = f"aria-label={control.name}" if control.name else ""
    value = f"value={control.value}" if control.value else ""
    told = " ".join(filter(None, (f"role={control.role}", name, value, marks)))
    return f"[{number}]<{control.tag} {told} />"


_MARKS: Mapping[str, str] = {"checked": "checked=true", "unchecked": "checked=false", "disabled": "disabled=true"}
_ACTIONS: Mapping[Act, Callable[[Action, dict[str, Any]], dict[str, Any]]] = {
    Act.CLICK: lambda action, element: {"click": element},
    Act.TYPE: lambda action, element: {"input": {**element, "text": action.text, "clear": True}},
    Act.PRESS: lambda action, element: {"send_keys": {"keys": action.text}},
    Act.SELECT: lambda action, element: {"select_dropdown": {**element, "text": action.text}},
    Act.SCROLL: lambda action, element: {"scroll": {"down": True, "pages": 1.0}},
    Act.NAVIGATE: lambda action, element: {"navigate": {"url": action.target or action.text, "new_tab": False}},
    Act.BACK: lambda action, element: {"go_back": {}},
    Act.RELOAD: lambda action, element: {"send_keys": {"keys": "F5"}},
    Act.WAIT: lambda action, element: {"wait": {"seconds": 1}},
}
