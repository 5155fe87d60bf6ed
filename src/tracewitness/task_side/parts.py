"""Splitting a task into the parts that each ask for a state of their own."""

from dataclasses import dataclass

from tracewitness.findings.labels import Language


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an instruction: its words and their positions in the instruction.

    Attributes:
        text: The words, verbatim; ``instruction[start:end] == text``.
        start: Position of the first character.
        end: Position after the last character.
        saving: A following "and save / and confirm" was folded into this part.
    """

    text: str
    start: int
    end: int
    saving: bool = False


def split_task(instruction: str, language: Language) -> tuple[Part, ...]:
    """Return the parts of an instruction, at least one for any instruction with words."""
    raise NotImplementedError
