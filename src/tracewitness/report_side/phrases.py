"""Phrase patterns: the small grammar in which the claim lexicons are written, and the search for them.

A pattern is a row of slots separated by spaces.

========= =============================================================================================
``a|b``   one of these words; ``_`` inside a word stands for a space; ``*`` for any letters
``?a|b``  the same, but may be missing
``..3``   up to three words between; in Chinese, Japanese and Korean up to three characters
``^``     the start of the clause (first slot only), ``$`` its end, closing punctuation aside
========= =============================================================================================

In alphabetic scripts words match whole. Every pattern is indexed by its first word, so a long clause costs one look-up
for each word and not one for each pattern; gaps are bounded and separators possessive, so the time is linear in the
text.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tracewitness.findings.labels import Language
from tracewitness.language.clauses import MASK
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES, Entry

_WORD = re.compile(r"\w(?:[\w']*\w)?")
_ELIDING_WORD = re.compile(r"\w+'?")
_GAP = re.compile(r"\.\.(\d+)")
_CLAUSE_END = rf"[^\w{MASK}]*+$"
_FIRST_SIGN = re.compile(rf"[\w{MASK}]")
_PREFIX = 3
_KNOWN_WORDS = 20_000


class PhraseError(ValueError):
    """A phrase pattern is badly written; the message names the line of the file."""


class Hit(NamedTuple):
    """A pattern found in a clause: its category and its positions in the clause."""

    category: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Phrase:
    category: str
    anchored: bool
    expression: str


_Compiled = tuple[str, bool, Callable[[str, int], re.Match[str] | None]]
"""A phrase with its category, whether it stands only at the start of a clause, and what matches it at a place."""


def _new_index() -> dict[str, list[_Phrase]]:
    return {}


def _new_memory() -> dict[str, tuple[_Compiled, ...]]:
    return {}


@dataclass(frozen=True, slots=True)
class PhraseBook:
    """The patterns of one language, indexed by how their first word begins or ends."""

    language: Language
    words: dict[str, list[_Phrase]] = field(default_factory=_new_index)
    prefixes: dict[str, list[_Phrase]] = field(default_factory=_new_index)
    endings: dict[str, list[_Phrase]] = field(default_factory=_new_index)
    _known: dict[str, tuple[_Compiled, ...]] = field(default_factory=_new_memory)

    def find(self, clause: str) -> list[Hit]:
        """Return the hits of every pattern in a folded clause, by start, the longest first; hits may overlap."""
        opening = _FIRST_SIGN.search(clause)
        head = opening.start() if opening else 0
        places = self._characters(clause) if self.language in SUBSTRING_LANGUAGES else self._tokens(clause)
        hits: set[Hit] = set()
        for start, phrases in places:
            for category, anchored, match in phrases:
                if anchored and start != head:
                    continue
                if found := match(clause, start):
                    hits.add(Hit(category, start, found.end()))
        return sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.category))

    def _tokens(self, clause: str) -> Iterator[tuple[int, tuple[_Compiled, ...]]]:
        for found in _token_shape(self.language).finditer(clause):
            if phrases := self._begun_by(found.group()):
                yield found.start(), phrases

    def _characters(self, clause: str) -> Iterator[tuple[int, tuple[_Compiled, ...]]]:
        for start, character in enumerate(clause):
            if character in self.words:
                yield start, self._begun_by(character)

    def _begun_by(self, word: str) -> tuple[_Compiled, ...]:
        """Return the phrases that a word can begin, compiled when it is first met: a run needs few of them."""
        phrases = self._known.get(word)
        if phrases is None:
            phrases = tuple((p.category, p.anchored, re.compile(p.expression).match) for p in self._candidates(word))
            # Words repeat; remembering what they can begin halves the time. Bounded, as reports are hostile.
            if len(self._known) < _KNOWN_WORDS:
                self._known[word] = phrases
        return phrases

    def _candidates(self, word: str) -> list[_Phrase]:
        if self.language in SUBSTRING_LANGUAGES:
            return self.words.get(word, [])
        found = list(self.words.get(word, ()))
        for length in range(1, min(_PREFIX, len(word)) + 1):
            found += self.prefixes.get(word[:length], ())
        found += self.endings.get(word[-1], ())
        return found


def compile_book(language: Language, entries: Iterable[Entry]) -> PhraseBook:
    """Return the phrase book of a language from the entries of its lexicon.

    Raises:
        PhraseError: A pattern is badly written.
    """
    book = PhraseBook(language)
    for entry in entries:
        if entry.language in (language, None):
            _add(book, entry)
    return book


def _add(book: PhraseBook, entry: Entry) -> None:
    slots = entry.pattern.split()
    anchored = slots[0] == "^"
    slots = slots[1:] if anchored else slots
    openings = _openings(slots)
    if not openings:
        raise PhraseError(f"line {entry.line}: {entry.pattern!r} must begin with a word")
    expression = "".join(_expression(slot, book.language, bool(number)) for number, slot in enumerate(slots))
    phrase = _Phrase(entry.category, anchored, expression)
    for word in openings:
        _index(book, word.partition("_")[0], phrase)


def _openings(slots: list[str]) -> list[str]:
    """Return the words a pattern can begin with: those of its optional first slots and of the first one that is not."""
    openings: list[str] = []
    for slot in slots:
        if slot in "^$" or _GAP.fullmatch(slot):
            return []
        openings.extend(slot.removeprefix("?").split("|"))
        if not slot.startswith("?"):
            return openings
    return []


def _index(book: PhraseBook, word: str, phrase: _Phrase) -> None:
    if book.language in SUBSTRING_LANGUAGES:
        _append(book.words, word[0], phrase)
        return
    literal, star, _ = word.partition("*")
    if star:
        _append(book.prefixes if literal else book.endings, literal[:_PREFIX] or word[-1], phrase)
        return
    token = _token_shape(book.language).match(word)
    _append(book.words, token.group() if token else word, phrase)


def _token_shape(language: Language) -> re.Pattern[str]:
    # French elides before an apostrophe (n'ai, l'app): there the two halves are two words.
    return _ELIDING_WORD if language is Language.FR else _WORD


def _append(index: dict[str, list[_Phrase]], key: str, phrase: _Phrase) -> None:
    phrases = index.setdefault(key, [])
    if phrase not in phrases:
        phrases.append(phrase)


def _expression(slot: str, language: Language, inner: bool) -> str:
    dense = language in SUBSTRING_LANGUAGES
    gap = _GAP.fullmatch(slot)
    if gap:
        return f".{{0,{gap[1]}}}?" if dense else rf"(?:\W*+\w[\w']*+){{0,{gap[1]}}}?"
    if slot == "$":
        return _CLAUSE_END
    lead = r"\W*+" if inner else ""
    words = "|".join(_word(word, dense, language) for word in slot.removeprefix("?").split("|"))
    return f"(?:{lead}(?:{words}))?" if slot.startswith("?") else f"{lead}(?:{words})"


def _word(word: str, dense: bool, language: Language) -> str:
    if dense:
        return r"\s*".join(re.escape(part) for part in word.split("_"))
    text = r"\W+".join(r"\w*".join(re.escape(part) for part in piece.split("*")) for piece in word.split("_"))
    if word.endswith("'"):
        return rf"(?<!\w){text}"
    after = r"(?!\w)" if language is Language.FR else r"(?!\w|'\w)"
    return rf"(?<!\w){text}{after}"
