"""Removals, told by the lists that hold the thing: there before, and then not in a list that would show it.

An absence proves something only where the thing would be seen if it were there: in the list that held it, on the same
page of it, or in a whole list of such things that nothing narrows but the thing's own name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tracewitness.findings.labels import Language
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.language.words import content_words
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import label_meanings, lexicon, meanings
from tracewitness.trace_side.listing import Entry, Listing, is_called, read_listing
from tracewitness.trace_side.moves import CHANGING, Move, Played
from tracewitness.trace_side.names import Name, near_form_in, plain, stands_in, typed_values
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.removal_names import removal_names, search_text
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.things import things_of
from tracewitness.trace_side.view import LOG_LINES, View
from tracewitness.values.answers import DateValue, TimeValue
from tracewitness.values.folding import fold
from tracewitness.values.ternary import Ternary

_DEEDS = frozenset({Move.COMMIT, Move.WRITE, Move.TOUCH, Move.DISCARD, Move.CANCEL})
_ASKING = frozenset("?？")
_STATE_LINES = 12
_QUALIFIER_LETTERS = 2
_SPENT = frozenset({"remove", "all", "cancel", "discard"})


@dataclass
class _Known:
    """What is known of one name so far: the pages of lists that showed it, and when one did so last."""

    pages: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict[tuple[str, tuple[str, ...]], int])
    places: set[str] = field(default_factory=set[str])
    last_present: int | None = None


class RemovalReader:
    """Reads the scenes of a run in time order for a goal that wants something gone."""

    def __init__(self, patterns: GoalPatterns, played: Sequence[Played], views: Iterable[View]) -> None:
        self._patterns = patterns
        self._played = played
        self._listings = {id(view): read_listing(view) for view in views}
        self._told: dict[str, list[tuple[int, int]]] = {}
        self._labels: dict[str, str] = {}
        named = removal_names(patterns, tuple(self._listings.values()), played)
        self.names = named if self._are_met(named) else ()
        self._known = {name.phrase: _Known() for name in self.names}
        self._whole = _Known()
        self._taken = 0
        self._search = ""
        self._pending = ""
        self._led_by = ""
        self._deeds: list[tuple[int, frozenset[str]]] = []
        self._counts: dict[tuple[str, tuple[str, ...]], list[tuple[int, int]]] = {}
        self._lacking: dict[tuple[str, tuple[str, ...], str], set[int]] = {}

    def _are_met(self, names: Sequence[Name]) -> bool:
        """Return whether every name is met as an entry's, or a list of the kind of thing it names was looked at."""
        listings = [one for one in self._listings.values() if one.place]
        met = bool(listings) and all(any(self._called(name, one) for one in listings) for name in names)
        if met or any(_may_be(name, entry) for name in names for one in listings for entry in one.entries):
            return met
        return any(self._is_list(one) and self._of_the_kind(one) for one in listings)

    def read(self, view: View, after_steps: int) -> Reading | None:
        """Return what the next scene says; None where names and lists are not told well enough to say anything."""
        listing = self._listings.get(id(view)) or read_listing(view)
        self._advance(view, listing, after_steps)
        if not self.names:
            return self._all_of_them(view, listing, after_steps) if self._patterns.goal.every else None
        readings = [self._one(name, view, listing, after_steps) for name in self.names]
        against = next((r for r in readings if r.value is Ternary.NO), None)
        open_ = next((r for r in readings if r.value is Ternary.UNKNOWN), None)
        return against or open_ or readings[0]

    def _one(self, name: Name, view: View, listing: Listing, after_steps: int) -> Reading:
        known = self._known[name.phrase]
        entry = self._called(name, listing)
        if entry is not None:
            return self._present(known, entry, view, listing, after_steps)
        if not self._shows_list(view, listing, known):
            return unknown(view.scene)
        asked = self._asked(view, listing)
        if not all(_is_part(text, name) for text in asked):
            return unknown(view.scene)
        if known.last_present is None and asked and name.figures:
            # A search for "9:00" need not find "09:00".
            return unknown(view.scene)
        removed = bool(self._deeds) if known.last_present is None else not self._deed_since(known.last_present)
        if removed:
            # Something was removed though the thing was never seen, or nothing was since it was.
            return unknown(view.scene)
        sign = _sign(listing)
        if sign is None or _spoken_of(name, listing) or not self._tells(name, known, listing, asked):
            return unknown(view.scene)
        return yes(view.scene, sign)

    def _present(self, known: _Known, entry: Entry, view: View, listing: Listing, after_steps: int) -> Reading:
        if "trash_place" in meanings(view.header) and "permanent" not in meanings(self._patterns.goal.text):
            return yes(view.scene, entry.element)
        called_off = self._called_off(entry, view, listing) if self._is_cancelling else None
        if called_off is not None:
            return yes(view.scene, called_off)
        known.last_present = after_steps
        if listing.entries or listing.count is not None:
            known.places.add(listing.place)
            page = listing.pages[0] if listing.pages else 1
            known.pages[listing.place, self._asked(view, listing)] = page
        return no(view.scene, entry.element)

    def _called(self, name: Name, listing: Listing) -> Entry | None:
        """Return the entry that is called so, unless it shows another day or time than the task gives."""
        for entry in listing.entries or listing.lines:
            if is_called(name, entry.title) and (name.figures or not self._of_another_time(entry)):
                return entry
        return None

    def _of_another_time(self, entry: Entry) -> bool:
        for kind in (DateValue, TimeValue):
            asked = [v for v in self._patterns.goal.typed_values if isinstance(v, kind)]
            there = [v for t in entry.texts for v in typed_values(t, self._patterns.language) if isinstance(v, kind)]
            if asked and there and not any(v in asked for v in there):
                return True
        return False

    def _shows_list(self, view: View, listing: Listing, known: _Known) -> bool:
        """Return whether a scene shows the list in which the thing was, or one of such things, and shows it plainly."""
        if view.scene.partial or view.scene.stale or view.dialog is not None:
            return False
        if not self._is_list(listing):
            return False
        if listing.place in known.places:
            return True
        return (known.last_present is None or bool(self._deeds)) and self._of_the_kind(listing)

    @staticmethod
    def _is_list(listing: Listing) -> bool:
        if listing.count is not None or listing.view.empty_sign is not None:
            return True
        # A page of links to lists ("Contacts", "Notes 12") is none itself.
        return any(not things_of(entry.title) for entry in listing.entries)

    def _of_the_kind(self, listing: Listing) -> bool:
        led = things_of(self._labels.get(listing.place, ""))
        return bool(self._things & (listing.things | led))

    def _tells(self, name: Name, known: _Known, listing: Listing, asked: tuple[str, ...]) -> bool:
        """Return whether the list would show the thing if it were there."""
        key = (listing.place, asked)
        since = (known.last_present or 0) - 1
        named = any(name.phrase in phrases for position, phrases in self._deeds if position >= since)
        if known.last_present is not None and listing.place not in known.places:
            # The thing was never seen in this list, so that its absence from it says nothing.
            return named and self._fewer(key, listing)
        if listing.whole:
            return True
        page, pages = listing.pages or (1, 0)
        if pages:
            covered = self._lacking.setdefault((*key, name.phrase), set())
            covered.add(page)
            if covered >= set(range(1, pages + 1)):
                return True
        if known.pages.get(key) == page and (page == 1 or named):
            return True
        return named and self._fewer(key, listing)

    def hides(self, view: View) -> bool:
        """Return whether a scene's list is narrowed by a text that the task does not give (a typing error)."""
        listing = self._listings.get(id(view)) or read_listing(view)
        text = plain(self._patterns.goal.text)
        return any(not stands_in(asked, text) for asked in self._asked(view, listing))

    def _fewer(self, key: tuple[str, tuple[str, ...]], listing: Listing) -> bool:
        """Return whether the list says that it holds fewer entries than before the thing was removed."""
        if listing.count is None or not self._deeds:
            return False
        last = self._deeds[-1][0]
        before = [number for after, number in self._counts.get(key, ()) if after <= last]
        if not key[1]:
            told = (self._told.get(name, ()) for name in listing.names)
            before = before or [number for counts in told for after, number in counts if after <= last]
        return bool(before) and listing.count.number < before[-1]

    def _all_of_them(self, view: View, listing: Listing, after_steps: int) -> Reading | None:
        """Return what a scene says of a goal that means every entry of a list."""
        if not self._things or self._described or not any(map(self._of_the_kind, self._listings.values())):
            return None
        if not self._of_the_kind(listing):
            return unknown(view.scene)
        first = listing.entries[0].element if listing.entries else None
        if listing.count is not None and listing.count.number:
            first = first or listing.count.element
        if first is not None:
            self._whole.last_present = after_steps
            return no(view.scene, first)
        if view.scene.partial or view.scene.stale or view.dialog is not None or self._asked(view, listing):
            return unknown(view.scene)
        sign = _sign(listing)
        done = self._whole.last_present is None or self._deed_since(self._whole.last_present)
        return yes(view.scene, sign) if listing.is_empty and sign is not None and done else unknown(view.scene)

    @cached_property
    def _described(self) -> bool:
        """Return whether the task means some of the entries: a word of it stands in some and not in all of them."""
        goal = self._patterns.goal
        dated = any(isinstance(v, DateValue | TimeValue) for v in goal.typed_values)
        if dated or _sets_condition(goal.text, self._patterns.language):
            return True
        words = _telling_words(goal.text, self._patterns.language)
        for listing in self._listings.values():
            texts = [fold(" | ".join((e.title, *e.texts))) for e in listing.entries]
            for word in words:
                holding = sum(1 for text in texts if near_form_in(word, text))
                if 0 < holding < len(texts):
                    return True
        return False

    @cached_property
    def _things(self) -> frozenset[str]:
        return things_of(self._patterns.goal.text)

    @cached_property
    def _is_cancelling(self) -> bool:
        return "calls_off" in meanings(self._patterns.goal.text)

    def _called_off(self, entry: Entry, view: View, listing: Listing) -> Element | None:
        """Return the element that says that an entry was called off: in its row, or below its name on plain lines."""
        for text in entry.texts:
            if "cancelled_state" in meanings(text):
                return entry.element
        in_list = listing.count is not None or listing.pages is not None
        if entry.texts or (in_list and not entry.title.isdigit()):
            return None
        start = next((place for place, e in enumerate(view.elements) if e is entry.element), 0)
        for element in view.elements[start + 1 : start + 1 + 2 * _STATE_LINES]:
            if element.role in LOG_LINES | {Role.TOAST, Role.ERROR}:
                continue
            if _alike(plain(element.name), entry.title):
                # The next entry of the list.
                break
            if fold(element.value or element.name).strip(" .") in _state_words():
                return element
        return None

    def _asked(self, view: View, listing: Listing) -> tuple[str, ...]:
        """Return the texts that narrow the list on a scene: by its address, its fields or what was searched for."""
        fields = [plain(e.value or e.name) for e in view.narrowing if e.role is not Role.EMPTY_STATE]
        told = [*listing.asked, *fields, *([self._search] if self._search else [])]
        return tuple(sorted({text for text in told if text}))

    def _deed_since(self, after_steps: int) -> bool:
        """Return whether something was removed after a scene, or by the step that led to it: it may show it late."""
        return any(position >= after_steps - 1 for position, _ in self._deeds)

    def _advance(self, view: View, listing: Listing, after_steps: int) -> None:
        """Take in the steps that were executed since the scene before."""
        for played in self._played[self._taken : after_steps]:
            self._take(played)
        self._taken = max(self._taken, after_steps)
        if self._led_by:
            self._labels[listing.place] = self._led_by
            self._led_by = ""
        for label, number in listing.told_counts:
            self._told.setdefault(label, []).append((after_steps, number))
        if listing.count is not None:
            key = (listing.place, self._asked(view, listing))
            self._counts.setdefault(key, []).append((after_steps, listing.count.number))

    def _take(self, played: Played) -> None:
        step = played.step
        entered = next(search_text(played), "")
        if entered:
            self._pending = plain(entered)
        elif self._pending and played.move is not Move.FINISH and step.effect.value in ("activate", "enter", "call"):
            self._search, self._pending = self._pending, ""
        elif played.move is Move.LOOK and (step.changes.moved or step.changes.retitled):
            self._search = ""
        if played.move is Move.LOOK and played.label and (step.changes.moved or step.changes.retitled):
            self._led_by = played.label
        if self._removes(played):
            self._deeds.append((step.position, self._named_by(played)))
        if played.move in CHANGING:
            self._lacking.clear()

    def _removes(self, played: Played) -> bool:
        if played.move not in _DEEDS or played.step.error:
            return False
        if played.move is Move.WRITE or not played.label:
            return True
        said = label_meanings(played.label)
        if "archive" in said and "archive" not in meanings(self._patterns.goal.text):
            return False
        if said & {"remove", "trash_place"} or (self._is_cancelling and said & {"cancel", "revert"}):
            return played.move is not Move.CANCEL
        before = played.step.before
        asked = [e.line for e in before.elements if _asks(e)] if before is not None else []
        return played.move is Move.COMMIT and any(self._speaks_of_removal(line) for line in asked)

    def _speaks_of_removal(self, line: str) -> bool:
        said = meanings(line)
        return "remove" in said or (self._is_cancelling and bool(said & {"cancel", "revert"}))

    def _named_by(self, played: Played) -> frozenset[str]:
        """Return the names that the screen of a removal is about: its question, its page, or the entry it marks."""
        before, after = played.step.before, played.step.after
        lines: list[str] = []
        if before is not None:
            lines += [e.line for e in before.elements if _asks(e) and self._speaks_of_removal(e.line)]
            lines += [e.name for e in before.elements if e.on and e.role is not Role.ROW]
            page = read_listing(View(before))
            if not page.entries and page.count is None:
                lines += [e.title for e in page.lines]
            # What a control of a list's page removes stands on that page.
            lines += [name.phrase for name in self.names if self._called(name, page) is not None]
        if after is not None:
            logged = (e.line for e in after.elements if e.role is Role.CONSOLE)
            lines += [line for line in logged if any(sign in line for sign in _ASKING)]
        return frozenset(name.phrase for name in self.names if any(name.named_in(line) for line in lines))


