"""The screens and UI trees of a UFO task folder."""

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import names_in
from tracewitness.intake.errors import IntakeError, UnsafePathError
from tracewitness.intake.formats.ufo.log import Record
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.untyped import text_of
from tracewitness.trace_side.trace import Observation, Screenshot

_FINAL = re.compile(r"^action_round_(\d{1,5})_(?:sub_round_(\d{1,5})_)?final\.png$")
_TREES = ("ui_trees", "ui_tree")
_LAST = "action_step_final.png"
_PATHS = ("cleanscreenshotpath", "desktopscreenshotpath")


@dataclass(slots=True)
class Screens:
    """The screens of a folder: a picture and a UI tree before each step, and a last picture."""

    folder: RunFolder
    names: frozenset[str]
    place: str
    trees: frozenset[str]
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])

    @classmethod
    def of(cls, folder: RunFolder, name: str) -> "Screens":
        """Return the screens of a folder, named as the user did."""
        names = names_in(folder.root, name)
        place = next((one for one in _TREES if one in names), "")
        try:
            trees = names_in(folder.locate(place), name) if place else frozenset[str]()
        except IntakeError:
            trees = frozenset[str]()
        return cls(folder, names, place, trees)

    def before(self, record: Record) -> Observation | None:
        """Return the screen before a step."""
        named = next((text for key in _PATHS if (text := text_of(record.fields.get(key)))), "")
        plain = f"action_step{record.step}.png" if record.step is not None else ""
        shot = self._picture(named or (plain if plain in self.names else ""), plain)
        tree = self._tree(f"ui_tree_step{record.step}.json") if record.step is not None else None
        return Observation(None, tree, None, shot) if tree or shot else None

    def last(self) -> Observation | None:
        """Return the screen after everything."""
        final = [(int(found.group(1)), found.group(2) is None, name) for name, found in self._finals()]
        name = _LAST if _LAST in self.names else max(final)[2] if final else ""
        shot = self._picture(name, "") if name else None
        tree = self._tree("ui_tree_final.json")
        return Observation(None, tree, None, shot) if tree or shot else None

    def _finals(self) -> list[tuple[str, re.Match[str]]]:
        return [(name, found) for name in sorted(self.names) if (found := _FINAL.match(name))]

    def _picture(self, name: str, plain: str) -> Screenshot | None:
        """Return a picture, looked for by its bare name: paths are of the recording machine."""
        bare = PurePosixPath(name.replace("\\", "/")).name
        for one in dict.fromkeys(filter(None, (bare, plain))):
            try:
                shot = self.folder.screenshot(one)
            except UnsafePathError:
                continue
            if shot.digest is not None:
                return shot
        if bare:
            self.missing.append(bare)
            self.gaps.add(Gap.UNREADABLE_OBSERVATION)
        return None

    def _tree(self, name: str) -> str | None:
        if name not in self.trees:
            return None
        try:
            tree = self.folder.text(f"{self.place}/{name}")
            if tree:
                parse_json(tree)
                return tree
            problem = "empty or not readable"
        except IntakeError as error:
            problem = error.problem
        self.notices.append(f"{self.place}/{name}: {problem}")
        self.gaps.add(Gap.UNREADABLE_OBSERVATION)
        return None
