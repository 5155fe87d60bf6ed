"""The calls of Agent TARS and what they gave back."""

from typing import Any

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.grammars import ui_tars
from tracewitness.intake.own_words import explains, size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.spans.parts import Content, result_of
from tracewitness.intake.turns import Result
from tracewitness.intake.untyped import object_of, text_of

SCREEN_TOOL = "browser_vision_control"
"""The one tool for the mouse and the keyboard: its arguments hold an action as text, a thought and a step in words."""
ARGUMENTS = frozenset({"action", "step"})
WORDS = ("thought", "step")


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
    if event.get("name") == SCREEN_TOOL and keys:
        content = {key: value for key, value in keys.items() if not explains(key) and key not in WORDS}
    error = text_of(event.get("error"))
    failed = bool(error) or (event.get("name") == SCREEN_TOOL and keys.get("status") == "error")
    found = result_of(content, f"{where}.content", call_id, failed)
    shown = Content()
    shown.add(event.get("processedContent"), f"{where}.processedContent")
    text = error or found.text
    return Result(text, call_id, found.failed, found.screenshot or shown.picture)
