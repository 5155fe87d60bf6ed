"""What a grammar of text actions gives: the calls that stand in a text, and the words around them."""

from dataclasses import dataclass

from tracewitness.intake.calls import Call


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text in which an agent acts, taken apart.

    Attributes:
        calls: The calls in the order in which they stand.
        words: The narration around them, which no side but the hidden planes may see.
    """

    calls: tuple[Call, ...]
    words: str
