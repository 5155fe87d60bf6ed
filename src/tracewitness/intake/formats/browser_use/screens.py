"""What the browser showed: the state of a round as an observation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import names_in
from tracewitness.intake.errors import UnreadableError
from tracewitness.intake.formats.browser_use.history import Json, Round
from tracewitness.intake.inline import inline_digest
from tracewitness.intake.paths import RunFolder
from tracewitness.trace_side.trace import Observation, Screenshot
from tracewitness.values.digests import canonical_json


@dataclass(slots=True)
class Screens:
    """Turns states into observations; collects what was missing on the way."""

    folder: RunFolder
    places: Mapping[str, frozenset[str]]
    gaps: set[Gap] = field(default_factory=set[Gap])
    salvaged: int = 0
    ambiguous: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])

    @classmethod
    def beside(cls, folder: RunFolder) -> "Screens":
        """Look for screenshots beside the log: in its folder, ``screenshots/``, and ``*/screenshots/``."""
        below = sorted(name for name in names_in(folder.root, str(folder.root)) if _is_folder(folder.root / name))
        places = ("", "screenshots", *(f"{name}/screenshots" for name in below))
        return cls(folder, {place: _names_below(folder.root, place) for place in places})

    def observation(self, one: Round) -> Observation | None:
        """Return what the browser showed before a round; None where the state says nothing."""
        salvage = one.salvage
        self.salvaged += salvage.text is not None
        if salvage.ambiguous:
            self.ambiguous.append(one.where)
            self.gaps.add(Gap.UNREADABLE_OBSERVATION)
        text, tree = _page_lines(one.state), salvage.text or _items(one.state)
        url = one.state.get("url")
        screenshot = self._screenshot(one)
        if not (text or tree or url or screenshot):
            return None
        if screenshot is not None and tree is None:
            self.gaps.add(Gap.SCREENSHOT_ONLY)
        return Observation(text, tree, url if isinstance(url, str) else None, screenshot)

    def _screenshot(self, one: Round) -> Screenshot | None:
        path, inline = one.state.get("screenshot_path"), one.state.get("screenshot")
        if isinstance(inline, str) and inline:
            return Screenshot(f"!{one.where}.state.screenshot", inline_digest(inline))
        if not isinstance(path, str) or not path:
            return None
        # The path is absolute, from the recording machine; only the names in it mean anything here.
        recorded = PurePosixPath(path.replace("\\", "/"))
        name = recorded.name
        for place in self._places(recorded):
            found = self.folder.screenshot(f"{place}/{name}" if place else name)
            if found.digest is not None:
                return found
        self.missing.append(name)
        return Screenshot(name)

    def _places(self, recorded: PurePosixPath) -> list[str]:
        """Return where a picture may lie: in the folder of its own agent, else beside the log, else in the one other.

        Every run has a ``step_1.png``. Of several other folders that hold one, nobody can tell whose it is.
        """
        holding = [place for place, names in self.places.items() if recorded.name in names]
        own = f"{recorded.parent.parent.name}/screenshots"
        if own in holding:
            return [own]
        beside = [place for place in holding if "/" not in place]
        return beside or (holding if len(holding) == 1 else [])


def _names_below(root: Path, place: str) -> frozenset[str]:
    try:
        return names_in(root / place, place)
    except UnreadableError:
        return frozenset()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _page_lines(state: Json) -> str | None:
    """Return title and tabs as lines; the address has its own place in an observation."""
    title = state.get("title")
    lines = [f"page '{title}'"] if isinstance(title, str) and title else []
    tabs = state.get("tabs")
    if isinstance(tabs, list) and len(cast(Sequence[Any], tabs)) > 1:
        for tab in cast(list[Any], tabs):
            keys = cast(dict[str, Any], tab) if isinstance(tab, dict) else {}
            lines.append(f"tab '{keys.get('title') or ''}' {keys.get('url') or ''}".rstrip())
    return "\n".join(lines) or None


def _items(state: Json) -> str | None:
    """Return the element list that the pre-release kept in the state."""
    items = state.get("items")
    if isinstance(items, str):
        return items or None
    return canonical_json(items) if items else None
