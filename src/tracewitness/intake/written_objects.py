"""An object that a model wrote into a text, as JSON or as Python writes a dict; read as data, and never run."""

import ast
from typing import Any, cast

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.reading_files import parse_json

_LONGEST = 100_000
"""Largest text that is read as a dict of Python, in characters; JSON has the bounds of the file it stands in."""


def written_object(text: str) -> dict[str, Any] | None:
    """Return the object that a whole text is, or None where it is none.

    Agents write ``{"action": "click"}``; tools that log the parsed action with ``str()`` write ``{'action': 'click'}``.
    What JSON cannot hold (bytes, sets, complex numbers) is kept as its text.
    """
    bare = text.strip()
    if not bare.startswith("{"):
        return None
    try:
        value: Any = parse_json(bare)
    except IntakeError:
        value = _python_value(bare)
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def _python_value(text: str) -> Any:
    if len(text) > _LONGEST:
        return None
    try:
        return _plain(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _plain(value: Any) -> Any:
    """Return a value of Python as JSON holds it; lone surrogates become U+FFFD."""
    if isinstance(value, dict):
        return {_text(str(key)): _plain(item) for key, item in cast(dict[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast(list[Any], value)]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    return _text(str(value))


def _text(value: str) -> str:
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in value)
