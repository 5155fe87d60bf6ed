"""A goal as the trace side looks for it: its names and values, recognised in one trace."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.words import content_words
from tracewitness.task_side.goal import Goal, Wanted
from tracewitness.trace_side.anchors import anchored, figured, met, moved, of_figure
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.names import (
    Name,
    Value,
    bare,
    plain,
    read_name,
    read_wanted_values,
    stands_in,
    typed_values,
)
from tracewitness.values.folding import fold

_HOST = re.compile(r"https?://([^/\s'\"?]+)")
_QUOTED = re.compile(r"['\"“「]([^'\"”」]{1,60})['\"”」]")
_IN_QUOTES = re.compile(r"(?<![^\W_])'([^']+)'|\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|«\s*([^»]+?)\s*»|„([^“”]+)[“”]")
_OPENING_STEPS = 2
_OF_RECORDS = frozenset({Wanted.PRESENT, Wanted.VALUE})
_SITE_MIN = 4
_WORDED = re.compile(r"[^@\d]*[^\W\d_][^@]*")
_PIECES = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class GoalPatterns:
    """What to look for.

    Attributes:
        goal: The goal.
        task_class: The class of the task.
        language: The language of the task.
        targets: The objects, best first.
        values: The values asked for.
        others: The objects of the task's other parts: a message that names one of them speaks of that part.
        places: The apps and sites that the run opened first.
        switch_count: The most switches of this kind that one screen shows, for goals that mean all of them.
        switches: Those of the objects that the trace shows as switches; all of them must be in the asked-for position.
    """

    goal: Goal
    task_class: TaskClass
    language: Language
    targets: tuple[Name, ...]
    values: tuple[Value, ...]
    switches: tuple[Name, ...] = ()
    others: tuple[Name, ...] = ()
    places: frozenset[str] = frozenset()
    switch_count: int = 0

    def is_of_other(self, text: str) -> bool:
        """Return whether a text names an object of another part of the task, and none of this one."""
        return any(t.named_in(text) for t in self.others) and not any(t.named_in(text) for t in self.targets)

    def concerns(self, text: str) -> bool:
        """Return whether a text names an object, shows a value or holds a content word of the goal."""
        return self.names_or_values(text) or self.keyword_in(text)

    def names_or_values(self, text: str) -> bool:
        """Return whether a text names one of the objects or shows one of the values."""
        known = self._named.get(text)
        if known is None:
            known = self._named[text] = self._names_or_values(text)
        return known

    @cached_property
    def _named(self) -> dict[str, bool]:
        return {}

    def _names_or_values(self, text: str) -> bool:
        return any(t.named_in(text) for t in self.targets) or any(v.shown_in(text) for v in self.values)

    def keyword_in(self, text: str) -> bool:
        """Return whether a text holds a content word of the goal."""
        folded_text = fold(text)
        return any(word in folded_text and stands_in(word, folded_text) for word in self.words)

    def place_in(self, text: str) -> bool:
        """Return whether a text holds any content word of the part's own text, the place it speaks of included."""
        folded_text = fold(text)
        return any(word in folded_text and stands_in(word, folded_text) for word in self._all_words)

    @cached_property
    def _all_words(self) -> frozenset[str]:
        long_words = {word for word in _PIECES.findall(fold(self.goal.text)) if len(word) >= _SITE_MIN}
        return frozenset(long_words | {word for word in content_words(self.goal.text, self.language) if len(word) > 1})

    def strange_meanings(self, text: str) -> frozenset[str]:
        """Return the meanings of a text without those of the goal's own names and values.

        A ticket called "Login error" is no error, and a message that says "failed" has not failed.
        """
        bare_text = fold(text)
        for own in (*(t.phrase for t in self.targets), *(v.phrase for v in self.values)):
            if own:
                bare_text = bare_text.replace(own, " ")
        return meanings(bare_text)

    @cached_property
    def contexts(self) -> tuple[str, ...]:
        """Return the quoted words of the part that are neither an object nor a value of it: an account, a folder."""
        known = [t.phrase for t in self.targets] + [v.phrase for v in self.values] + [plain(p) for p in self.places]
        quotes = (next((g for g in found.groups() if g), "") for found in _IN_QUOTES.finditer(self.goal.text))
        return tuple(q for q in quotes if q and not any(plain(q) in name or name in plain(q) for name in known if name))

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the content words of the goal with the parts of hyphenated ones."""
        pieces = {piece for word in self.goal.keywords for piece in (word, *_PIECES.findall(word))}
        return frozenset(piece for piece in pieces if len(piece) > 1)


def read_patterns(
    goal: Goal,
    task_class: TaskClass,
    language: Language,
    ledger: Ledger,
    titles: frozenset[str] = frozenset(),
) -> GoalPatterns:
    """Return what to look for in a trace for one goal; ``titles`` are what the records of its screens are called."""
    values = tuple(_with_look_alikes(value, ledger, language) for value in read_wanted_values(goal, language))
    wanted = {plain(value.phrase) for value in values}
    places = _places(ledger)
    kept = [t for t in goal.targets if not any(_is_place(t, place) for place in places)]
    chosen = anchored(kept if _can_spare(goal, kept) else goal.targets, goal, ledger)
    if goal.wanted in _OF_RECORDS and not any(plain(name) in titles for name in chosen):
        chosen = met(goal, chosen, ledger, titles)
    names = [read_name(target, ledger, language) for target in chosen]
    # A new name that holds the old one ("Faro Norte" for "Faro") is what was asked for and no look-alike.
    targets = tuple(_without_look_alikes(name, wanted) for name in names)
    if not any(target.known for target in targets) or _none_called(chosen, goal, titles):
        targets = figured(goal, ledger, language) or targets
    exchanged = None if any(plain(name) in titles for name in chosen) else moved(goal, ledger, language)
    if exchanged is not None:
        goal, new = replace(goal, wanted=Wanted.PRESENT), exchanged[1]
        targets, values = (of_figure(new, language),), (Value(plain(new), typed_values(new, language), language),)
    return GoalPatterns(goal, task_class, language, targets, values, places=places)


def _none_called(names: list[str], goal: Goal, titles: frozenset[str]) -> bool:
    """Return whether no record is called by any of the names, and none is given in quotes: "the alarm at 9:10 PM"."""
    quoted = " | ".join(found.group() for found in _IN_QUOTES.finditer(goal.text))
    return bool(titles) and not any(plain(name) in titles or name in quoted for name in names)


def _without_look_alikes(name: Name, wanted: set[str]) -> Name:
    if wanted.isdisjoint(name.look_alikes):
        return name
    return replace(name, look_alikes=tuple(other for other in name.look_alikes if other not in wanted))


def _with_look_alikes(value: Value, ledger: Ledger, language: Language) -> Value:
    """Note the entries that are called longer than a text value ("Archive 2" beside "Archive")."""
    if not value.phrase or value.typed or not _WORDED.fullmatch(value.phrase):
        # Addresses and numbers are told apart by their edges; a row that holds one is no look-alike of it.
        return value
    others = read_name(value.phrase, ledger, language).look_alikes
    return replace(value, look_alikes=others) if others else value


def _places(ledger: Ledger) -> frozenset[str]:
    """Return the apps and sites that the run opened first, spelled without spaces: they are places and no objects."""
    places: set[str] = set()
    for step in ledger.steps[:_OPENING_STEPS]:
        raw = step.action.raw or ""
        places.update(bare(host) for host in _HOST.findall(raw + " " + (step.after.url or "" if step.after else "")))
        if "app" in step.action.kind.lower():
            places.update(bare(name) for name in _QUOTED.findall(raw))
    return frozenset(place for place in places if place)


def _is_place(target: str, place: str) -> bool:
    own = bare(target)
    return len(own) > 1 and (own == place or (len(own) >= _SITE_MIN and own in place))


def _can_spare(goal: Goal, kept: list[str]) -> bool:
    return bool(kept or goal.values) or (goal.wanted is Wanted.OTHER and len(goal.keywords) >= _SITE_MIN - 1)
