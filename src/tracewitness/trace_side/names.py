"""Deciding whether a text on screen names an object, or shows a value, that a task asks for.

Look-alikes are the common trap: "Orin Vale" stands inside "Orin Vale Jr". Where the trace shows an element that is
called exactly as asked, a longer name that holds the asked one is another object.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from tracewitness.findings.labels import Language
from tracewitness.language.quantities import read_figures, same_value
from tracewitness.language.words import content_words
from tracewitness.task_side.goal import Goal
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.scene import Element, Role
from tracewitness.values.answers import AnswerValue, DateValue, MoneyValue, NumberValue, TextValue, TimeValue
from tracewitness.values.folding import fold

_CELL_BREAK = re.compile(r"\s*[|\t]\s*|\s{2,}|\s+[–—·•]\s+|\s*[;；]\s*|:\s+|：")
_LATIN = re.compile(r"[^\W\d_]|\d", re.UNICODE)
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uff66-\uff9f]")
_INNER_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011](?=[^\W\d_])")
_FILE = re.compile(r"(?<![\w.-])[\w.-]{1,255}\.[a-z0-9]{2,5}\b")
_FILE_NAME_MIN = 6
_JOINERS = "-_."
_WORDS = re.compile(r"\w+")
_STEM = 4
_KEPT_LENGTH = 400
"""Longest text for which it is kept whether it names an object: screens repeat their lines."""

_ROW_LIKE = frozenset({Role.ROW, Role.LINK, Role.CHOICE, Role.SWITCH, Role.OTHER, Role.TEXT, Role.CELL, Role.MENU_ITEM})
_LOOK_ALIKE_LIMIT = 40
_LOOSE_SHARE = 0.6
_QUOTE_PAIRS = (("'", "'"), ('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"))
_LETTERS = re.compile(r"[^\W\d_]")
_UNIT_LETTERS = 3
_FIGURE_LETTERS = 12
_TYPED = (DateValue, TimeValue, MoneyValue, NumberValue)


@lru_cache(maxsize=65536)
def cells(text: str) -> tuple[str, ...]:
    """Return the folded parts of a line that stand for themselves: table cells, label and value, list items."""
    return tuple(
        part for part in (fold(piece).strip(" '\"“”«»「」『』[]()") for piece in _CELL_BREAK.split(text)) if part
    )


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """Return a text folded for comparing names: also without hyphens inside words, so that "Wi-Fi" is "wifi"."""
    folded_text = fold(text)
    hyphened = "-" in folded_text or "\u2010" in folded_text or "\u2011" in folded_text
    return _INNER_HYPHEN.sub("", folded_text) if hyphened else folded_text


def element_texts(element: Element) -> tuple[str, ...]:
    """Return the texts an element shows: its name and, where it has one, its value."""
    return (element.name, element.value) if element.value else (element.name,)


def stands_in(phrase: str, text: str) -> bool:
    """Return whether a folded phrase stands in a folded text as whole words (anywhere, in scripts without spaces)."""
    start = text.find(phrase)
    while start >= 0:
        if _free_before(text, start, phrase[0]) and _free_after(text, start + len(phrase), phrase[-1]):
            return True
        start = text.find(phrase, start + 1)
    return False


def _free_before(text: str, start: int, edge: str) -> bool:
    if start == 0 or not _has_edge(edge):
        return True
    previous = text[start - 1]
    if _is_wide(previous):
        return True
    joined = previous in _JOINERS and start > 1 and text[start - 2].isalnum()
    return not (previous.isalnum() or joined)


def _free_after(text: str, end: int, edge: str) -> bool:
    if end >= len(text) or not _has_edge(edge):
        return True
    following = text[end]
    if _is_wide(following):
        return True
    joined = following in _JOINERS and end + 1 < len(text) and text[end + 1].isalnum()
    return not (following.isalnum() or joined)


@lru_cache(maxsize=4096)
def _has_edge(character: str) -> bool:
    """Return whether words end at this character: letters and digits of scripts with spaces."""
    return not _is_wide(character) and _LATIN.match(character) is not None


@lru_cache(maxsize=4096)
def _is_wide(character: str) -> bool:
    return _WIDE.match(character) is not None


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """Return the letters and digits of a text alone, folded and without accents, as file names spell words."""
    decomposed = unicodedata.normalize("NFKD", fold(text))
    return "".join(c for c in decomposed if c.isalnum())


def near_form_in(word: str, text: str) -> bool:
    """Return whether a folded word, or a near form of it ("domingos", "domingo"), stands in a folded text."""
    if word in text and stands_in(word, text):
        return True
    stem = word[: max(_STEM, len(word) - 2)]
    return len(word) > _STEM and stem in text and any(other.startswith(stem) for other in _WORDS.findall(text))


# "To Orin Vale" and "£35.00 to Orin Vale" name nobody else; nor do the other languages' words for it.
_ADDRESSED = re.compile(r"(?:[£$€¥₩]?[\d.,]+\s?[£$€¥₩]?\s*)?(?:to|for|from|an|für|von|à|pour|de|a|para|给|发给)?")


@dataclass(frozen=True, slots=True)
class Name:
    """One object's name as a task gives it.

    Attributes:
        phrase: The folded name.
        look_alikes: Longer names on screen that hold it, where an element is called exactly so.
        known: The trace shows the phrase itself; otherwise words are compared loosely.
        tokens: Its content words, for loose comparison.
        doubtful: It stands only inside longer names of entries ("Orin Vale Jr") and never for itself.
        figures: The times or dates that it is nothing but ("9:10 PM"); a screen may write them in another form.
    """

    phrase: str
    look_alikes: tuple[str, ...]
    known: bool
    tokens: frozenset[str]
    doubtful: bool = False
    figures: tuple[AnswerValue, ...] = ()
    language: Language = Language.EN
    _known_texts: dict[str, bool] = field(init=False, repr=False, compare=False, default_factory=dict[str, bool])

    def named_in(self, text: str) -> bool:
        """Return whether a text names this object and not merely a look-alike."""
        if not self.phrase:
            return False
        if len(text) > _KEPT_LENGTH:
            return self.reads_in(text)
        known = self._known_texts.get(text)
        if known is None:
            known = self._known_texts[text] = self.reads_in(text)
        return known

    def reads_in(self, text: str) -> bool:
        """Return what ``named_in`` does, always reading anew."""
        folded_text = plain(text)
        for other in self.look_alikes:
            folded_text = folded_text.replace(other, "\u0000")
        if stands_in(self.phrase, folded_text) or self._in_file_name(folded_text):
            return True
        if self.figures and self._figured_in(text):
            return True
        # An address is spelled one way only.
        return not self.known and "@" not in self.phrase and self._loosely_in(folded_text)

    def same_figure(self, text: str) -> bool:
        """Return whether a text is nothing but the same time or date, in whatever form."""
        if not self.figures or len(_LETTERS.findall(text)) > _FIGURE_LETTERS:
            return False
        return self._figured_in(text)

    def _figured_in(self, text: str) -> bool:
        found = typed_values(text, self.language)
        return all(any(same_value(own, theirs) for theirs in found) for own in self.figures)

    def _in_file_name(self, folded_text: str) -> bool:
        """Return whether a file is named after the object ("soldadura-basica.pdf" after "Soldadura básica")."""
        if "." not in folded_text:
            return False
        own = bare(self.phrase)
        if len(own) < _FILE_NAME_MIN or not _FILE.search(folded_text):
            return False
        return any(own in bare(found) for found in _FILE.findall(folded_text))

    def names(self, element: Element) -> bool:
        """Return whether an element shows this object's name."""
        return any(self.named_in(text) for text in element_texts(element))

    def look_alike_in(self, text: str) -> bool:
        """Return whether a text names a look-alike and not the object."""
        folded_text = plain(text)
        return not self.named_in(text) and any(other in folded_text for other in self.look_alikes)

    def hinted_in(self, text: str) -> bool:
        """Return whether a text shares at least one content word with the name."""
        folded_text = fold(text)
        pieces = {piece for token in self.tokens for piece in _WORDS.findall(token)}
        return any(near_form_in(piece, folded_text) for piece in pieces if len(piece) > 1)

    def _loosely_in(self, folded_text: str) -> bool:
        if not self.tokens:
            return False
        there = [token for token in self.tokens if stands_in(plain(token), folded_text)]
        numbers = [token for token in self.tokens if any(c.isdigit() for c in token)]
        if numbers:
            return all(token in there for token in numbers) and (len(numbers) == len(self.tokens) or len(there) > 0)
        return len(there) >= max(1, round(_LOOSE_SHARE * len(self.tokens)))


