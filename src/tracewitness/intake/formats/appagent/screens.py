"""The screens of an AppAgent folder: pictures and UI dumps by their names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, IntakeError, UnsafeXmlError
from tracewitness.intake.formats.appagent.rounds import Log
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import open_plain
from tracewitness.intake.ui_dump import Node, read_dump
from tracewitness.trace_side.trace import Observation
from tracewitness.values.picture_heads import read_head

_SUFFIX = re.compile(r"_(?:labeled|grid)\.png$|\.png$")
_HEAD = 64 * 1024


@dataclass(slots=True)
class Screen:
    """One screen: what the trace shows of it, its parsed dump, and the size of its picture where that is known."""

    observation: Observation | None
    dump: Node | None
    size: tuple[int, int] | None = None


@dataclass(slots=True)
class Screens:
    """The screens of a run's folder; ``names`` are the files in it, ``base`` what their names begin with."""

    folder: RunFolder
    names: frozenset[str]
    base: str = ""
    notices: list[str] = field(default_factory=list[str])
    gaps: set[Gap] = field(default_factory=set[Gap])

    @classmethod
    def of(cls, folder: RunFolder, names: frozenset[str], log: Log) -> "Screens":
        """Return the screens; the base name comes from the first image name of the log, or from the folder's name."""
        bare = PurePosixPath(log.rounds[0].image.replace("\\", "/")).name
        base, _, number = _SUFFIX.sub("", bare).rpartition("_")
        return cls(folder, names, base if base and number.isdigit() else folder.root.name)

    def screen(self, number: int, expected: bool = True) -> Screen:
        """Return the screen before round ``number``; without observation where nothing of it is there.

        Raises:
            UnsafeXmlError: Its dump holds entities or a document type.
            UnsafePathError: A file of it is a link out of the folder.
        """
        stem = f"{self.base}_{number}"
        return self.named(f"screen {number}", f"{stem}.xml", list(_pictures(stem)), expected)

    def named(self, what: str, dump_name: str, pictures: Iterable[str], expected: bool = True) -> Screen:
        """Return the screen of a dump and of the first picture that is there.

        Args:
            what: How a notice calls it.
            dump_name: The name of its dump; empty where there is never one.
            pictures: The names of its picture, the best first.
            expected: Whether it is missing where nothing of it is there.
        """
        tree, dump = self._dump(dump_name, expected)
        there = [name for name in pictures if name in self.names]
        screenshot = self.folder.screenshot(there[0]) if there else None
        if tree is None and screenshot is None:
            if expected:
                self.notices.append(f"{what} is missing")
                self.gaps.add(Gap.UNREADABLE_OBSERVATION)
            return Screen(None, None)
        return Screen(Observation(ui_tree=tree, screenshot=screenshot), dump, self._size(there))

    def _dump(self, name: str, expected: bool) -> tuple[str | None, Node | None]:
        if name not in self.names:
            return None, None
        tree = self.folder.text(name)
        try:
            if tree is None:
                raise BadRunError("the UI dump is empty or cannot be read")
            return tree, read_dump(tree)
        except UnsafeXmlError as error:
            raise error.at(where=name) from None
        except BadRunError as error:
            self.notices.append(f"{name}: {error.problem}")
            if expected:
                self.gaps.add(Gap.UNREADABLE_OBSERVATION)
            return None, None

    def _size(self, names: list[str]) -> tuple[int, int] | None:
        """Return width and height of the first picture that states them."""
        for name in names:
            try:
                with open_plain(self.folder.locate(name)) as stream:
                    head = read_head(stream.read(_HEAD))
            except (IntakeError, OSError):
                continue
            if head is not None:
                return head.width, head.height
        return None


def _pictures(stem: str) -> Iterator[str]:
    return (f"{stem}{kind}.png" for kind in ("", "_labeled", "_grid"))
