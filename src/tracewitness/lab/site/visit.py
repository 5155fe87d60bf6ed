"""What the server keeps of the browser that visits it: who is signed in, messages to show, what can be undone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tracewitness.lab.world.faults import Fault
from tracewitness.lab.world.rows import Change


@dataclass(frozen=True, slots=True)
class Toast:
    """A message that the next page shows.

    Attributes:
        text: What it says.
        undo: The number under which it can be undone, where it can.
    """

    text: str
    undo: int | None = None


@dataclass(slots=True)
class Visit:
    """The visit of one browser.

    Attributes:
        account: The key of the account that is signed in.
        signed_in: Whether it is.
        requests: How many requests were taken, without styles and scripts.
        pages: How many of them asked for a page.
        toast: The message that waits for the next page.
        undoable: Changes that can be undone, by number.
        spent: Faults that happen once and have happened.
        reverts: Changes that somebody else will undo: the fault, its changes, and the request that made them.
        refused: Values that a form was refused with, by fault.
    """

    account: str
    signed_in: bool = True
    requests: int = 0
    pages: int = 0
    toast: Toast | None = None
    undoable: dict[int, tuple[Change, ...]] = field(default_factory=dict[int, tuple[Change, ...]])
    spent: set[Fault] = field(default_factory=set[Fault])
    reverts: list[tuple[Fault, tuple[Change, ...], int]] = field(
        default_factory=list[tuple[Fault, tuple[Change, ...], int]]
    )
    refused: dict[Fault, str] = field(default_factory=dict[Fault, str])

    def can_undo(self, changes: Sequence[Change]) -> int:
        """Keep changes so that they can be undone, and return their number."""
        number = len(self.undoable) + 1
        self.undoable[number] = tuple(changes)
        return number
