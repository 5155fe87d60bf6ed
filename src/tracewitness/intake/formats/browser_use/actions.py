"""Actions and their results: which words are the environment's, and which are a model's."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from tracewitness.intake.calls import point_of
from tracewitness.intake.finishing import FINISH_KINDS
from tracewitness.intake.formats.browser_use.arguments import FILE_WRITES, role
from tracewitness.intake.formats.browser_use.history import Json
from tracewitness.intake.own_words import Hidden, asks, size_of
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.roles import Role

DONE = "done"

KINDS: Mapping[str, str] = {
    "go_to_url": "navigate",
    "navigate": "navigate",
    "open_tab": "navigate",
    "search": "search",
    "search_google": "search",
    "click": "click",
    "click_element": "click",
    "click_element_by_index": "click",
    "input": "type",
    "input_text": "type",
    "send_keys": "press_key",
    "switch": "switch_tab",
    "close": "close_tab",
    "go_back": "navigate_back",
    "scroll_down": "scroll",
    "scroll_up": "scroll",
    "scroll_to_text": "find_text",
    "select_dropdown": "select",
    "select_dropdown_option": "select",
    "dropdown_options": "read_options",
    "get_dropdown_options": "read_options",
    DONE: "finish",
}
"""Action names of all generations, brought to one word each; a name that is not here is kept."""

_MODEL_MADE = FILE_WRITES | {"read_file", "read_long_content"}
"""Results of these repeat or summarise a model's own words; so do those of every ``extract...`` action."""

_TOLD = frozenset({"is_done", "extracted_content", "error", "metadata", "images"})
"""Keys of a result that hold what the environment answered; any other one is taken for words of an agent."""
_JUDGED = ("judge", "ground_truth", "verdict", "score", "reward")

