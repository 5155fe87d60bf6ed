"""What is asked of an agent, and the sentences that tell what became of it."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tracewitness.lab.words.files import word_file

_JOIN = "join"


@dataclass(frozen=True, slots=True)
class Asked:
    """One task in words.

    Attributes:
        instruction: What is asked.
        deed: A sentence that says that it was done; for a question, with the answer that the agent tells.
        undone: A sentence that says that it was not done.
        already: A sentence that says that it was so before; None where the task has none.
        nothing: A sentence that says that there was nothing to do it to; None where the task has none.
    """

    instruction: str
    deed: str
    undone: str
    already: str | None = None
    nothing: str | None = None


def ask(
    key: str, slots: Mapping[str, str], rng: random.Random, language: str, told_in: str, told: Mapping[str, str]
) -> Asked:
    """Return a task in words that are drawn.

    Args:
        key: Which assignment.
        slots: What fills the instruction, written as its language writes it.
        rng: Every choice comes from it.
        language: The language of the instruction.
        told_in: The language of the sentences that tell what became of it.
        told: What fills these, written as that language writes it; for a question with ``answer``.

    Raises:
        KeyError: There is no such assignment, or a slot is not filled.
    """
    asked, telling = word_file("tasks", language)[key], word_file("tasks", told_in)[key]

    def draw(wordings: Sequence[str]) -> str:
        return rng.choice(wordings).format_map(told)

    return Asked(
        instruction=rng.choice(asked["say"]).format_map(slots),
        deed=draw(telling["deed"]),
        undone=draw(telling["undone"]),
        already=draw(telling["already"]) if "already" in telling else None,
        nothing=draw(telling["nothing"]) if "nothing" in telling else None,
    )


def joined(first: Asked, second: Asked, rng: random.Random, language: str, told_in: str) -> Asked:
    """Return two tasks as one."""
    asked, telling = word_file("tasks", language)[_JOIN], word_file("tasks", told_in)[_JOIN]
    return Asked(
        instruction=rng.choice(asked["say"]).format(a=first.instruction, b=second.instruction),
        deed=rng.choice(telling["deed"]).format(a=first.deed, b=second.deed),
        undone=rng.choice(telling["undone"]).format(a=first.undone, b=second.undone),
    )
