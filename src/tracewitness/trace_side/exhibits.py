"""What may go to an extractor along with the trace: pictures of the screens, and narration where a user admits it."""

from dataclasses import dataclass
from typing import Protocol

from tracewitness.trace_side.trace import Screenshot


class Pictures(Protocol):
    """Gives the bytes of screenshots. What it gives always has the digest that the trace names."""

    def read(self, screenshot: Screenshot) -> bytes | None:
        """Return the bytes of a screenshot; None where they are missing, too large or not those of the digest."""
        ...


class NoPictures:
    """Has no pictures."""

    def read(self, screenshot: Screenshot) -> bytes | None:
        """Return None."""
        return None


@dataclass(frozen=True, slots=True)
class Told:
    """The agent's own words at one step."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Exhibits:
    """What goes along with the trace.

    Attributes:
        pictures: The screenshots' bytes.
        narration: The agent's own words; empty unless a user admits them.
    """

    pictures: Pictures = NoPictures()
    narration: tuple[Told, ...] = ()


NO_EXHIBITS = Exhibits()
