"""Keys as UFO wrote them over the years: ``ControlText`` and ``control_text`` are one."""

from collections.abc import Mapping
from typing import Any, cast

from tracewitness.intake.finishing import bare

_ALIASES = {
    "sessionstep": "step",
    "agenttype": "agent",
    "args": "arguments",
    "cleanscreenshot": "cleanscreenshotpath",
    "screenshotclean": "cleanscreenshotpath",
    "roundnum": "round",
    "controlname": "controltext",
}


def normal(key: str) -> str:
    """Return a key without case and underscores, and by one name where versions call it otherwise."""
    plain = bare(key)
    return _ALIASES.get(plain, plain)


def normalised(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object by normal keys; the first of two keys that are one counts, unless it is empty."""
    told: dict[str, Any] = {}
    for key, value in record.items():
        name = normal(key)
        if told.get(name) in (None, "", [], {}):
            told[name] = value
    return told


def first_object(*values: Any) -> dict[str, Any]:
    """Return the first object among values and lists of them, by normal keys; an empty one where there is none."""
    for value in values:
        for found in objects(value):
            return found
    return {}


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects that a value is or lists, by normal keys."""
    listed = cast(list[Any], value) if isinstance(value, list) else [value]
    return [normalised(cast(dict[str, Any], one)) for one in listed if isinstance(one, dict)]
