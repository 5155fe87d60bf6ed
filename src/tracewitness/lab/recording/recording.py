"""A run as it was recorded: everything, once. Logs of any format and profile are made of it, without a browser."""

import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter

FORMAT = "tracewitness.lab-recording/1"


class Act(StrEnum):
    """What an agent can do to a page, one at a time."""

    CLICK = "click"
    TYPE = "type"
    PRESS = "press"
    SELECT = "select"
    SCROLL = "scroll"
    NAVIGATE = "navigate"
    BACK = "back"
    RELOAD = "reload"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Box:
    """Where something is on the screen, in CSS pixels from the upper left corner of the window."""

    left: int
    top: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        """The point that a click goes to."""
        return self.left + self.width // 2, self.top + self.height // 2


@dataclass(frozen=True, slots=True)
class Part:
    """A visible element that can be operated, or that a screen reader names.

    Attributes:
        role: Its ARIA role.
        tag: Its HTML tag.
        name: Its name for a screen reader.
        value: What a field or slider holds.
        state: ``checked``, ``unchecked``, ``disabled``, joined by blanks; empty where nothing is to be said.
        box: Where it is.
    """

    role: str
    tag: str
    name: str
    value: str | None
    state: str
    box: Box


@dataclass(frozen=True, slots=True)
class Seen:
    """What the browser showed at one moment.

    Attributes:
        url: The address.
        title: The title of the page.
        text: The visible text.
        tree: The accessibility tree, in the notation of Playwright's ARIA snapshots.
        parts: The elements that can be operated, in the order of the page.
        network: Requests since the moment before that wrote or failed, one a line.
        console: Errors and warnings on the console since the moment before, one a line.
        picture: The file name of the screenshot.
        size: Width and height of the window.
    """

    url: str
    title: str
    text: str
    tree: str
    parts: tuple[Part, ...] = ()
    network: tuple[str, ...] = ()
    console: tuple[str, ...] = ()
    picture: str | None = None
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Deed:
    """One executed action.

    Attributes:
        act: What was done.
        target: The name of the element, or the address.
        role: The role of the element.
        text: What was typed, chosen or pressed.
        box: Where the element was.
        moment: When, ISO 8601 with zone.
        changed: Whether the database of the app was changed by it. Stands in no log.
        error: What the browser said where the action could not be carried out.
    """

    act: Act
    target: str | None
    role: str | None = None
    text: str | None = None
    box: Box | None = None
    moment: str | None = None
    changed: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """One run.

    Attributes:
        run_id: Its number in the lab's folder; says nothing of what happens in it.
        app: The app's name.
        language: The language of the task.
        task: The instruction.
        start_url: Where the agent began.
        deeds: What was done.
        seen: What was shown: ``seen[0]`` before the first deed, ``seen[n]`` after the n-th.
        report: What the agent said in the end; None where it ended without a word.
        declared: The agent's own flag.
        ended: Whether the agent ended by itself; else its steps were used up, and it was asked for its last words.
        whole: Whether the record goes to the end; else it breaks off.
        narration: What the agent said to itself before each deed; may be shorter than the deeds.
    """

    run_id: str
    app: str
    language: str
    task: str
    start_url: str
    deeds: tuple[Deed, ...]
    seen: tuple[Seen | None, ...]
    report: str | None
    declared: bool | None
    ended: bool = True
    whole: bool = True
    narration: tuple[str, ...] = field(default=())

    def at(self, moment: int) -> Seen | None:
        """Return what was seen after so many deeds; None where that was not recorded."""
        return self.seen[moment] if moment < len(self.seen) else None

    def cut(self, deeds: int) -> "Recording":
        """Return the run as a log that breaks off with a deed has it: what it did is not seen, and nothing after it.

        The report stands beside such a log, not in it, so it stays.
        """
        return replace(
            self, deeds=self.deeds[:deeds], seen=self.seen[:deeds], whole=False, narration=self.narration[:deeds]
        )

    def written(self) -> str:
        """Return the run as one JSON document."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, separators=(",", ":"))


_RECORDING = TypeAdapter(Recording)


def read_recording(text: str) -> Recording:
    """Return the run of a document that ``Recording.written`` made.

    Raises:
        ValueError: It is no such document.
    """
    document: dict[str, Any] = json.loads(text)
    if document.pop("format", None) != FORMAT:
        raise ValueError(f"not a recording of the form {FORMAT}")
    return _RECORDING.validate_python(document)
