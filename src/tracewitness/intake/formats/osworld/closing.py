"""The final words of a run of this family: where the line that ends it holds them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.grammars import ui_tars
from tracewitness.intake.untyped import list_of, object_of, text_of

_PLACES = ("response", "plan", "executor_plan", "plan_result", "natural_language_action", "thought")
"""Fields of the last line that may hold the agent's words, the likeliest first."""
_INNER = (
    "response",
    "text",
    "content",
    "message",
    "answer",
    "plan",
    "executor_plan",
    "thought",
    "raw_response",
    "action",
)
_DEEPEST = 6
_BROKEN = ("client error", "error when parsing response from client")
"""What a harness writes as response where the model could not be asked; it then ends the run itself."""


def closing_words(fields: Mapping[str, Any], in_action: Sequence[tuple[str, str]]) -> str | None:
    """Return the agent's last words: those beside the action that ended the run, else those of its line.

    Args:
        fields: The fields of the line.
        in_action: The words that stood in its action, by place.
    """
    beside = "\n".join(words for _, words in in_action)
    told = (_said(text) for text in (beside, *(_text(fields.get(key)) for key in _PLACES)))
    return next((text for text in told if text), None)


def was_cut_short(fields: Mapping[str, Any], kind: str) -> bool:
    """Tell an end that the harness wrote and not the agent: its response acts on, or says that the model broke down.

    Some agents return FAIL instead of their last action once their steps are used up.
    """
    response = _text(fields.get("response"))
    if response.casefold().startswith(_BROKEN):
        return True
    parsed = ui_tars.parse(response) if kind == "fail" and response else None
    return parsed is not None and not any(is_finish_like(one.name) or one.name == "call_user" for one in parsed.calls)


def _said(text: str) -> str:
    """Return the words of a text action that ends the run; the text itself where it holds none."""
    parsed = ui_tars.parse(text) if text else None
    if parsed is None:
        return text
    told = [text_of(one.arguments.get("content")) for one in parsed.calls if is_finish_like(one.name)]
    return "\n".join(filter(None, (one.strip() for one in told))) or parsed.words


def _text(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value.strip()
    if depth > _DEEPEST or not value:
        return ""
    if isinstance(value, list):
        return "\n".join(_filled(_text(item, depth + 1) for item in list_of(value)))
    keys = object_of(value)
    return next(iter(_filled(_text(keys.get(key), depth + 1) for key in _INNER)), "")


def _filled(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text]
