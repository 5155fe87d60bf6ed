"""Frame snapshots as trees: resolving what a snapshot does not repeat.

A snapshot is ``[name, attributes, child, ...]`` with texts as strings. What has not changed since an earlier snapshot
of the same frame is ``[[snapshots ago, node number]]``; the nodes of a snapshot that are written out are counted
children first. Trees share what they refer to, so a reference costs nothing; sizes and depths are counted on the way,
because a few references can stand for more nodes than any memory holds. A node stands in a page once: the recorder
walks the page as it is, so a page that refers to a node twice was made up, and is not looked through.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

_KEPT = frozenset(
    "id class role type value placeholder title alt name for hidden style open popover disabled checked selected "
    "multiple contenteditable autocomplete rel href media".split()
)
_KEPT_PREFIXES = ("aria-", "__playwright_")
FRAME_TAGS = frozenset({"IFRAME", "FRAME"})
_HREF_TAGS = frozenset({"BASE", "LINK", "A"})

MOST_NODES = 400_000
"""Most nodes of one page, and of all snapshots that are held for later references."""

DEEPEST = 200
_LONGEST_VALUE = 20_000
_TEXT_OF_A_NODE = 256
"""Characters of a text that count as one node more."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element: its tag in upper case, the attributes that matter for what is shown, its children in order.

    ``size`` and ``depth`` count the element and all below it, a long text as several nodes; ``cut`` says that something
    below was left out.
    """

    tag: str
    attributes: Mapping[str, str]
    children: "tuple[Node, ...]"
    size: int = 1
    depth: int = 1
    cut: bool = False


Node: TypeAlias = Element | str


@dataclass(slots=True)
class _Open:
    """An element whose children are being read."""

    tag: str
    attributes: dict[str, str]
    pending: list[Any]
    children: list[Node] = field(default_factory=list[Node])
    cut: bool = False


@dataclass(slots=True)
class _History:
    """The snapshots of one frame: how many there were, and the nodes of those still held."""

    count: int = 0
    nodes: dict[int, list[Node]] = field(default_factory=dict[int, list[Node]])


class Frames:
    """Resolves the snapshots of all frames of a recording, in the order in which they were taken.

    Attributes:
        items: How many nodes and references the snapshots held so far, as they were written.
    """

    def __init__(self, most_nodes: int = MOST_NODES) -> None:
        self._histories: dict[str, _History] = {}
        self._held: deque[tuple[_History, int]] = deque()
        self._count = 0
        self._most = most_nodes
        self.items = 0

    def add(self, frame: str, html: Any) -> Element | None:
        """Return the tree of the next snapshot of a frame; None where it is no element."""
        history = self._histories.setdefault(frame, _History())
        number, history.count = history.count, history.count + 1
        written: list[Node] = []
        root = self._resolved(html, history, number, written)
        history.nodes[number] = written
        self._held.append((history, number))
        self._count += len(written)
        while self._count > self._most and len(self._held) > 1:
            oldest, at = self._held.popleft()
            self._count -= len(oldest.nodes.pop(at))
        return root if isinstance(root, Element) else None

    def _resolved(self, html: Any, history: _History, number: int, written: list[Node]) -> Node | None:
        top = _Open("", {}, [html])
        stack = [top]
        while stack:
            last = stack[-1]
            if not last.pending:
                stack.pop()
                if stack:
                    made = _made(last, self._most)
                    written.append(made)
                    stack[-1].children.append(made)
                continue
            item = last.pending.pop()
            self.items += 1
            if isinstance(item, str):
                written.append(item)
                last.children.append(item)
            elif (opened := _opened(item)) is not None:
                stack.append(opened)
            else:
                found = _referred(item, history, number)
                if found is None:
                    last.cut = True
                else:
                    last.children.append(found)
        return top.children[0] if top.children else None


def _opened(item: Any) -> _Open | None:
    parts = cast(list[Any], item) if isinstance(item, list) else []
    if not parts or not isinstance(parts[0], str):
        return None
    tag = parts[0].upper()
    given = cast(dict[str, Any], parts[1]) if len(parts) > 1 and isinstance(parts[1], dict) else {}
    attributes = {
        key: value[:_LONGEST_VALUE] for key, value in given.items() if isinstance(value, str) and _matters(key, tag)
    }
    return _Open(tag, attributes, parts[:1:-1])


def _matters(key: str, tag: str) -> bool:
    if key == "href":
        return tag in _HREF_TAGS
    if key == "src":
        return tag in FRAME_TAGS
    return key in _KEPT or key.startswith(_KEPT_PREFIXES)


def _made(opened: _Open, most: int) -> Element:
    size, depth, children, cut = 1, 1, list[Node](), opened.cut
    for child in opened.children:
        child_size, child_depth = (
            (child.size, child.depth) if isinstance(child, Element) else (1 + len(child) // _TEXT_OF_A_NODE, 1)
        )
        if size + child_size > most or child_depth >= DEEPEST:
            cut = True
            continue
        size += child_size
        depth = max(depth, child_depth + 1)
        cut = cut or (isinstance(child, Element) and child.cut)
        children.append(child)
    return Element(opened.tag, opened.attributes, tuple(children), size, depth, cut)


def _referred(item: Any, history: _History, number: int) -> Node | None:
    """Return the node that ``[[snapshots ago, node number]]`` stands for; None where it is not held."""
    outer = cast(list[Any], item) if isinstance(item, list) else []
    pair = cast(list[Any], outer[0]) if len(outer) == 1 and isinstance(outer[0], list) else []
    if len(pair) != 2 or not all(isinstance(one, int) and not isinstance(one, bool) for one in pair):
        return None
    ago, at = cast(list[int], pair)
    nodes = history.nodes.get(number - ago) if ago > 0 else None
    return nodes[at] if nodes is not None and 0 <= at < len(nodes) else None


def stands_twice(root: Element) -> bool:
    """Tell whether a page holds one and the same element in two places, as no recorded page does."""
    met: set[int] = set()
    for one in elements_of(root):
        if id(one) in met:
            return True
        met.add(id(one))
    return False


def elements_of(root: Element) -> Iterator[Element]:
    """Yield an element and all below it in document order."""
    pending: list[Element] = [root]
    while pending:
        one = pending.pop()
        yield one
        for child in reversed(one.children):
            if isinstance(child, Element):
                pending.append(child)
