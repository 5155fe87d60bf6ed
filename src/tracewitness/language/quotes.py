"""Quoted parts of a text, so that words inside quotes do not count as the writer's own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

MASK = "\ue000"
"""Stands for each character of a quoted part; it is no word character and occurs in no lexicon."""

_CLOSERS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "„": "“”",
    "”": "”",
    "‘": "’",
    "‚": "‘’",
    "«": "»",
    "»": "«",
    "‹": "›",
    "›": "‹",
    "「": "」",
    "『": "』",
    "《": "》",
    "〈": "〉",
    "【": "】",
}
_CLOSER_PATTERNS = {opener: re.compile(f"[{re.escape(closers)}]") for opener, closers in _CLOSERS.items()}
# Marks that also stand inside or after words (apostrophes, inches), so their neighbours decide whether they quote.
_AMBIGUOUS = "\"'‘’”»›"
_OPENER = re.compile("[" + re.escape("".join(_CLOSERS)) + "]")
_PARAGRAPH = re.compile(r"\n\s*\n")
_LONGEST = 400
_KEPT_LENGTH = 400
"""Longest text whose quotes are kept: every reader of a text asks for them anew."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted part: positions of the whole in the text, marks included, and the words between the marks."""

    start: int
    end: int
    text: str


def find_quotes(text: str) -> tuple[Quote, ...]:
    """Return the outermost quoted parts: '…', "…", “…”, „…“, «…», »…«, ‹…›, 「…」, 『…』, 《…》, 【…】 and `…`.

    An apostrophe inside a word (don't, l'app) opens and closes nothing, nor does a mark that is never closed within its
    paragraph and 400 characters.
    """
    return _quotes_once(text) if len(text) <= _KEPT_LENGTH else tuple(_scan(text))


@lru_cache(maxsize=4096)
def _quotes_once(text: str) -> tuple[Quote, ...]:
    return tuple(_scan(text))


def mask_quotes(text: str, quotes: tuple[Quote, ...] | None = None) -> str:
    """Return the text with every character of its quoted parts (marks included) replaced by MASK, length kept."""
    quotes = find_quotes(text) if quotes is None else quotes
    if not quotes:
        return text
    pieces: list[str] = []
    position = 0
    for quote in quotes:
        pieces.append(text[position : quote.start])
        pieces.append(MASK * (quote.end - quote.start))
        position = quote.end
    pieces.append(text[position:])
    return "".join(pieces)


def _scan(text: str) -> Iterator[Quote]:
    position = 0
    # Per opening mark: up to here no closing mark was found, so that unclosed marks cost no second look.
    barren: dict[str, int] = {}
    while found := _OPENER.search(text, position):
        start = found.start()
        end = _closing(text, start, barren) if _may_open(text, start) else None
        if end is None:
            position = start + 1
        else:
            yield Quote(start, end, text[start + 1 : end - 1])
            position = end


def _may_open(text: str, start: int) -> bool:
    if start + 1 >= len(text):
        return False
    ambiguous = text[start] in _AMBIGUOUS
    if ambiguous and text[start] not in "»›" and text[start + 1].isspace():
        return False
    return not (ambiguous and start > 0 and _is_narrow_word(text[start - 1]))


def _closing(text: str, start: int, barren: dict[str, int]) -> int | None:
    """Return the position after the mark that closes the quote opened at ``start``, or None."""
    limit = min(len(text), start + _LONGEST)
    paragraph = _PARAGRAPH.search(text, start, limit)
    limit = paragraph.start() if paragraph else limit
    opener = text[start]
    for found in _CLOSER_PATTERNS[opener].finditer(text, max(start + 2, barren.get(opener, 0)), limit):
        if _may_close(text, found.start()):
            return found.end()
    barren[opener] = max(limit, barren.get(opener, 0))
    return None


def _may_close(text: str, position: int) -> bool:
    if text[position] not in "'’":
        return True
    after = text[position + 1 : position + 2]
    return not text[position - 1].isspace() and not (after and _is_narrow_word(after))


def _is_narrow_word(character: str) -> bool:
    return character.isalnum() and not _WIDE.match(character)
