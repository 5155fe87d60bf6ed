"""What the words of an interface mean, in any of the languages with a lexicon.

An interface may be in another language than the task, so all languages are looked up at once. A text's meanings are
found in one pass over its words and are kept, because logs repeat the same texts at every step.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from tracewitness.language.expressions import needed_text
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES, Entry, Lexicon, load_text
from tracewitness.values.folding import fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uff66-\uff9f]")
_STEM_MIN = 3
_LABEL_LIMIT = 60


class _Expression(NamedTuple):
    """An expression, a text without which it cannot match, and what it means."""

    needed: str
    pattern: re.Pattern[str]
    category: str


@dataclass(frozen=True, slots=True)
class _Index:
    """Entries by how they are looked up: by first word, by stem, and as substrings or expressions."""

    by_word: dict[str, list[tuple[tuple[str, ...], str]]]
    by_stem: dict[str, list[tuple[tuple[str, ...], str]]]
    by_character: dict[str, list[tuple[str, frozenset[str]]]]
    expressions: list[_Expression]
    longest_stem: int


@cache
def lexicon() -> Lexicon:
    """Return the lexicon of interface words, read once."""
    place = files("tracewitness.trace_side").joinpath("data", "interface_words.tsv")
    return load_text(place.read_text(encoding="utf-8"), "trace_side/data/interface_words.tsv")


@lru_cache(maxsize=65536)
def meanings(text: str) -> frozenset[str]:
    """Return the categories of interface words that occur in a text, whatever its language.

    A denied error ("no errors") is not an error; an error or a "not yet" takes away the success in the same text.
    """
    index = _index()
    found = _spoken(comparable(text), index)
    if "no_error" in found:
        found = _spoken(_without(comparable(text), "no_error"), index) - {"error"}
    if found & {"error", "unchanged", "undone"}:
        found -= {"success"}
    return frozenset(found)


def label_meanings(label: str) -> frozenset[str]:
    """Return the meanings of a control's label; a long text is no label and means nothing."""
    return meanings(label) if len(label) <= _LABEL_LIMIT else frozenset()


def _spoken(text: str, index: _Index) -> set[str]:
    words = _WORD.findall(text)
    found: set[str] = set()
    for place, word in enumerate(words):
        alone, leading = _begun_by(word)
        if alone:
            found |= alone
        for phrase, category in leading:
            if category not in found and _follows(phrase, words, place):
                found.add(category)
    if not text.isascii() and _WIDE.search(text):
        found |= _wide_meanings(text, index)
    for needed, pattern, category in index.expressions:
        if needed in text and pattern.search(text):
            found.add(category)
    return found


@lru_cache(maxsize=16384)
def _begun_by(word: str) -> tuple[frozenset[str], tuple[tuple[tuple[str, ...], str], ...]]:
    """Return what a word means alone, and the phrases that it begins with what they mean."""
    index = _index()
    phrases = index.by_word.get(word, ())
    alone = {category for phrase, category in phrases if len(phrase) == 1}
    for length in range(_STEM_MIN, min(len(word), index.longest_stem) + 1):
        alone.update(category for _, category in index.by_stem.get(word[:length], ()))
    return frozenset(alone), tuple(pair for pair in phrases if len(pair[0]) > 1)


def _wide_meanings(text: str, index: _Index) -> set[str]:
    """Return categories of wide entries, also of those that stand inside a longer one ("未保存" holds "保存")."""
    found: set[str] = set()
    for character in set(text):
        for phrase, names in index.by_character.get(character, ()):
            if phrase in text:
                found |= names
    return found


def _follows(phrase: tuple[str, ...], words: list[str], place: int) -> bool:
    if not phrase:
        return True
    last = phrase[-1]
    if last.endswith("*"):
        head = phrase[:-1]
        at = place + len(head)
        return tuple(words[place:at]) == head and at < len(words) and words[at].startswith(last[:-1])
    return tuple(words[place : place + len(phrase)]) == phrase


def _without(text: str, category: str) -> str:
    for entry in lexicon().entries:
        if entry.category == category:
            text = text.replace(comparable(entry.pattern), " ")
    return text


@cache
def _index() -> _Index:
    by_word: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    by_stem: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    wide: dict[str, set[str]] = {}
    expressions: list[_Expression] = []
    for entry in lexicon().entries:
        if entry.pattern.startswith("re:"):
            source = entry.pattern[3:]
            expressions.append(_Expression(needed_text(source), re.compile(source), entry.category))
        elif entry.language in SUBSTRING_LANGUAGES and _WIDE.search(entry.pattern):
            wide.setdefault(comparable(entry.pattern), set()).add(entry.category)
        else:
            _file(entry, by_word, by_stem)
    by_character: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for phrase, names in wide.items():
        by_character.setdefault(phrase[0], []).append((phrase, frozenset(names)))
    return _Index(by_word, by_stem, by_character, expressions, max(map(len, by_stem), default=0))


def _file(
    entry: Entry,
    by_word: dict[str, list[tuple[tuple[str, ...], str]]],
    by_stem: dict[str, list[tuple[tuple[str, ...], str]]],
) -> None:
    pattern = comparable(entry.pattern)
    words = [w + ("*" if pattern.endswith("*") and i else "") for i, w in enumerate(_WORD.findall(pattern))]
    stem = pattern.endswith("*")
    if not words:
        return
    if stem and len(words) == 1:
        by_stem.setdefault(words[0], []).append((tuple(words), entry.category))
        return
    if stem:
        words = [w.rstrip("*") for w in words[:-1]] + [words[-1]]
    by_word.setdefault(words[0], []).append((tuple(words), entry.category))


def same_label(left: str, right: str) -> bool:
    """Return whether two labels read the same after folding."""
    return fold(left) == fold(right)