def read_name(phrase: str, ledger: Ledger, language: Language) -> Name:
    """Return how to recognise a name in this trace."""
    wanted = plain(phrase)
    sights = [s.element for s in ledger.occurrences(phrase)]
    known = any(stands_in(wanted, plain(text)) for element in sights for text in element_texts(element))
    entries = {plain(cell) for e in sights if e.role in _ROW_LIKE for cell in cells(e.name)}
    others: tuple[str, ...] = ()
    if wanted in entries:
        others = tuple(sorted((c for c in entries if _is_look_alike(c, wanted)), key=len, reverse=True))
    doubtful = (
        known
        and bool(_LETTERS.search(wanted))
        and not _stands_alone(wanted, sights)
        and any(_is_longer_name(c, wanted) for c in entries)
    )
    return Name(wanted, others, known, content_words(phrase, language), doubtful)


def _stands_alone(wanted: str, sights: list[Element]) -> bool:
    """Return whether the name is a whole cell somewhere, or stands in quotes inside a sentence."""
    for element in sights:
        if any(plain(cell) == wanted for text in element_texts(element) for cell in cells(text)):
            return True
        inner = plain(" ".join(element_texts(element)))
        if any(f"{opening}{wanted}{closing}" in inner for opening, closing in _QUOTE_PAIRS):
            return True
    return False


