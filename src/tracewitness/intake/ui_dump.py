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
    """One node of a dump: its attributes as written, its bounds (None if unreadable), its children in order."""

    attributes: dict[str, str]
    box: Box | None
    children: list["Node"] = field(default_factory=list["Node"])

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below it in document order."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


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
