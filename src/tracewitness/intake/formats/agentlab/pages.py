"""What a browser showed at a step: text of the page, its address, a picture, and the names of its elements."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.intake.array_pictures import Picture
from tracewitness.intake.formats.agentlab.axtree import axtree_text
from tracewitness.intake.limits import Limits
from tracewitness.intake.pickles import Array
from tracewitness.intake.untyped import text_of
from tracewitness.trace_side.trace import Screenshot

_TEXTS = ("axtree_txt", "pruned_html", "dom_txt")
"""Texts of the page that agents prepare, the one that reads best first."""

_BID = re.compile(r"^\s*\[([\w-]{1,40})\] (\S.*)$")
_HTML_BID = re.compile(r'<([a-zA-Z][\w-]{0,30})\b([^<>]{0,2000}?)\bbid="([\w-]{1,40})"([^<>]{0,2000})>([^<]{0,300})')
_ATTRIBUTES = re.compile(r"(?:, | value=)[\s\S]*$")
_NAMING = re.compile(r'\b(?:aria-label|value|placeholder|name|title|id)="([^"]{1,200})"')
_LONGEST_LABEL = 200
_LONGEST_LINE = 2_000
_MOST_TABS = 50


@dataclass(frozen=True, slots=True)
class Page:
    """What was seen.

    Attributes:
        tree: The page as text.
        url: The address of the active tab.
        tabs: The tabs, where there are several.
        picture: A picture that the step file itself holds.
        cut: Whether the page was larger than is read.
    """

    tree: str | None
    url: str | None
    tabs: str | None
    picture: Screenshot | None
    cut: bool = False

    def labels(self) -> dict[str, str]:
        """Return how a person would call the elements of the page, by their ids."""
        found: dict[str, str] = {}
        for bid, label in _written_labels(self.tree or ""):
            found.setdefault(bid, label[:_LONGEST_LABEL])
        return found


def page_of(seen: Mapping[Any, Any], file: str, limits: Limits) -> Page:
    """Return what an observation shows."""
    tree = next((text for name in _TEXTS if (text := text_of(seen.get(name)).strip("\n"))), "")
    tree = tree or axtree_text(seen.get("axtree_object"), limits.dump)
    urls, titles = _listed(seen.get("open_pages_urls")), _listed(seen.get("open_pages_titles"))
    active = _active(seen.get("active_page_index"), len(urls))
    url = text_of(seen.get("url")) or (urls[active] if urls else "")
    pixels = seen.get("screenshot")
    mark = pixels.mark if isinstance(pixels, Array) else None
    picture = Screenshot(f"{file}!obs.screenshot", mark.digest) if isinstance(mark, Picture) else None
    return Page(tree[: limits.dump] or None, url or None, _tabs(urls, titles), picture, len(tree) > limits.dump)


def _listed(value: Any) -> list[str]:
    given = cast(list[Any], value)[:_MOST_TABS] if isinstance(value, list | tuple) else []
    return [text_of(one) for one in given]


def _active(value: Any, count: int) -> int:
    """Return the position of the active tab: an array of one number; the last tab where it cannot be told."""
    content = value.mark if isinstance(value, Array) else None
    number = int.from_bytes(content, "little") if isinstance(content, bytes) and len(content) in (4, 8) else count - 1
    return number if 0 <= number < count else max(count - 1, 0)


def _tabs(urls: list[str], titles: list[str]) -> str | None:
    if len(urls) < 2:
        return None
    names = [*titles, *[""] * (len(urls) - len(titles))]
    told = enumerate(zip(names, urls, strict=False))
    return "\n".join(f"tab {at}: {name} {url}".rstrip() for at, (name, url) in told)


def _written_labels(tree: str) -> Iterator[tuple[str, str]]:
    """Yield ids with names: of ``[a51] button 'Save', focused`` the role and the name, of HTML what names the tag."""
    for line in tree.splitlines():
        found = _BID.match(line[:_LONGEST_LINE])
        if found is not None:
            yield found.group(1), _ATTRIBUTES.sub("", found.group(2)).strip()
    for tag in _HTML_BID.finditer(tree) if 'bid="' in tree else ():
        name, before, bid, behind, text = tag.groups()
        naming = _NAMING.search(before + " " + behind)
        told = text.strip() or (naming.group(1) if naming else "")
        yield bid, f"{name.lower()} '{told}'" if told else name.lower()
