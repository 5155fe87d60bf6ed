"""What one part of a task asks for, in a form the trace side can look for."""

from dataclasses import dataclass, field
from enum import StrEnum

from tracewitness.values.answers import AnswerValue


class Wanted(StrEnum):
    """The kind of post-condition a part asks for."""

    PRESENT = "present"
    ABSENT = "absent"
    ON = "on"
    OFF = "off"
    VALUE = "value"
    SENT = "sent"
    ANSWER = "answer"
    OTHER = "other"


class Superlative(StrEnum):
    """The choice a query asks for among several."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    FIRST = "first"
    LAST = "last"
    COUNT = "count"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class Goal:
    """One part of a task.

    Attributes:
        text: The words of this part.
        wanted: The kind of post-condition.
        targets: Names of the objects acted on, best first ("Orin Vale", "Wi-Fi", "staging-eu"): quoted words, proper
            names, e-mail addresses, file names. Verbatim spelling.
        values: Texts that must be entered or shown afterwards ("555-0142", "Zahnarzt", "10:00").
        typed_values: The same values in typed form where they are numbers, dates, times or money.
        every: The part speaks of all, every or both.
        superlative: The choice a query asks for.
        keywords: Folded content words of the part (stop words dropped), for loose relevance.
        needs_saving: The part itself asks for saving, submitting or confirming.
    """

    text: str
    wanted: Wanted
    targets: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    typed_values: tuple[AnswerValue, ...] = ()
    every: bool = False
    superlative: Superlative | None = None
    keywords: frozenset[str] = field(default_factory=frozenset[str])
    needs_saving: bool = False
