"""Sentences and clauses, with quoted words masked so that they do not count as the writer's own."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import Lexicon, load
from tracewitness.language.quotes import MASK, Quote, find_quotes, mask_quotes

__all__ = ["MASK", "Clause", "Quote", "find_quotes", "mask_quotes", "split"]

_LINE = re.compile(r"[^\n\r\u2028\u2029]+")
_ITEM = re.compile(r"\s*(?:(?:[-*+•·▪●○◦–—>]|#{1,6}|\(?\d{1,3}[.)]|[①-⑳]|\[[ xX✓✔]?\])\s+)+|\s*[①-⑳•●▪]\s*")
_MARK = re.compile(r"[!?]+[!?.]*|。+|;|…+|\.+|:|\uff61")
_AFTER_MARK = re.compile("[\\s)\\]}\"'*_»”」』》\ue000]|$")
_WIDE_NEXT = re.compile("[\u2e80-\u9fff\uac00-\ud7af]")
_LAST_WORD = re.compile(r"[\w.]+\.?$")
_TRIM = " \t\u3000\u00a0*#>~|,，、;·"
_COMMA = re.compile(r",(?!\d)|(?<!\d),")
_SHORTEST_WORDS = 3
_KEPT_LENGTH = 2_000
"""Longest text whose clauses are kept: a task is split by each of its readers."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause.

    Attributes:
        text: The clause as it stands, ends stripped.
        start: Position in the text of its first character.
        end: Position after its last character; ``whole[start:end] == text``.
        masked: The clause with each quoted character (marks included) replaced by MASK; same length as ``text``.
        quotes: The quoted parts inside it; positions refer to the whole text.
        connector: The folded connector that introduces it ("but", "aber", "然后"); it is part of ``text`` as well, or
            of the end of the clause before it where the language puts it there (が、 / -지만). Empty where punctuation
            alone divides.
        sentence: Number of the sentence it belongs to, from 0.
        mark: The punctuation that ends it ("?", ".", "。", ",", ":", ...), folded; empty at a line or text end and
            before a connector.
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


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    mark: str = ""
    connector: str = ""


@dataclass(frozen=True, slots=True)
class _Source:
    """A text with its masked and folded forms, all of one length, and the connectors of its language."""

    text: str
    masked: str
    folded: str
    language: Language
    lexicon: Lexicon


def split(text: str, language: Language) -> list[Clause]:
    """Return the clauses of a text in order.

    Together with what stands between them (white space, punctuation, list marks) they make up the text: no letter or
    digit outside them. An unsupported language is split by punctuation alone.
    """
    return list(_split_once(text, language)) if len(text) <= _KEPT_LENGTH else _split(text, language)


@lru_cache(maxsize=512)
def _split_once(text: str, language: Language) -> tuple[Clause, ...]:
    return tuple(_split(text, language))


def _split(text: str, language: Language) -> list[Clause]:
    quotes = find_quotes(text)
    masked = mask_quotes(text, quotes)
    source = _Source(text, masked, comparable(masked), language, load("connectors"))
    clauses: list[Clause] = []
    sentence = 0
    for line_start, line_end, item in _lines(source):
        for whole in _sentences(source, line_start, line_end):
            found = [_trimmed(source, piece) for piece in _pieces(source, whole)]
            kept = [piece for piece in found if piece is not None]
            for number, piece in enumerate(kept):
                clauses.append(_clause(source, quotes, piece, sentence, item and number == 0))
            sentence += bool(kept)
            item = item and not kept
    return clauses


def _clause(source: _Source, quotes: tuple[Quote, ...], piece: _Piece, sentence: int, item: bool) -> Clause:
    return Clause(
        text=source.text[piece.start : piece.end],
        start=piece.start,
        end=piece.end,
        masked=source.masked[piece.start : piece.end],
        quotes=_between(quotes, piece),
        connector=piece.connector,
        sentence=sentence,
        mark=piece.mark,
        item=item,
    )


def _between(quotes: tuple[Quote, ...], piece: _Piece) -> tuple[Quote, ...]:
    first = bisect_left(quotes, piece.start, key=lambda quote: quote.start)
    last = bisect_right(quotes, piece.end, key=lambda quote: quote.end)
    return quotes[first:last]


