"""The calls of Agent TARS and what they gave back."""

import json
from typing import Any, cast

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.grammars import ui_tars
from tracewitness.intake.own_words import explains, size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.spans.parts import Content, result_of
from tracewitness.intake.turns import Result
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.intake.written_objects import written_object

SCREEN_TOOL = "browser_vision_control"
"""The one tool for the mouse and the keyboard: its arguments hold an action as text, a thought and a step in words."""
ARGUMENTS = frozenset({"action", "step"})
WORDS = ("thought", "step")
_DEEPEST = 12


def call_in(event: dict[str, Any], where: str) -> tuple[Call, list[Stripped]]:
    """Return the call of an event, and what of it is the agent's words besides its named explanations."""
    name, call_id = text_of(event.get("name")) or "tool", text_of(event.get("toolCallId")) or None
    arguments = object_of(event.get("arguments"))
    if name != SCREEN_TOOL and not ARGUMENTS <= set(arguments):
        return call_of(name, event.get("arguments"), call_id), []
    lost = [
        Stripped(f"{where}.arguments.{key}", Plane.NARRATION, LeakRoute.THOUGHTS, size_of(arguments[key]))
        for key in WORDS
        if arguments.get(key)
    ]
    parsed = ui_tars.parse(text_of(arguments.get("action")))
    if parsed is not None and parsed.calls:
        return Call(parsed.calls[0].name, parsed.calls[0].arguments, call_id), lost
    acted = object_of(arguments.get("operator_action"))
    if text_of(acted.get("type")):
        return Call(text_of(acted["type"]), object_of(acted.get("inputs")), call_id), lost
    written = arguments.get("action")  # an action that cannot be told from the words around it
    if written:
        lost.append(Stripped(f"{where}.arguments.action", Plane.NARRATION, LeakRoute.THOUGHTS, size_of(written)))
    return Call(name, {}, call_id), lost


def result_in(event: dict[str, Any], where: str) -> Result:
    """Return the result of an event; of the tool for the screen without the thought and the step that it repeats."""
    content, call_id = event.get("content"), text_of(event.get("toolCallId")) or None
    keys = object_of(content)
    of_screen = event.get("name") == SCREEN_TOOL
    content = _without_words(content) if of_screen else content
    error = _without_words(text_of(event.get("error"))) if of_screen else text_of(event.get("error"))
    failed = bool(error) or (event.get("name") == SCREEN_TOOL and keys.get("status") == "error")
    found = result_of(content, f"{where}.content", call_id, failed)
    shown = Content()
    shown.add(event.get("processedContent"), f"{where}.processedContent")
    text = error or found.text
    return Result(text, call_id, found.failed, found.screenshot or shown.picture)


def _without_words(value: Any, depth: int = 0) -> Any:
    """Return what the tool for the screen answers without the thought, the step and the action that it repeats.

    They stand in an object, in parts of a content, or in a text that is or holds such an object as JSON.
    """
    if depth > _DEEPEST:
        return None
    if isinstance(value, str):
        return _text_without_words(value, depth)
    if isinstance(value, list):
        return [_without_words(one, depth + 1) for one in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    items = cast(dict[str, Any], value).items()
    return {
        key: _without_words(item, depth + 1)
        for key, item in items
        if not explains(key) and key not in (*WORDS, "finished")
    }


def _text_without_words(text: str, depth: int) -> str:
    start, end = text.find("{"), text.rfind("}")
    held = written_object(text[start : end + 1]) if 0 <= start < end else None
    if held is None:
        calls = ui_tars.parse(text)
        return (
            ""
            if calls is not None and any(is_finish_like(one.name) or one.name == "call_user" for one in calls.calls)
            else text
        )
    kept = _without_words(held, depth + 1)
    return text if kept == held else f"{text[:start]}{json.dumps(kept, ensure_ascii=False)}{text[end + 1 :]}"
