"""Which fields a question asks for and which a label names, by kind: a price, a role, a phone number.

A page may be in another language than the task, so a question in German finds the column "Phone".
"""

from functools import cache, lru_cache
from importlib.resources import files

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES, Lexicon, load_text
from tracewitness.language.words import content_words
from tracewitness.trace_side.names import stands_in

_LABEL, _ASK = "field.", "ask."
_AROUND = " \t:：*?？·•"
_LONGEST_LABEL = 40
_WIDE_MIN = 2


@cache
def field_lexicon() -> Lexicon:
    """Return the words for fields, read once."""
    place = files("tracewitness.trace_side").joinpath("data", "field_words.tsv")
    return load_text(place.read_text(encoding="utf-8"), "trace_side/data/field_words.tsv")


@cache
def _labels() -> dict[str, frozenset[str]]:
    """Return the kinds of field by the folded words of a label, in any language."""
    kinds: dict[str, set[str]] = {}
    for entry in field_lexicon().entries:
        if entry.category.startswith(_LABEL):
            kinds.setdefault(comparable(entry.pattern), set()).add(entry.category.removeprefix(_LABEL))
    return {words: frozenset(found) for words, found in kinds.items()}


def bare_label(label: str) -> str:
    """Return a label folded, without the signs around it."""
    return comparable(label).strip(_AROUND)


def is_label(text: str) -> bool:
    """Return whether a text is nothing but a well-known label."""
    return len(text) <= _LONGEST_LABEL and bare_label(text) in _labels()


@lru_cache(maxsize=4096)
def kinds_of_label(label: str) -> frozenset[str]:
    """Return the kinds of field that a label names: by its own words, else by the longest well-known ones in it."""
    words = bare_label(label)
    if not words or len(words) > _LONGEST_LABEL:
        return frozenset()
    whole = _labels().get(words)
    if whole is not None:
        return whole
    inside = [known for known in _labels() if len(known) >= _WIDE_MIN and stands_in(known, words)]
    longest = max(map(len, inside), default=0)
    return frozenset(kind for known in inside if len(known) == longest for kind in _labels()[known])


def kinds_asked(question: str, language: Language) -> frozenset[str]:
    """Return the kinds of field that a question asks for, longer words before shorter ones inside them."""
    found = [
        (match.start, match.end, category.partition(".")[2])
        for category in sorted(field_lexicon().categories())
        for match in field_lexicon().find(language, category, question)
        if _tells(match.text, language)
    ]
    return frozenset(kind for start, end, kind in found if not _inside(start, end, found))


def _tells(words: str, language: Language) -> bool:
    """Return whether words say more than grammar does: "from" labels a sender and stands in any question."""
    if language in SUBSTRING_LANGUAGES:
        return True
    return bool(content_words(words, language)) or " " in words or len(words) > len("when")


def _inside(start: int, end: int, found: list[tuple[int, int, str]]) -> bool:
    return any(s <= start and end <= e and (e - s) > (end - start) for s, e, _ in found)
