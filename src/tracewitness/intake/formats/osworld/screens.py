"""What was on the screen: pictures after an action (OSWorld), or everything before it (WindowsAgentArena)."""

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import names_in
from tracewitness.intake.elements import Element
from tracewitness.intake.errors import BadRunError, IntakeError, UnsafePathError
from tracewitness.intake.formats.osworld.accessibility import tree_elements
from tracewitness.intake.formats.osworld.log import Log, Record
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.ui_dump import read_dump
from tracewitness.trace_side.trace import Observation, Screenshot

_NO_TREE = "No data available"
_FIRST = re.compile(r"^(?:step_0(?:_.*)?|initial_state|initial_screenshot)\.(?:png|jpg|jpeg)$")
_AFTER = re.compile(r"^step_(\d{1,6})(?:_\d[\d@]{0,40})?\.(?:png|jpg|jpeg)$")
_LAST = re.compile(r"^(?:screenshot|accessibility_tree)-step_(\d{1,6})_.*\.(?:png|txt)$")
_TOLD = (
    ("window_title", "window"),
    ("window_names_str", "open windows"),
    ("computer_clipboard", "clipboard"),
    ("terminal", "terminal"),
)
"""What else WindowsAgentArena saw, by key, and how it is written in the observation."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen: what the trace shows of it, and its named elements."""

    observation: Observation | None = None
    elements: tuple[Element, ...] = ()


@dataclass(slots=True)
class Screens:
    """The screens of a run's folder.

    Attributes:
        folder: The folder.
        names: The names in it.
        gaps: What could not be read.
        notices: What a person should know of them.
        missing: Pictures that the log names and that are not there.
    """

    folder: RunFolder
    names: frozenset[str]
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])

    @classmethod
    def of(cls, folder: RunFolder, name: str) -> "Screens":
        """Return the screens of a folder, named as the user did."""
        return cls(folder, names_in(folder.root, name))

    def first(self, start: Record | None) -> Screen:
        """Return the screen before the first action; empty where none was kept."""
        if start is not None:
            named = start.fields.get("screenshot_file") or start.fields.get("initial_state")
            found = self.whole(start) if named is None else self._of_picture(str(named), start.step)
            if found.observation is not None:
                return found
        kept = sorted(name for name in self.names if _FIRST.match(name))
        return self._of_picture(kept[0], 0) if kept else Screen()

    def after(self, record: Record) -> Screen:
        """Return the screen after an action of OSWorld; where its line names none, the picture of its number."""
        named = record.fields.get("screenshot_file") or self._numbered(record.step)
        return self._of_picture(named, record.step) if isinstance(named, str) and named else Screen()

    def _numbered(self, step: int) -> str | None:
        """Return the latest picture that has the number of a step; times in names are as long as one another."""
        found = [name for name in self.names if (match := _AFTER.match(name)) and int(match.group(1)) == step]
        return max(found, default=None) if step > 0 else None

    def whole(self, record: Record) -> Screen:
        """Return what WindowsAgentArena saw before an action."""
        fields = record.fields
        picture = fields.get("screenshot")
        shot = self._picture(picture, None) if isinstance(picture, str) and picture else None
        tree, elements = self._tree(fields.get("accessibility_tree"))
        return Screen(_observation(_told(fields), tree, shot), elements)

    def last(self, log: Log) -> Screen:
        """Return what WindowsAgentArena saw at the end; the log does not name its files."""
        after = (log.records[-1].step if log.records else 0) - 1
        shot = self._newest([*self._below("screenshot")], "screenshot/", after)
        trees = self._newest([name for name in self.names if name.startswith("accessibility_tree-")], "", after)
        tree, elements = self._tree(trees)
        picture = self._picture(shot, None) if shot else None
        return Screen(_observation("", tree, picture), elements)

    def _below(self, name: str) -> frozenset[str]:
        try:
            return names_in(self.folder.locate(name), name) if name in self.names else frozenset()
        except IntakeError:
            return frozenset()

    def _newest(self, names: list[str], prefix: str, after: int) -> str | None:
        found = [(int(match.group(1)), name) for name in names if (match := _LAST.match(name))]
        later = max((one for one in found if one[0] > after), default=None)
        return f"{prefix}{later[1]}" if later else None

    def _of_picture(self, name: str, step: int) -> Screen:
        shot = self._picture(name, step)
        beside = f"{name.rsplit('.', 1)[0]}_a11y.xml"
        tree, elements = self._tree(beside if PurePosixPath(beside).name in self.names else None)
        return Screen(_observation("", tree, shot), elements)

    def _picture(self, name: str, step: int | None) -> Screenshot | None:
        """Return a picture, looked for by its bare name too: a path of the recording machine may lead anywhere.

        One runner writes ``step_<n>.png`` and names the file with a time that it does not have.
        """
        bare = PurePosixPath(name.replace("\\", "/")).name
        names = [name, bare, *([f"step_{step}.png"] if step is not None else [])]
        for one in dict.fromkeys(names):
            try:
                shot = self.folder.screenshot(one)
            except UnsafePathError:
                continue
            if shot.digest is not None:
                return shot
        self.missing.append(bare or name)
        self.gaps.add(Gap.UNREADABLE_OBSERVATION)
        return None

    def _tree(self, name: Any) -> tuple[str | None, tuple[Element, ...]]:
        if not isinstance(name, str) or not name.strip():
            return None, ()
        inline = name.lstrip().startswith("<") or "\n" in name
        try:
            tree = name if inline else self.folder.text(PurePosixPath(name.replace("\\", "/")).name)
            if not tree:
                raise BadRunError("is missing, empty or cannot be read")
            if tree.strip() == _NO_TREE:
                return None, ()
            if tree.lstrip("\ufeff \t\r\n").startswith("<"):
                return tree, tree_elements(read_dump(tree))
            self.notices.append(f"the accessibility tree{'' if inline else f' {name[:120]}'} is no XML; kept as text")
            return tree, ()
        except UnsafePathError:
            problem = "leads out of the folder"
        except BadRunError as error:
            problem = error.problem
        self.notices.append(f"the accessibility tree{'' if inline else f' {name[:120]}'}: {problem}")
        self.gaps.add(Gap.UNREADABLE_OBSERVATION)
        return None, ()


def _told(fields: dict[str, Any]) -> str:
    told = [(label, fields.get(key)) for key, label in _TOLD]
    return "\n".join(f"{label}: {value.strip()}" for label, value in told if isinstance(value, str) and value.strip())


def _observation(text: str, tree: str | None, shot: Screenshot | None) -> Observation | None:
    if not (text or tree or shot):
        return None
    return Observation(text or None, tree, None, shot)
