"""One observation as a list of elements, whatever notation it was written in."""

from dataclasses import dataclass
from enum import StrEnum

from tracewitness.findings.labels import StepPart


class Role(StrEnum):
    """What an element is."""

    PAGE = "page"
    BUTTON = "button"
    LINK = "link"
    FIELD = "field"
    SWITCH = "switch"
    CHOICE = "choice"
    ROW = "row"
    CELL = "cell"
    MENU_ITEM = "menu_item"
    TAB = "tab"
    HEADING = "heading"
    GROUP = "group"
    DIALOG = "dialog"
    TOAST = "toast"
    ERROR = "error"
    STATUS = "status"
    EMPTY_STATE = "empty_state"
    PROGRESS = "progress"
    CAPTCHA = "captcha"
    NETWORK = "network"
    CONSOLE = "console"
    RUNNER = "runner"
    TEXT = "text"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a scene.

    Attributes:
        role: What it is. GROUP is a list, table, menu, sheet or section header; CELL a cell of a sheet.
        name: Its label, title or text; may be empty. A row's first cell; a network line's method and path.
        value: A field's content, a choice's selected option, a row's whole text, a network line's status; else None.
        on: Whether a switch, checkbox or toggle button is on; None where it has no such state.
        enabled: False for a disabled element.
        key: Identity across scenes: resource id for a field that has one, else role and folded name without its count;
            for a control inside a row, the row's key and its own.
        line: The text that a quote is taken from: the source line as it stands in the observation, or for an XML, JSON
            or HTML observation the reader's own one-line rendering (grounding accepts both).
        depth: Indentation or nesting depth in the source, 0 at the top.
        parent: Position in the scene of the element it stands in; None at the top.
        invalid: The element itself is marked as holding a rejected value.
    """

    role: Role
    name: str
    value: str | None
    on: bool | None
    enabled: bool
    key: str
    line: str
    depth: int = 0
    parent: int | None = None
    invalid: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """One observation, read.

    Attributes:
        step: Index of the step it belongs to.
        part: BEFORE or AFTER.
        elements: Its elements in source order.
        title: The page, window or screen title; empty if none.
        url: URL or activity; None if none.
        stale: The observation itself says that it was captured early (animation running, still loading).
        partial: It shows only a part of the screen (a single field read back), so absence from it says nothing.
        unchanged: The observation says of itself that nothing changed; what it leaves out still stands as before.
        acknowledgement: It holds nothing but a tool's own "done" ("Clicked", "Typed"), which shows no state at all.
        unreadable: Some of it could not be read (broken or oversized XML); what could be read is in ``elements``.
        wordless: The screen itself was an image that the log left out.
        heard: Lines that a user said in it. They stand in no element: a user repeats what the agent told them. A scene
            of nothing else counts as an acknowledgement.
    """

    step: int
    part: StepPart
    elements: tuple[Element, ...]
    title: str = ""
    url: str | None = None
    stale: bool = False
    partial: bool = False
    unchanged: bool = False
    acknowledgement: bool = False
    unreadable: bool = False
    wordless: bool = False
    heard: tuple[str, ...] = ()