def _lines(source: _Source) -> Iterator[tuple[int, int, bool]]:
    for line in _LINE.finditer(source.masked):
        item = _ITEM.match(source.masked, line.start(), line.end())
        yield (item.end() if item else line.start()), line.end(), item is not None


def _sentences(source: _Source, start: int, end: int) -> Iterator[_Piece]:
    position = start
    for found in _MARK.finditer(source.folded, start, end):
        if _divides(source, found, start):
            yield _Piece(position, found.start(), found.group()[0])
            position = found.end()
    yield _Piece(position, end)


def _divides(source: _Source, found: re.Match[str], line_start: int) -> bool:
    """Return whether a punctuation mark ends a sentence (and is no part of a number, address or abbreviation)."""
    mark = found.group()
    if mark[0] in "。…;":
        return True
    after = source.masked[found.end() : found.end() + 1]
    wide = source.text[found.start()] in "！？：．" or bool(_WIDE_NEXT.match(after))
    if not wide and not _AFTER_MARK.match(after):
        return False
    return mark != "." or not _is_abbreviation(source, found, line_start)


def _is_abbreviation(source: _Source, found: re.Match[str], line_start: int) -> bool:
    before = _LAST_WORD.search(source.folded, max(line_start, found.start() - 20), found.end())
    word = before.group() if before else ""
    if source.lexicon.has(source.language, "abbreviation", word):
        return True
    after = source.folded[found.end() : found.end() + 12].lstrip()
    # German ordinals: "am 14. Mai", "die 2. Seite".
    ordinal = source.language is Language.DE and word[:-1].isdigit() and len(word) <= 3
    return ordinal and (source.lexicon.has(Language.DE, "after_ordinal", after))


def _pieces(source: _Source, whole: _Piece) -> Iterator[_Piece]:
    """Divide one sentence at its connectors and commas."""
    cuts = sorted(_cuts(source, whole.start, whole.end))
    position, connector = whole.start, ""
    for cut_end, next_start, mark, next_connector in cuts:
        if next_start <= position:
            connector = next_connector or connector
            continue
        if cut_end > position:
            yield _Piece(position, cut_end, mark, connector)
            connector = ""
        position, connector = next_start, next_connector or connector
    yield _Piece(position, whole.end, whole.mark, connector)


def _cuts(source: _Source, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield (end of left piece, start of right piece, mark between, connector of the right piece)."""
    part = source.folded[start:end]
    opens = source.lexicon.pattern(source.language, "opens")
    for found in opens.finditer(part) if opens else ():
        if part[max(0, found.start() - 1) : found.start()] == "-":
            # The end of a word ("certifique-se").
            continue
        yield start + found.start(), start + found.start(), "", found.group().strip()
    closes = source.lexicon.pattern(source.language, "closes")
    for found in closes.finditer(part) if closes else ():
        yield start + found.end(), start + found.end(), "", found.group().strip(" ,、")
    commas = [found.start() for found in _COMMA.finditer(part)]
    edges = [-1, *commas, len(part)]
    for before, comma, after in zip(edges, commas, edges[2:], strict=False):
        if _stands_alone(source, part[before + 1 : comma]) and _stands_alone(source, part[comma + 1 : after]):
            yield start + comma, start + comma + 1, ",", ""


def _stands_alone(source: _Source, part: str) -> bool:
    """Return whether a stretch between commas can be a clause: three words, or four characters without spaces."""
    if source.language in (Language.ZH, Language.JA):
        return len(part.strip()) > _SHORTEST_WORDS
    least = _SHORTEST_WORDS - 1 if source.language is Language.KO else _SHORTEST_WORDS
    return len(part.split()) >= least


def _trimmed(source: _Source, piece: _Piece) -> _Piece | None:
    raw = source.masked[piece.start : piece.end]
    left = len(raw) - len(raw.lstrip(_TRIM))
    kept = raw.strip(_TRIM)
    if not any(c.isalnum() or c == MASK or ord(c) > 0x2190 for c in kept):
        return None
    start = piece.start + left
    return _Piece(start, start + len(kept), piece.mark, piece.connector)
