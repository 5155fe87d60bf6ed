"""Accessibility trees as Chromium gives them, written as BrowserGym writes them: one element a line, with its id."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from tracewitness.intake.pickles.plain import plain
from tracewitness.intake.untyped import object_of, text_of

_MOST_NODES = 50_000
_DEEPEST = 200
_IGNORED = frozenset({"editable", "readonly", "level", "settable", "multiline", "invalid", "focusable"})
_BARE = frozenset({"required", "focused", "atomic"})


def axtree_text(tree: Any, most: int) -> str:
    """Return a tree as text of at most so many characters; an empty text where it is none."""
    lines, size = list[str](), 0
    for depth, line in _lines(_by_id(object_of(tree).get("nodes"))):
        size += depth + len(line) + 1
        if size > most:
            break
        lines.append("\t" * depth + line)
    return "\n".join(lines)


def _by_id(nodes: Any) -> dict[str, Mapping[Any, Any]]:
    given = cast(list[Any], nodes)[:_MOST_NODES] if isinstance(nodes, list | tuple) else []
    return {key: node for one in given if (node := object_of(one)) and (key := str(plain(node.get("nodeId"))))}


def _lines(nodes: dict[str, Mapping[Any, Any]]) -> Iterator[tuple[int, str]]:
    """Yield depth and line of every node below the first one, each once."""
    pending, met = [(key, 0, "") for key in list(nodes)[:1]], set[str]()
    while pending:
        key, depth, above = pending.pop()
        if key in met or key not in nodes:
            continue
        met.add(key)
        node = nodes[key]
        name = text_of(object_of(node.get("name")).get("value")).strip()
        line = _line(node, name, above)
        if line:
            yield depth, line
        below = min(depth + bool(line), _DEEPEST)
        children = node.get("childIds")
        listed = cast(list[Any], children)[:_MOST_NODES] if isinstance(children, list | tuple) else []
        pending.extend((str(plain(child)), below, name) for child in reversed(listed))


def _line(node: Mapping[Any, Any], name: str, above: str) -> str:
    role = text_of(object_of(node.get("role")).get("value"))
    facts = list(_facts(node.get("properties")))
    hidden = role == "LineBreak" or "name" not in node or (role == "generic" and not facts)
    if not role or hidden or (role == "StaticText" and name in above):
        return ""
    bid = plain(node.get("browsergym_id"))
    value = object_of(node.get("value")).get("value")
    line = f"[{bid}] {role}" if isinstance(bid, str) else role
    line += f" {name!r}" if name or role != "generic" else ""
    line += f" value={plain(value)!r}" if value is not None else ""
    return ", ".join([line, *facts])


def _facts(properties: Any) -> Iterator[str]:
    given = cast(list[Any], properties)[:50] if isinstance(properties, list | tuple) else []
    for one in map(object_of, given):
        name, holder = text_of(one.get("name")), object_of(one.get("value"))
        if not name or name in _IGNORED or "value" not in holder:
            continue
        value = plain(holder.get("value"))
        if name not in _BARE:
            yield f"{name}={value!r}"
        elif value:
            yield name
