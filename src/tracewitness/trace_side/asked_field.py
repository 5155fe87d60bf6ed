"""Which value of an entry a question asks for, by the labels of the entry."""

from dataclasses import dataclass

from tracewitness.findings.labels import Language
from tracewitness.language.words import content_words
from tracewitness.trace_side.field_words import bare_label, kinds_asked, kinds_of_label
from tracewitness.trace_side.names import near_form_in, plain, typed_values
from tracewitness.trace_side.records import Held, Record
from tracewitness.values.answers import MoneyValue
from tracewitness.values.folding import fold

_ANSWERED_BY: dict[str, tuple[frozenset[str], ...]] = {
    "money": (frozenset({"price", "total"}),),
    "when": (frozenset({"time"}), frozenset({"date"}), frozenset({"due", "ordered"})),
    "place": (frozenset({"place"}), frozenset({"address"})),
}
_SUMS = frozenset({"money", "price", "total"})
_NO_VALUE = frozenset({"actions"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for.

    Attributes:
        words: The folded words of the question without the names of entries.
        kinds: The kinds of field that its words name.
        language: Its language.
    """

    words: str
    kinds: frozenset[str]
    language: Language


def read_asked(words: str, language: Language) -> Asked:
    """Return what the words of a question, without the names in it, ask for."""
    return Asked(fold(words), kinds_asked(words, language), language)


def asked_value(asked: Asked, record: Record) -> Held | None:
    """Return the value of a record that a question asks for; None where it has none or two that may be meant."""
    own = [h for h in record.held if plain(h.text) not in record.titles and not kinds_of_label(h.label) & _NO_VALUE]
    named = [h for h in own if _names(asked, h.label)]
    meant = [h for h in own if kinds_of_label(h.label) & asked.kinds]
    both = [h for h in named if h in meant]
    for found in (both, named, meant):
        if found:
            return _only(found)
    return _of_sort(asked, own)


def _only(found: list[Held]) -> Held | None:
    return found[0] if len({(bare_label(h.label), fold(h.text)) for h in found}) == 1 else None


def _names(asked: Asked, label: str) -> bool:
    """Return whether all the words of a label stand in the question."""
    words = content_words(label, asked.language)
    return bool(words) and all(near_form_in(word, asked.words) for word in words)


def _of_sort(asked: Asked, own: list[Held]) -> Held | None:
    """Return the value whose label answers to a question by its sort: an amount, a time, a place."""
    for kind in sorted(asked.kinds & _ANSWERED_BY.keys()):
        for kinds in _ANSWERED_BY[kind]:
            found = [h for h in own if kinds_of_label(h.label) & kinds]
            if found:
                return _only(found)
    if asked.kinds & _SUMS:
        sums = [h for h in own if any(isinstance(v, MoneyValue) for v in typed_values(h.text, asked.language))]
        return _only(sums) if sums else None
    return None
