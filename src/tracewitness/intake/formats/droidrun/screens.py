"""The looks at the screen: ``ui_states/<n>.json`` and ``screenshots/<n>.png``, counted from 0 in the order taken."""

import re
from dataclasses import dataclass, field
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import names_in
from tracewitness.intake.elements import Element
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.ui_dump import Box
from tracewitness.intake.untyped import list_of, objects_of, text_of
from tracewitness.trace_side.trace import Observation, Screenshot

_STATE = re.compile(r"^0*(\d{1,6})\.json$")
_PICTURE = re.compile(r"^0*(\d{1,6})\.png$")
_MOST = 20_000
_DEEPEST = 100


@dataclass(slots=True)
class Look:
    """One look at the screen: what was seen, and its elements by their numbers and in order."""

    seen: Observation | None = None
    by_number: dict[int, str] = field(default_factory=dict[int, str])
    elements: list[Element] = field(default_factory=list[Element])


@dataclass(slots=True)
class Looks:
    """The looks of a run: the files of their states and of their pictures, by number."""

    folder: RunFolder
    states: dict[int, str] = field(default_factory=dict[int, str])
    pictures: dict[int, str] = field(default_factory=dict[int, str])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])

    @classmethod
    def of(cls, folder: RunFolder) -> "Looks":
        """Return the looks of a folder."""
        return cls(folder, _numbered(folder, "ui_states", _STATE), _numbered(folder, "screenshots", _PICTURE))

    def keep(self, least: int, most: int) -> None:
        """Leave out states or pictures of which there are fewer or more than looks: nobody can tell which are which."""
        for name, files in (("ui_states", self.states), ("screenshots", self.pictures)):
            count = max(files, default=-1) + 1
            if files and not least <= count <= most:
                self.notices.append(f"{name}/ holds {count} of {least} expected: their places are not known")
                self.gaps.add(Gap.UNREADABLE_OBSERVATION)
                files.clear()

    def at(self, number: int | None) -> Look:
        """Return the look with a number, from 0; an empty one where there is none."""
        if number is None:
            return Look()
        look, tree = Look(), None
        if number in self.states:
            tree = self._state(self.states[number], look)
        elif self.states and number <= max(self.states):
            self._lost(f"ui_states/{number}.json")
        picture = self._picture(number)
        if tree is not None or picture is not None:
            look.seen = Observation(ui_tree=tree, screenshot=picture)
        return look

    def _state(self, name: str, look: Look) -> str | None:
        text = self.folder.text(name)
        try:
            value: Any = parse_json(text) if text is not None else None
        except IntakeError:
            value = None
        if value is None:
            self._lost(name)
            return None
        lines = list[str]()
        _walk(value, look, lines, 0)
        return "\n".join(lines) or None

    def _picture(self, number: int) -> Screenshot | None:
        if number not in self.pictures:
            if self.pictures and number <= max(self.pictures):
                self._lost(f"screenshots/{number:04d}.png")
            return None
        picture = self.folder.screenshot(self.pictures[number])
        if picture.digest is None:
            self._lost(picture.name)
            return None
        return picture

    def _lost(self, name: str) -> None:
        notice = f"{name} is missing or cannot be read"
        self.gaps.add(Gap.UNREADABLE_OBSERVATION)
        if notice not in self.notices:
            self.notices.append(notice)


def _numbered(folder: RunFolder, below: str, pattern: re.Pattern[str]) -> dict[int, str]:
    place = folder.root / below
    names = names_in(folder.locate(below), below) if place.is_dir() else frozenset[str]()
    found = [(pattern.match(name), name) for name in sorted(names)]
    return {int(match.group(1)): f"{below}/{name}" for match, name in found if match}


def _walk(value: Any, look: Look, lines: list[str], depth: int) -> None:
    """Write a list of elements as lines, one an element, and keep their names and bounds."""
    for element in objects_of(value if isinstance(value, list) else [value]):
        if len(lines) >= _MOST or depth > _DEEPEST:
            return
        text, number = text_of(element.get("text")).strip(), element.get("index")
        kind = text_of(element.get("className")).rsplit(".", 1)[-1]
        shown = text if text and text != kind else ""
        marks = [kind or "element", *([f'"{_quoted(shown)}"'] if shown else []), *_state_of(element)]
        lines.append(f"{'  ' * depth}[{number}] {' '.join(marks)}" if isinstance(number, int) else " ".join(marks))
        label = shown or text_of(element.get("resourceId")).rsplit("/", 1)[-1] or kind
        if isinstance(number, int) and not isinstance(number, bool):
            look.by_number[number] = label
        box = _box(element.get("bounds"))
        if box is not None and shown:
            look.elements.append(Element(label, box))
        _walk(list_of(element.get("children")), look, lines, depth + 1)


def _state_of(element: dict[str, Any]) -> list[str]:
    """Return what an element says of its state beside its text."""
    checked = text_of(element.get("checkedState")).strip()
    return [f"checked={checked.rpartition('=')[2].lower()}"] if checked else []


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _box(bounds: Any) -> Box | None:
    parts = text_of(bounds).split(",")
    if len(parts) != 4 or not all(part.strip().lstrip("-").isdigit() and len(part) < 10 for part in parts):
        return None
    left, top, right, bottom = (int(part) for part in parts)
    return Box(left, top, right, bottom)
