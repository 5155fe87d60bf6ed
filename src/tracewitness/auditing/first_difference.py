"""Where two values differ first, in words that a person can look up in a run; the values themselves are not told."""

from typing import Any, cast

_MISSING = object()
_LONGEST = 120


def first_difference(before: Any, after: Any) -> str:
    """Return where two values of plain data differ first: ``step 3, action, raw``; empty where they do not.

    Args:
        before: One value: objects, lists, texts, numbers.
        after: The other one.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        return _in_objects(cast(dict[str, Any], before), cast(dict[str, Any], after))
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        return _in_lists(cast(list[Any], before), cast(list[Any], after), "")
    if isinstance(before, str) and isinstance(after, str) and "\n" in before + after:
        return _in_lists(before.splitlines(), after.splitlines(), "line")
    return "" if before == after else "the value"


def _in_objects(before: dict[str, Any], after: dict[str, Any]) -> str:
    for key in (*before, *(key for key in after if key not in before)):
        mine, other = before.get(key, _MISSING), after.get(key, _MISSING)
        if mine is _MISSING or other is _MISSING:
            return f"{_named(key)} ({'only before' if other is _MISSING else 'only after'} the change)"
        where = _below(key, mine, other)
        if where:
            return where[:_LONGEST]
    return ""


def _below(key: str, before: Any, after: Any) -> str:
    listed = isinstance(before, list | tuple) and isinstance(after, list | tuple)
    if listed:
        return _in_lists(cast(list[Any], before), cast(list[Any], after), _named(key).removesuffix("s"))
    where = first_difference(before, after)
    return _named(key) if where == "the value" else f"{_named(key)}, {where}" if where else ""


def _in_lists(before: list[Any], after: list[Any], name: str) -> str:
    for at, (mine, other) in enumerate(zip(before, after, strict=False)):
        where = first_difference(mine, other)
        if where:
            which = f"{name} {_number(mine, at)}".strip()
            return which if where == "the value" else f"{which}, {where}"
    if len(before) == len(after):
        return ""
    which = f"{name} {min(len(before), len(after)) + 1}".strip()
    return f"{which} ({len(before)} before the change, {len(after)} after it)"


def _number(entry: Any, at: int) -> int:
    """Return the number that an entry gives itself, as steps do; else its place in the list."""
    given = cast(dict[str, Any], entry).get("index") if isinstance(entry, dict) else None
    return given if isinstance(given, int) else at + 1


def _named(key: str) -> str:
    return key.replace("_", " ")
