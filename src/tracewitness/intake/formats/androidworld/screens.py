"""What the device showed before and after each step."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tracewitness.findings.causes import Gap
from tracewitness.intake.array_pictures import Picture
from tracewitness.intake.formats.androidworld.episodes import DATA, Columns, Episode
from tracewitness.intake.formats.androidworld.ui_elements import Screen, Screens
from tracewitness.intake.pickles import Array
from tracewitness.trace_side.trace import Observation, Screenshot

BEFORE_PICTURES = ("raw_screenshot", "before_screenshot", "screenshot", "before_screenshot_with_som")
BEFORE_ELEMENTS = ("before_ui_elements", "before_element_list", "ui_elements")
AFTER_PICTURES = ("after_screenshot", "after_screenshot_with_som")
AFTER_ELEMENTS = ("after_ui_elements", "after_element_list")
AT_THE_END = ("pixels", "elements")
"""What the agent of a human records: one screen, after all that the human did."""

OBSERVED = frozenset({*BEFORE_PICTURES, *BEFORE_ELEMENTS, *AFTER_PICTURES, *AFTER_ELEMENTS, *AT_THE_END})


@dataclass(slots=True)
class Seen:
    """The observations around the steps, by position.

    Attributes:
        before: What was seen before each step, with the widgets of that screen.
        own_after: What the record of a step itself shows of the screen after it.
        taken_after: Whether a screen was taken after each step, by agents that do so; empty for the others.
        gaps: What could not be read.
        notices: Why.
    """

    before: list[Observation | None] = field(default_factory=list[Observation | None])
    screens: list[Screen | None] = field(default_factory=list[Screen | None])
    own_after: list[Observation | None] = field(default_factory=list[Observation | None])
    taken_after: list[bool] = field(default_factory=list[bool])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])

    def after(self, at: int) -> Observation | None:
        """Return what was seen after a step: its own record, and the elements of the next step's screen.

        M3A keeps a picture and no elements of the screen after a step; the elements are those with which the next step
        begins.
        """
        own = self.own_after[at]
        following = self.before[at + 1] if at + 1 < len(self.before) else None
        if own is None or following is None or own.ui_tree is not None:
            return own or following
        return Observation(ui_tree=following.ui_tree, screenshot=own.screenshot)


def seen_in(episode: Episode, screens: Screens) -> Seen:
    """Return what the device showed."""
    columns, seen = episode.columns, Seen()
    before = _first(columns, BEFORE_PICTURES), _first(columns, BEFORE_ELEMENTS)
    after = _first(columns, AFTER_PICTURES), _first(columns, AFTER_ELEMENTS)
    if before == (None, None) and set(AT_THE_END) & columns.lists.keys():
        after = AT_THE_END
    if any(name in columns.lists for name in AFTER_PICTURES):
        taken = [name for name in (*AFTER_PICTURES, *AFTER_ELEMENTS) if name in columns.lists]
        seen.taken_after = [
            any(columns.at(name, at) is not None for name in taken) for at in range(len(columns.numbers))
        ]
    for at in range(len(columns.numbers)):
        shown, screen = _observation(episode, *before, at, screens, seen)
        seen.before.append(shown)
        seen.screens.append(screen)
        seen.own_after.append(_observation(episode, *after, at, screens, seen)[0])
    _note_uneven(columns, seen)
    return seen


def _first(columns: Columns, names: Sequence[str]) -> str | None:
    return next((name for name in names if any(one is not None for one in columns.lists.get(name, ()))), None)


def _observation(
    episode: Episode, pictures: str | None, elements: str | None, at: int, screens: Screens, seen: Seen
) -> tuple[Observation | None, Screen | None]:
    columns = episode.columns
    screen = screens.screen(columns.at(elements, at)) if elements else None
    if screen is not None and screen.cut:
        seen.gaps.add(Gap.UNREADABLE_OBSERVATION)
        seen.notices.append(f"step {columns.numbers[at]}: more elements than are read")
    screenshot = _screenshot(episode, pictures, at, seen) if pictures else None
    text = screen.text if screen is not None and screen.text else None
    if text is None and screenshot is None:
        return None, screen
    return Observation(ui_tree=text, screenshot=screenshot), screen


def _screenshot(episode: Episode, name: str, at: int, seen: Seen) -> Screenshot | None:
    value = episode.columns.at(name, at)
    if value is None:
        return None
    if isinstance(value, Array) and isinstance(value.mark, Picture):
        return Screenshot(f"!{episode.where}.{DATA}.{name}[{at}]".replace("!.", "!"), value.mark.digest)
    seen.gaps.add(Gap.UNREADABLE_OBSERVATION)
    seen.notices.append(f"{name}[{at}] is no picture that is read")
    return None


def _note_uneven(columns: Columns, seen: Seen) -> None:
    lost = [name for name in columns.uneven if name in OBSERVED]
    for name in lost:
        counts = f"{columns.uneven[name]} entries for {len(columns.numbers)} steps"
        seen.notices.append(f"{name} has {counts}, so that which step each belongs to is not known; it is not read")
        seen.gaps.add(Gap.UNREADABLE_OBSERVATION)
