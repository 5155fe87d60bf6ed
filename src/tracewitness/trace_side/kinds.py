"""Recognising the entries that a task describes and does not name ("all expired coupons", "the card ending in 8820").

A word of the task tells entries apart if it stands in some of the entries of a list and not in all of them. A number of
two digits or more in the task tells them apart better than any word.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tracewitness.trace_side.names import near_form_in, stands_in
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.view import View
from tracewitness.values.folding import fold

_NUMBER_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Kind:
    """A described kind of entry.

    Attributes:
        words: Any of these marks an entry as one of the kind.
        whole_list: No word tells entries apart and the task speaks of all of them, so every entry is of the kind.
    """

    words: frozenset[str]
    whole_list: bool

    def holds(self, text: str) -> bool:
        """Return whether an entry is of this kind."""
        return self.whole_list or any(near_form_in(word, fold(text)) for word in self.words)


def read_kind(keywords: Iterable[str], views: tuple[View, ...], *, several: bool) -> Kind | None:
    """Return how to recognise the described entries in this trace, or None where nothing tells them apart."""
    lists = [[fold(view.block(place)) for place in view.rows()] for view in views]
    lists = [entries for entries in lists if entries]
    words = [word for word in keywords if len(word) > 1]
    numbers = frozenset(
        word
        for word in words
        if sum(c.isdigit() for c in word) >= _NUMBER_DIGITS and any(stands_in(word, e) for es in lists for e in es)
    )
    if numbers:
        return Kind(numbers, whole_list=False)
    telling = frozenset(word for word in words if any(_tells_apart(word, entries) for entries in lists))
    if telling:
        return Kind(telling, whole_list=False)
    return Kind(frozenset(), whole_list=True) if several and not _spoken_of(words, views) else None


def _spoken_of(words: list[str], views: Iterable[View]) -> bool:
    """Return whether a tab, a filter choice or an empty list speaks of the kind, though no entry does."""
    for view in views:
        signs = [e for e in view.elements if e.role in (Role.TAB, Role.EMPTY_STATE)]
        if any(near_form_in(word, fold(sign.line)) for sign in signs for word in words):
            return True
    return False


def _tells_apart(word: str, entries: list[str]) -> bool:
    holding = sum(1 for entry in entries if near_form_in(word, entry))
    return 0 < holding < len(entries)
