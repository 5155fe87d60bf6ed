"""What happened in a recording: its calls in order, with the page before and after each, and what else was noted."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from tracewitness.intake.formats.playwright.calls import Params
from tracewitness.intake.formats.playwright.notes import Note


@dataclass(frozen=True, slots=True)
class Seen:
    """A page at one moment, in milliseconds of the recorder's clock."""

    page: str
    url: str
    tree: str
    time: float
    passwords: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page: its file, its page, and when it was taken."""

    file: str
    page: str
    time: float


@dataclass(slots=True)
class Deed:
    """A call that did something.

    Attributes:
        kind: What kind of action it is.
        label: The name of the element it acted on, where a snapshot marks one.
        secret: It wrote into a password field.
        done: An input event was sent.
        timed: The trace tells when it began; where not, ``start`` only keeps it behind what stands before it.
    """

    id: str
    kind: str
    class_name: str
    method: str
    params: Params
    start: float
    page: str | None = None
    end: float | None = None
    error: str | None = None
    waited: str | None = None
    label: str | None = None
    secret: bool = False
    done: bool = False
    timed: bool = True
    before: Seen | None = None
    after: Seen | None = None
    pictures: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Recording:
    """One recorded browser context."""

    version: str = ""
    producer: str = ""
    start: float = 0.0
    wall: float | None = None
    deeds: list[Deed] = field(default_factory=list[Deed])
    notes: list[Note] = field(default_factory=list[Note])
    pictures: list[Picture] = field(default_factory=list[Picture])
    passwords: set[str] = field(default_factory=set[str])
    titles: int = 0
    checks: int = 0
    groups: int = 0
    cut_pages: int = 0
    open_calls: int = 0

    def iso(self, time: float) -> str | None:
        """Return a moment of the recorder's clock as ISO 8601 in UTC; None where the trace does not tell."""
        if self.wall is None:
            return None
        try:
            return datetime.fromtimestamp((self.wall + time - self.start) / 1000, UTC).isoformat(
                timespec="milliseconds"
            )
        except (OverflowError, ValueError, OSError):
            return None
