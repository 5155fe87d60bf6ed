"""Attributes with dotted names: objects and lists that tracers write as ``llm.input_messages.0.message.role``."""

from collections.abc import Mapping
from typing import Any, cast

Attributes = Mapping[str, Any]

_DEEPEST = 12


def flat(attributes: Attributes) -> dict[str, Any]:
    """Return attributes with those of nested objects beside them, under dotted names."""
    found: dict[str, Any] = {}
    pending: list[tuple[str, Any, int]] = [(key, value, 0) for key, value in attributes.items()]
    while pending:
        key, value, depth = pending.pop()
        found.setdefault(key, value)
        if isinstance(value, dict) and depth < _DEEPEST:
            inner = cast(dict[str, Any], value)
            pending += [(f"{key}.{name}", item, depth + 1) for name, item in inner.items()]
    return found


def unflattened(attributes: Attributes, name: str) -> Any:
    """Return the list that attributes such as ``<name>.0.message.role`` write down; None where there are none."""
    whole = attributes.get(name)
    if isinstance(whole, list):
        return cast(list[Any], whole)
    root: dict[str, Any] = {}
    for key, value in attributes.items():
        parts = key.removeprefix(f"{name}.").split(".")
        if key.startswith(f"{name}.") and parts[0].isdigit() and len(parts) <= _DEEPEST and not isinstance(value, dict):
            _put(root, parts, value)
    return _with_lists(root) if root else None


def _put(root: dict[str, Any], parts: list[str], value: Any) -> None:
    at = root
    for part in parts[:-1]:
        inner = at.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        at = cast(dict[str, Any], inner)
    at.setdefault(parts[-1], value)


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    keys = {key: _with_lists(item) for key, item in cast(dict[str, Any], value).items()}
    if keys and all(key.isascii() and key.isdigit() and len(key) < 10 for key in keys):
        return [keys[key] for key in sorted(keys, key=int)]
    return keys
