"""An action of this family in other words of the agent: the same calls, other comments, another flag."""

from typing import Any, cast

from tracewitness.intake.code.python_code import bare_code, written_code
from tracewitness.intake.formats.osworld.actions import ENDING, SPOKEN
from tracewitness.intake.formats.osworld.ending_calls import ending_call
from tracewitness.intake.own_words import explains
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say

_WORDS = {True: "DONE", False: "FAIL"}


def retold_action(action: Any, say: Say, flag: bool | None) -> Any:
    """Return an action in other words."""
    if isinstance(action, str):
        return _retold_text(action, say, flag)
    if isinstance(action, list):
        return [retold_action(one, say, flag) for one in cast(list[Any], action)]
    if not isinstance(action, dict):
        return action
    keys = cast(dict[str, Any], action)
    wraps = "action_space" in keys or "call_id" in keys
    return {key: _retold_item(key, value, say, flag, wraps=wraps) for key, value in keys.items()}


def _retold_item(key: str, value: Any, say: Say, flag: bool | None, *, wraps: bool) -> Any:
    if key in SPOKEN or explains(key):
        return say(Plane.REPORT) if isinstance(value, str) else value
    if key == "action" and (wraps or not isinstance(value, str)):
        return retold_action(value, say, flag)
    if key in ("action", "action_type") and isinstance(value, str):
        return _retold_ending(value, flag)
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return {inner: _retold_item(inner, one, say, flag, wraps=False) for inner, one in items}
    return value


def _retold_ending(text: str, flag: bool | None) -> str:
    ending = ENDING.match(text)
    if ending is None:
        return text
    return ending.group(1) if flag is None else _WORDS[flag]


def _retold_text(text: str, say: Say, flag: bool | None) -> str:
    if ENDING.match(text) is not None:
        return _retold_ending(text, flag)
    if (ending := ending_call(text)) is not None:
        ahead, call = ending
        status = "" if flag is None else f"status={'success' if flag else 'failure'!r}, "
        told = f"{call.name}({status}answer={say(Plane.REPORT)!r})"
        return f"{_retold_text(ahead, say, flag)}\n{told}" if ahead.strip() else told
    bare = bare_code(text)
    if bare is None or not bare.words or not bare.statements:
        return text
    said = "\n".join(f"# {line}" for line in say(Plane.NARRATION).splitlines())
    return f"{said}\n{written_code(*bare.statements)}"
