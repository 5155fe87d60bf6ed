"""The operations that a plan is made of. Each is one intention of an agent; driving makes it clicks and keys.

Rows are named by their title, views, forms, deeds and fields by their names in the app's description, so that a plan is
the same in every language and layout.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Open:
    """Go to a view or panel by the navigation."""

    view: str


@dataclass(frozen=True, slots=True)
class Search:
    """Search the open view for words; empty words show all again."""

    words: str


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter the open view by a value of a field; ``None`` takes the filter away."""

    field: str
    value: str | None


@dataclass(frozen=True, slots=True)
class NextPage:
    """Turn the page of the open list."""


@dataclass(frozen=True, slots=True)
class OpenRow:
    """Open a row of the open list; with ``turning`` its pages are turned until the row is there."""

    title: str
    turning: bool = True


@dataclass(frozen=True, slots=True)
class New:
    """Open the empty form of a collection."""

    collection: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Open the form of the open row."""


@dataclass(frozen=True, slots=True)
class Enter:
    """Set a field of the open form or panel: type, choose, switch or slide."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Flip:
    """Press a switch of the open form or panel, whatever it stands at."""

    field: str


@dataclass(frozen=True, slots=True)
class Press:
    """Press a submit of the open form, a deed of the open row, or ``save`` of a panel.

    Attributes:
        name: The submit or deed.
        expects_nothing: The button cannot be pressed or is covered: that nothing happens is no error of the plan.
        hasty: The agent goes on while it is still being saved.
    """

    name: str
    expects_nothing: bool = False
    hasty: bool = False


@dataclass(frozen=True, slots=True)
class RowDeed:
    """Press a deed in the line of a row of the open list; its pages are turned until the row is there."""

    title: str
    name: str
    expects_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Tick rows of the open page of a list; no titles: all of the page."""

    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedDeed:
    """Press a deed for the ticked rows."""

    name: str


@dataclass(frozen=True, slots=True)
class Clear:
    """Tick all rows of the open list and press a deed for them, page by page.

    Attributes:
        deed: The deed.
        pages: How many pages; ``None``: until no row is left.
    """

    deed: str
    pages: int | None = None


@dataclass(frozen=True, slots=True)
class ReadAll:
    """Turn the pages of the open list to its last one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer a question of the app: yes, or no."""

    yes: bool = True


@dataclass(frozen=True, slots=True)
class Leave:
    """Press the cancel button of the open form."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Press "undo" in the message that is shown."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """Sign in again, on the sign-in page, as the account of the run."""


@dataclass(frozen=True, slots=True)
class ChangeAccount:
    """Change to another account."""

    account: str


@dataclass(frozen=True, slots=True)
class Back:
    """Go back in the browser."""


@dataclass(frozen=True, slots=True)
class Reload:
    """Load the page again."""


@dataclass(frozen=True, slots=True)
class Look:
    """Scroll and look, changing nothing."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait, in seconds of the page (kept short)."""

    seconds: float = 0.3


Operation = (
    Open
    | Search
    | Filter
    | NextPage
    | OpenRow
    | New
    | Edit
    | Enter
    | Flip
    | Press
    | RowDeed
    | Mark
    | MarkedDeed
    | Clear
    | ReadAll
    | Answer
    | Leave
    | Undo
    | SignIn
    | ChangeAccount
    | Back
    | Reload
    | Look
    | Wait
)
"""One operation of a plan."""
