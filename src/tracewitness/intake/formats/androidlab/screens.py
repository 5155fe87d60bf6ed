"""What AndroidLab recorded before each step: the UI dump, the activity and, in the modes with pictures, the screen."""

import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import names_in
from tracewitness.intake.elements import Element, dump_elements
from tracewitness.intake.errors import BadRunError, UnsafeXmlError
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.ui_dump import read_dump
from tracewitness.intake.untyped import text_of
from tracewitness.trace_side.trace import Observation

_FAILED = "ERROR"
_PLACES = ("xml", "Screen")
_TAKEN = re.compile(r"^screenshot-(?:(\d{1,6})|end)-[\d.]{1,32}(?:-before)?\.png$")


@dataclass(slots=True)
class Screen:
    """One screen, with the elements on it that have a name."""

    seen: Observation | None
    elements: tuple[Element, ...] = ()


@dataclass(slots=True)
class Screens:
    """The screens of a run's folder."""

    folder: RunFolder
    names: dict[str, frozenset[str]]
    missing: list[str] = field(default_factory=list[str])
    notices: list[str] = field(default_factory=list[str])
    gaps: set[Gap] = field(default_factory=set[Gap])

    @classmethod
    def of(cls, folder: RunFolder) -> "Screens":
        """Return the screens of a folder."""
        return cls(folder, {place: _held(folder.root / place, place) for place in _PLACES})

    def before(self, record: dict[str, Any]) -> Screen:
        """Return what a line of the log says was seen before its step.

        Raises:
            UnsafeXmlError: A dump holds entities or a document type.
        """
        tree, elements = self._dump(record)
        url = text_of(record.get("current_activity")).strip() or None
        picture, image = None, _base(record.get("image"))
        if image:
            picture = self.folder.screenshot(f"Screen/{image}")
            if picture.digest is None:
                self.missing.append(picture.name)
                picture = None
        if tree is None and picture is None and url is None:
            return Screen(None)
        return Screen(Observation(ui_tree=tree, url=url, screenshot=picture), elements)

    def trailing(self, index: int) -> Screen:
        """Return what was recorded after the last line: the beginning of a step without a line, or the last picture."""
        dump = f"{index}.xml"
        tree, elements = self._read(dump, expected=False) if dump in self.names["xml"] else (None, ())
        taken = sorted(name for name in self.names["Screen"] if _is_of(name, index))
        pictures = [self.folder.screenshot(f"Screen/{name}") for name in taken]
        picture = next((one for one in pictures if one.digest is not None), None)
        return Screen(Observation(ui_tree=tree, screenshot=picture) if tree or picture else None, elements)

    def _dump(self, record: dict[str, Any]) -> tuple[str | None, tuple[Element, ...]]:
        logged = [record.get("xml"), record.get("ac_xml")]
        names = [name for one in logged if (name := _base(one)) and name != _FAILED]
        if not names:
            if _FAILED in logged:
                self.notices.append("a UI dump could not be taken")
                self.gaps.add(Gap.UNREADABLE_OBSERVATION)
            return None, ()
        return self._read(self._filed(names[0]), expected=True)

    def _filed(self, name: str) -> str:
        """Return the name of a dump as it was filed: the tool logs ``ac_<n>.xml`` and writes ``<n>.xml``."""
        bare = name.removeprefix("ac_")
        return bare if name not in self.names["xml"] and bare in self.names["xml"] else name

    def _read(self, name: str, expected: bool) -> tuple[str | None, tuple[Element, ...]]:
        tree = self.folder.text(f"xml/{name}")
        try:
            if tree is None:
                raise BadRunError("it is missing, empty or cannot be read")
            return tree, dump_elements(read_dump(tree))
        except UnsafeXmlError as error:
            raise error.at(where=f"xml/{name}") from None
        except BadRunError as error:
            self.notices.append(f"xml/{name}: {error.problem}")
            if expected:
                self.gaps.add(Gap.UNREADABLE_OBSERVATION)
            return None, ()


def _held(place: Path, name: str) -> frozenset[str]:
    return names_in(place, name) if place.is_dir() else frozenset()


def _base(path: Any) -> str:
    """Return the last part of a logged path, which is one of the recording machine."""
    name = PurePosixPath(text_of(path).replace("\\", "/")).name
    return "" if name in ("", "..") else name


def _is_of(name: str, index: int) -> bool:
    found = _TAKEN.match(name)
    return found is not None and found.group(1) in (None, str(index))
