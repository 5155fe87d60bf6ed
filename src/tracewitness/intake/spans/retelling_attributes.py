"""Attributes of a span with the agent's words in others."""

from collections.abc import Mapping
from typing import Any, cast

from tracewitness.intake.spans.attributes import ARGUMENTS, GAVE, GIVEN, GRADES, LISTED, RESULTS
from tracewitness.intake.spans.dotted import unflattened
from tracewitness.intake.spans.retelling import SpanWords
from tracewitness.intake.spans.span import SpanKind

_READ = GIVEN | GAVE | ARGUMENTS | RESULTS
_DEEPEST = 12


def retold_attributes(attributes: Mapping[str, Any], kind: SpanKind, name: str, words: SpanWords) -> dict[str, Any]:
    """Return attributes in other words: of a tool only the arguments in which the agent speaks, for all else is seen.

    Args:
        attributes: The attributes, flat under dotted names, nested, or both.
        kind: What the span is one of.
        name: The name of the tool, where it is one of a tool.
        words: The words.
    """
    parts = {one: found for one in LISTED if one not in attributes and (found := unflattened(attributes, one))}
    told = {one: _retold(one, found, kind, name, words) for one, found in parts.items()}
    return {key: _attribute(key, item, told, (kind, name, words), 0) for key, item in attributes.items()}


def _attribute(key: str, item: Any, told: Mapping[str, Any], how: tuple[SpanKind, str, SpanWords], depth: int) -> Any:
    listed = next((one for one in told if key.startswith(f"{one}.")), None)
    if listed is not None:
        return _at(told[listed], key.removeprefix(f"{listed}.").split("."), item)
    if key in _READ or key.startswith(GRADES) or depth > _DEEPEST:
        return _retold(key, item, *how)
    if isinstance(item, dict):
        inner = cast(Mapping[str, Any], item)
        return {one: _attribute(f"{key}.{one}", held, told, how, depth + 1) for one, held in inner.items()}
    return item


def _retold(key: str, item: Any, kind: SpanKind, name: str, words: SpanWords) -> Any:
    if key.startswith(GRADES) or kind is SpanKind.GRADER:
        return words.graded(item)
    if kind is SpanKind.TOOL:
        return words.done(name, item) if key in ARGUMENTS else words.heard(name, item)
    return words.answered(item) if key in GAVE else words.asked(item)


def _at(value: Any, parts: list[str], given: Any) -> Any:
    """Return what stands at a dotted name in a list; what was given where the list has no such place."""
    for part in parts:
        if isinstance(value, list) and part.isdigit() and int(part) < len(cast(list[Any], value)):
            value = cast(list[Any], value)[int(part)]
        elif isinstance(value, dict) and part in value:
            value = cast(dict[str, Any], value)[part]
        else:
            return given
    return value
