"""Sentences and clauses, with quoted words masked so that they do not count as the writer's own."""

from dataclasses import dataclass, field

from tracewitness.findings.labels import Language

MASK = "\ue000"
"""Stands for each character of a quoted part; it is no word character and occurs in no lexicon."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted part: positions of the whole in the text, marks included, and the words between the marks."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause.

    Attributes:
        text: The clause as it stands, ends stripped.
        start: Position in the text of its first character.
        end: Position after its last character; ``whole[start:end] == text``.
        masked: The clause with each quoted character (marks included) replaced by MASK; same length as ``text``.
        quotes: The quoted parts inside it; positions refer to the whole text.
        connector: The folded connector that introduces it ("but", "aber", "然后"); it is part of ``text`` as well.
            Empty where punctuation alone divides.
        sentence: Number of the sentence it belongs to, from 0.
        mark: The punctuation that ends it ("?", ".", "。", ",", ...), folded; empty at a line or text end.
        item: It starts a list item.
    """

    text: str
    start: int
    end: int
    masked: str
    quotes: tuple[Quote, ...] = field(default=())
    connector: str = ""
    sentence: int = 0
    mark: str = ""
    item: bool = False


def split(text: str, language: Language) -> list[Clause]:
    """Return the clauses of a text in order.

    Together with what stands between them (white space, punctuation, list marks) they make up the text: no letter or
    digit outside them. An unsupported language is split by punctuation alone.
    """
    raise NotImplementedError


def find_quotes(text: str) -> tuple[Quote, ...]:
    """Return the outermost quoted parts: '…', "…", “…”, „…“, «…», ‹…›, 「…」, 『…』, 《…》, 【…】 and `…`.

    An apostrophe inside a word (don't, l'app) opens and closes nothing.
    """
    raise NotImplementedError


def mask_quotes(text: str) -> str:
    """Return the text with every quoted character replaced by MASK, length kept."""
    raise NotImplementedError