def _is_longer_name(cell: str, wanted: str) -> bool:
    rest = cell.replace(wanted, " ", 1)
    return wanted in cell and len(_LETTERS.findall(rest)) > 1


def _is_look_alike(cell: str, wanted: str) -> bool:
    if cell == wanted or wanted not in cell or len(cell) > len(wanted) + _LOOK_ALIKE_LIMIT:
        return False
    rest = cell.replace(wanted, " ", 1)
    if cell.endswith((f"/{wanted}", f"\\{wanted}")) and " " not in cell:
        # The path of a file is no other file.
        return False
    return any(c.isalnum() for c in rest) and not (cell.endswith(wanted) and _ADDRESSED.fullmatch(rest.strip()))


@dataclass(frozen=True, slots=True)
class Value:
    """One value a task asks for: its text, what it reads as, and longer names on screen that hold it."""

    phrase: str
    typed: tuple[AnswerValue, ...]
    language: Language
    look_alikes: tuple[str, ...] = ()

    def shown_in(self, text: str) -> bool:
        """Return whether a text shows this value, in its words or in another format of a date, time or number."""
        folded_text = fold(text)
        for other in self.look_alikes:
            folded_text = folded_text.replace(other, "\u0000")
        if self.phrase and self.phrase in folded_text and stands_in(self.phrase, folded_text):
            return True
        if not self.typed:
            return False
        mine = self._comparable
        return bool(mine) and any(same_value(m, theirs) for m in mine for theirs in typed_values(text, self.language))

    @property
    def _comparable(self) -> tuple[AnswerValue, ...]:
        """Return the typed readings that say all that the words say: "200 g of butter" is more than the number 200."""
        if not self.phrase or len(_LETTERS.findall(self.phrase)) <= _UNIT_LETTERS:
            return self.typed
        return tuple(
            v
            for v in self.typed
            if isinstance(v, DateValue | TimeValue | MoneyValue) or (isinstance(v, NumberValue) and v.percent)
        )

    def contradicted_in(self, text: str) -> bool:
        """Return whether a text shows a date, time or amount of the same kind and none of them is this value."""
        kinds = {type(value) for value in self.typed if isinstance(value, DateValue | TimeValue | MoneyValue)}
        if not kinds or self.shown_in(text):
            return False
        return any(type(value) in kinds for value in typed_values(text, self.language))


@lru_cache(maxsize=32768)
def typed_values(text: str, language: Language) -> tuple[AnswerValue, ...]:
    """Return the numbers, amounts, dates and times of a text."""
    return tuple(found.value for found in read_figures(text, language))


def read_wanted_values(goal: Goal, language: Language) -> tuple[Value, ...]:
    """Return the values a goal asks for: each text with its typed readings, then typed values without a text."""
    texts = [Value(fold(text), typed_values(text, language), language) for text in goal.values]
    covered = [typed for value in texts for typed in value.typed]
    loose = [t for t in goal.typed_values if not isinstance(t, TextValue) and not _same_as_any(t, covered)]
    return tuple(texts + [Value("", (value,), language) for value in loose if isinstance(value, _TYPED)])


def _same_as_any(value: AnswerValue, others: Iterable[AnswerValue]) -> bool:
    return any(same_value(value, other) for other in others)
