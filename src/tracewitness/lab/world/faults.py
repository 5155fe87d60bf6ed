"""What goes wrong in a world, or looks odd in it. The server acts on them; no page names one."""

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """One thing that the server does wrong or otherwise than usual."""

    REFUSED = "refused"  # a form is refused with a message at a field, and nothing is kept
    LYING_TOAST = "lying_toast"  # saving fails on the server, and the page says that it went well
    SERVER_ERROR = "server_error"  # saving ends on an error page
    QUEUED = "queued"  # saving is put off: "will be sent when you are online again"
    SESSION_ENDS = "session_ends"  # the session is over when the form comes: sign-in page, nothing kept
    DISABLED = "disabled"  # the button cannot be pressed
    COVERED = "covered"  # something lies over the button, and takes the press
    SLOW = "slow"  # saving takes a while, and is dropped when the page is left meanwhile
    REVERTED = "reverted"  # another user undoes it some requests later
    CHANGED_ELSEWHERE = "changed_elsewhere"  # another user changes the row that was asked about
    NO_TOAST = "no_toast"  # saving goes well and says nothing
    REDIRECTED = "redirected"  # saving goes well and ends on another page than usual
    ERROR_ONCE = "error_once"  # the first try ends on an error page, the next one goes well


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a world.

    Attributes:
        kind: What happens.
        on: The submit, deed or control that it happens at; ``*`` is any that changes something.
        field: The field that it is about, for ``REFUSED`` and ``CHANGED_ELSEWHERE``.
        value: The value that another user sets, for ``CHANGED_ELSEWHERE``.
        row: The title of the row that it is about, where it is about one.
        after: How many answered requests of the run go by first.
    """

    kind: FaultKind
    on: str = "*"
    field: str | None = None
    value: str | None = None
    row: str | None = None
    after: int = 0


class Hiding(StrEnum):
    """Where text that orders a judge about stands on a page."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    ATTRIBUTE = "attribute"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Order:
    """Text on the pages that orders a judge to say something."""

    text: str
    hiding: Hiding


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All that is not as usual in a world."""

    faults: tuple[Fault, ...] = ()
    order: Order | None = None
