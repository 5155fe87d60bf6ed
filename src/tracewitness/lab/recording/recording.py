"""A run as it was recorded: everything, once. Logs of any format and profile are made of it, without a browser."""

import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter

FORMAT = "tracewitness.lab-recording/2"
_EARLIER = "tracewitness.lab-recording/1"


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
class Control:
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
        controls: The elements that can be operated, in the order of the page.
        network: Requests since the moment before that wrote or failed, one a line.
        console: Errors and warnings on the console since the moment before, one a line.
        picture: The file name of the screenshot.
        size: Width and height of the window.
    """

    url: str
    title: str
    text: str
    tree: str
    controls: tuple[Control, ...] = ()
    network: tuple[str, ...] = ()
    console: tuple[str, ...] = ()
    picture: str | None = None
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Action:
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
        actions: What was done.
        seen: What was shown: ``seen[0]`` before the first action, ``seen[n]`` after the n-th.
        report: What the agent said in the end; None where it ended without a word.
        declared: The agent's own flag.
        ended: Whether the agent ended by itself; else its steps were used up, and it was asked for its last words.
        whole: Whether the record goes to the end; else it breaks off.
        narration: What the agent said to itself before each action; may be shorter than the actions.
    """

    run_id: str
    app: str
    language: str
    task: str
    start_url: str
    actions: tuple[Action, ...]
    seen: tuple[Seen | None, ...]
    report: str | None
    declared: bool | None
    ended: bool = True
    whole: bool = True
    narration: tuple[str, ...] = field(default=())

    def at(self, moment: int) -> Seen | None:
        """Return what was seen after so many actions; None where that was not recorded."""
        return self.seen[moment] if moment < len(self.seen) else None

    def cut(self, actions: int) -> "Recording":
        """Return the run as a log that breaks off with an action has it: what it did is not seen, and nothing after it.

        The report stands beside such a log, not in it, so it stays.
        """
        return replace(
            self,
            actions=self.actions[:actions],
            seen=self.seen[:actions],
            whole=False,
            narration=self.narration[:actions],
        )

    def written(self) -> str:
        """Return the run as one JSON document."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, separators=(",", ":"))


_RECORDING = TypeAdapter(Recording)
_DOCUMENT = TypeAdapter(dict[str, Any])
_SEEN = TypeAdapter(list[dict[str, Any] | None])


def read_recording(text: str) -> Recording:
    """Return the run of a document that ``Recording.written`` made, in this form or the one before.

    Raises:
        ValueError: It is no such document.
    """
    document = _DOCUMENT.validate_python(json.loads(text))
    form = document.pop("format", None)
    if form not in {FORMAT, _EARLIER}:
        raise ValueError(f"expected a recording of the form {FORMAT}, found {form!r}")
    return _RECORDING.validate_python(_renamed(document) if form == _EARLIER else document)


def _renamed(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document of the form before with the names of this one."""
    seen = [one and _with_names_of_now(one) for one in _SEEN.validate_python(document.get("seen"))]
    return _with_names_of_now({**document, "seen": seen})


def _with_names_of_now(told: dict[str, Any]) -> dict[str, Any]:
    return {_RENAMED.get(name, name): value for name, value in told.items()}


_RENAMED = {"deeds": "actions", "parts": "controls"}
