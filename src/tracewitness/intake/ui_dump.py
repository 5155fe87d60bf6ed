"""Reading Android UI dumps (uiautomator XML) from untrusted logs.

Parsed through defusedxml: a document type, entities and external references are refused, so neither an entity bomb nor
a file read can hide in a dump.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree as SafeTree
from defusedxml.common import DefusedXmlException

from tracewitness.intake.errors import BadRunError, UnsafeXmlError

_BOUNDS = re.compile(r"^\[(-?\d{1,7}),(-?\d{1,7})\]\[(-?\d{1,7}),(-?\d{1,7})\]$")
_DEEPEST = 400
_MOST_TEXTS = 3


@dataclass(frozen=True, slots=True)
class Box:
    """Screen bounds in pixels: left, top, right, bottom."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def centre(self) -> tuple[int, int]:
        """Return the centre, rounded down as the recording tools do."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a dump: its attributes as written, its bounds (None if unreadable), its children in order.

    ``texts`` are the first texts below it. They are gathered once, with the node: a screen may hold thousands of
    widgets that are named by the texts around them, and looking through the same row for each would take forever.
    """

    attributes: dict[str, str]
    box: Box | None
    children: list["Node"] = field(default_factory=list["Node"])
    texts: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Gather the texts below, which the children have gathered already."""
        object.__setattr__(self, "texts", _first_texts(self.children))

    @property
    def own_text(self) -> str:
        """Its text, or its description where it has no text."""
        return (self.attributes.get("text") or self.attributes.get("content-desc") or "").strip()

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below it in document order."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


def _first_texts(children: list[Node]) -> tuple[str, ...]:
    found: list[str] = []
    for child in children:
        for text in (child.own_text, *child.texts):
            if text and text not in found:
                found.append(text)
            if len(found) == _MOST_TEXTS:
                return tuple(found)
    return tuple(found)


def refuse_entities(dump: str) -> None:
    """Raise UnsafeXmlError where a UI dump of any dialect declares entities; no recorder writes any."""
    if "<!ENTITY" in dump or "<!entity" in dump:
        raise UnsafeXmlError("the UI dump declares XML entities", "a recorded dump has none; leave the run out")


def read_dump(text: str) -> Node:
    """Parse one UI dump.

    Raises:
        UnsafeXmlError: It declares a document type or entities, or refers to other files.
        BadRunError: It is not well-formed (cut off), or nested too deeply.
    """
    try:
        root: Element = SafeTree.fromstring(text.lstrip("\ufeff"), forbid_dtd=True)
    except DefusedXmlException as error:
        raise UnsafeXmlError(
            "the UI dump declares a document type or entities", "a recorded dump has none; leave the run out"
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise BadRunError(f"the UI dump is not well-formed XML ({error})", "record it again") from error
    return _node(root, 0)


def _node(element: Element, depth: int) -> Node:
    if depth > _DEEPEST:
        raise BadRunError("the UI dump is nested too deeply", "record it again")
    attributes = dict(element.attrib)
    return Node(attributes, _box(attributes.get("bounds", "")), [_node(child, depth + 1) for child in element])


def _box(bounds: str) -> Box | None:
    found = _BOUNDS.match(bounds)
    return Box(*(int(number) for number in found.groups())) if found else None