_FAILED = re.compile(
    r"^\W*(?:element (?:with )?(?:index )?\S+ (?:is )?(?:not available|does not exist|not found|no longer)"
    r"|(?:failed|could not|cannot|unable) |error\b|no element|invalid )",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SortedResult:
    """A result, sorted: the environment's error, the environment's words, and what was hidden."""

    error: str | None
    shown: str | None
    hidden: tuple[Hidden, ...]


def sort_result(
    name: str, result: Json, kinds: frozenset[str] = FINISH_KINDS, arguments: Json = MappingProxyType({})
) -> SortedResult:
    """Sort the result of one action.

    A tool reports some failures in ``extracted_content`` with no error; those are errors here. Nothing is shown of a
    final result (``is_done``), nor where an action by which agents end was refused: such a result repeats the report.
    """
    one = role(name, arguments, kinds)
    final = bool(result.get("is_done")) or one in (Role.ENDS, Role.UNDECIDED)
    content, error = _text(result.get("extracted_content")), _text(result.get("error"))
    hidden = list(_hidden_keys(result, final))
    if final:
        return SortedResult(None, None, tuple(hidden))
    if content and not (one is Role.NOTES and asks(name)) and is_model_made(name, arguments):
        hidden.append(Hidden("extracted_content", Plane.NARRATION, LeakRoute.SELF_ASSESSMENT, len(content)))
        content = None
    if error and one in (Role.NOTES, Role.DELEGATES):
        hidden.append(Hidden("error", Plane.NARRATION, LeakRoute.SELF_ASSESSMENT, len(error)))
        error = None
    if content and error is None and _FAILED.match(content):
        return SortedResult(content, None, tuple(hidden))
    return SortedResult(error, content, tuple(hidden))


def is_model_made(name: str, arguments: Json = MappingProxyType({})) -> bool:
    """Tell whether an action's result is written by a model rather than by the environment."""
    if name in _MODEL_MADE or name.startswith("extract"):
        return True
    return role(name, arguments) in (Role.NOTES, Role.DELEGATES)


def _hidden_keys(result: Json, final: bool) -> list[Hidden]:
    hidden = list[Hidden]()
    for key, value in result.items():
        if value is None or value is False or value == [] or key.startswith("include_"):
            continue
        if key.startswith(_JUDGED):
            hidden.append(Hidden(key, Plane.GRADING, LeakRoute.GRADING_ECHO, size_of(value)))
        elif key == "long_term_memory" and not final:
            hidden.append(Hidden(key, Plane.NARRATION, LeakRoute.CARRIED_MEMORY, size_of(value)))
        elif key == "success" or (final and key != "is_done"):
            hidden.append(Hidden(key, Plane.REPORT, LeakRoute.FINAL_REPORT, size_of(value)))
        elif key not in _TOLD:
            hidden.append(Hidden(key, Plane.NARRATION, LeakRoute.THOUGHTS, size_of(value)))
    return hidden


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def written(name: str, arguments: Json) -> str:
    """Return an action as it is logged, on one line."""
    return json.dumps({name: arguments}, ensure_ascii=False)


def typed(name: str, arguments: Json) -> str | None:
    """Return what an action typed, chose or pressed; None for actions that type nothing."""
    keys = {"type": ("text",), "press_key": ("keys",), "select": ("text", "option"), "search": ("query",)}
    for key in keys.get(KINDS.get(name, name), ()):
        value = arguments.get(key)
        if isinstance(value, str):
            return value
    return None


def address(arguments: Json) -> str | None:
    """Return the address an action names."""
    return _text(arguments.get("url"))


def point(arguments: Json) -> str | None:
    """Return the point that a click by coordinates names."""
    found = point_of({"x": arguments.get("coordinate_x"), "y": arguments.get("coordinate_y")}) or point_of(arguments)
    return f"({found[0]:g}, {found[1]:g})" if found else None


def element_index(arguments: Json) -> int | None:
    """Return the index of the element an action names."""
    index = arguments.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else None


_NAMING = ("aria-label", "placeholder", "alt", "title", "name", "value", "id", "href")


def interacted_label(element: Any) -> str | None:
    """Return how a person would name an element of ``interacted_element``; None where the log has none."""
    if not isinstance(element, dict):
        return None
    keys = cast(dict[str, Any], element)
    attributes: Any = keys.get("attributes")
    named = [_text(keys.get("ax_name"))]
    if isinstance(attributes, dict):
        named += [_text(cast(dict[str, Any], attributes).get(name)) for name in _NAMING]
    named += [_text(keys.get("x_path")), _text(keys.get("xpath"))]
    return next((name.strip()[:200] for name in named if name), None)


# Lines of a page are hostile and may be long: no pattern may try one part of a line twice (hence ``++`` and ``*+``).
_INDEXED = re.compile(r"^(\s*)(?:\|[^|]*\|)?\*?\[(\d{1,9})\](?:\|[^|]*\|)?<([\w-]++)([^>]*+)>(.*)$")
_KEY = re.compile(r"(?<![\w-])([\w-]++)=")
_NEXT_KEY = re.compile(r"\s(?=[\w-]++=)")
_CLOSING = re.compile(r"</[\w-]++>|/>")


def listed_label(state: str | None, index: int) -> str | None:
    """Return the label of element ``index`` in a browser state listing; None where it is not listed.

    An element's own text stands behind its tag or in the more deeply indented lines below, up to the next element.
    """
    marker = f"[{index}]"
    lines = state.split("\n") if state and marker in state else []
    for at, line in enumerate(lines):
        found = _INDEXED.match(line) if marker in line else None
        if found and int(found.group(2)) == index:
            return _listed(found, lines[at + 1 :])
    return None


def _listed(found: re.Match[str], below: list[str]) -> str:
    inner = [_CLOSING.sub("", found.group(5)).strip()]
    for line in below:
        if _INDEXED.match(line) or len(line) - len(line.lstrip()) <= len(found.group(1)):
            break
        inner.append(line.strip())
    attributes = dict(_attributes(found.group(4).removesuffix("/")))
    named = [attributes.get("aria-label"), " ".join(part for part in inner if part)]
    named += [attributes.get(name) for name in _NAMING]
    return next((name[:200] for name in named if name), found.group(3))


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a tag; a value without quotes goes on to the next attribute."""
    found = _KEY.search(text)
    while found:
        start = found.end()
        end = text.find(text[start], start + 1) if text[start : start + 1] in ("'", '"') else -1
        if end < 0:
            following = _NEXT_KEY.search(text, start)
            end = following.start() if following else len(text)
        yield found.group(1), text[start:end].strip("\"' ")
        found = _KEY.search(text, end)
