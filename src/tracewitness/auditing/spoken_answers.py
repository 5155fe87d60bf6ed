"""Answers that are words in a sentence of a report: "order 4711 was shipped", where the trace shows "Shipped"."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tracewitness.auditing.mentions import Holds
from tracewitness.trace_side.demands import attributes
from tracewitness.trace_side.names import stands_in
from tracewitness.values.answers import AnswerValue, TextValue
from tracewitness.values.folding import fold, folded

_NEXT_WORD = re.compile(r"\s+\w+")
_LONGEST_CLAUSE = 400
_ROLE, _LONGEST_ROLE = "role", 20


@dataclass(frozen=True, slots=True)
class Spoken:
    """The clauses of a report that assert something."""

    clauses: tuple[str, ...] = ()

    def is_clause(self, value: TextValue) -> bool:
        """Return whether a reported text is a whole clause, and no name or quote in one."""
        return any(fold(clause.strip(" .!。*_")) == value.text for clause in self.clauses)

    def tell(self, shown: Holds) -> Callable[[tuple[AnswerValue, ...]], bool]:
        """Return what tells whether a clause says the answer to a part, where that is a single text."""

        def told(part: tuple[AnswerValue, ...]) -> bool:
            if len(part) != 1 or not isinstance(part[0], TextValue):
                return False
            return any(says(clause, part[0].text, shown) for clause in self.clauses if len(clause) <= _LONGEST_CLAUSE)

        return told


def says(clause: str, answer: str, shown: Holds) -> bool:
    """Return whether a clause says a text: as words of its own and not as a piece of something longer that was shown.

    "The list of members shows that she is an owner" names a page and does not say that she is a member.
    """
    text = fold(clause)
    if not answer or not stands_in(answer, text):
        return bool(answer) and _same_role(text, answer)
    return any(
        not any(shown(TextValue(folded(longer))) for longer in _longer(text, start, start + len(answer)))
        for start in _starts(answer, text)
    )


def _same_role(clause: str, answer: str) -> bool:
    """Return whether a clause names the one role that an answer is, in whatever language ("Viewer", "Betrachter")."""
    roles = attributes(answer).get(_ROLE, frozenset())
    return len(roles) == 1 and len(answer) <= _LONGEST_ROLE and attributes(clause).get(_ROLE) == roles


def _starts(answer: str, text: str) -> Iterator[int]:
    start = text.find(answer)
    while start >= 0:
        # What stands around an occurrence decides whether it is one of whole words.
        if stands_in(answer, text[max(start - 2, 0) : start + len(answer) + 2]):
            yield start
        start = text.find(answer, start + 1)


def _longer(text: str, start: int, end: int) -> Iterator[str]:
    """Yield an occurrence with the letter or word behind it, and with the letter right before it."""
    if end < len(text) and text[end].isalnum():
        yield text[start : end + 1]
    following = _NEXT_WORD.match(text, end)
    if following is not None:
        yield text[start : following.end()]
    if start and text[start - 1].isalnum():
        yield text[start - 1 : end]