def _alike(text: str, title: str) -> bool:
    """Return whether a text is a number of as many digits as a title that is one: the number of another entry."""
    return text.isdigit() and title.isdigit() and len(text) == len(title)


def _asks(element: Element) -> bool:
    return element.role not in LOG_LINES and any(sign in element.line for sign in _ASKING)


def _is_part(text: str, name: Name) -> bool:
    """Return whether a search text is the name or words of it, so that the search cannot have hidden the thing."""
    return bool(text) and (stands_in(text, name.phrase) or name.same_figure(text))


def _may_be(name: Name, entry: Entry) -> bool:
    """Return whether an entry that shows all it has in one text has the name in it, so that it may be the thing."""
    if name.figures or len(entry.texts) > 1 or entry.title == name.phrase:
        return False
    return any(stands_in(name.phrase, plain(text)) for text in (entry.title, *entry.texts))


def _spoken_of(name: Name, listing: Listing) -> bool:
    """Return whether an entry that is not called so has the name in it: a tag, or a title that says more."""
    entries = listing.entries or [line for line in listing.lines if not _is_message(line.title)]
    return not name.figures and any(name.named_in(text) for e in entries for text in (e.title, *e.texts))


def _is_message(line: str) -> bool:
    """Return whether a line speaks of what was done ("Lunch was deleted"), as a message does where none are marked."""
    return bool(meanings(line) & {"success", "remove", "cancel", "cancelled_state", "taken_away", "unchanged"})


def _sign(listing: Listing) -> Element | None:
    """Return what is cited for an absence: the sign of an empty list, the count, or the first entry that is there."""
    view = listing.view
    if view.empty_sign is not None:
        return view.empty_sign
    if listing.count is not None:
        return listing.count.element
    return listing.entries[0].element if listing.entries else None


def _state_words() -> frozenset[str]:
    entries = (entry for entry in lexicon().entries if entry.category == "cancelled_state")
    return frozenset(fold(entry.pattern) for entry in entries)


def _sets_condition(text: str, language: Language) -> bool:
    return lexicon().has(language, "condition", fold(text))


def _telling_words(text: str, language: Language) -> frozenset[str]:
    """Return the content words of a task without those for the kind of thing, for all of them and for the deed."""
    rest = fold(text)
    if language in SUBSTRING_LANGUAGES:
        known = (fold(e.pattern) for e in lexicon().entries if e.category in _SPENT or e.category.startswith("thing."))
        for pattern in sorted((p for p in known if not p.isascii()), key=len, reverse=True):
            rest = rest.replace(pattern, " , ")
    words = content_words(rest, language)
    return frozenset(w for w in words if len(w) >= _QUALIFIER_LETTERS and not meanings(w) and not things_of(w))
