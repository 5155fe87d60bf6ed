"""What each scene of a run says about a goal, weighed against what was seen and done before it."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.goal_states.gone import ListMemory, read_gone
from tracewitness.trace_side.goal_states.reached import read_outcome, read_reached
from tracewitness.trace_side.goal_states.recorded import read_recorded
from tracewitness.trace_side.goal_states.removed import RemovalReader
from tracewitness.trace_side.goal_states.sent import read_sent
from tracewitness.trace_side.goal_states.shown import read_shown
from tracewitness.trace_side.goal_states.toggled import read_toggled
from tracewitness.trace_side.interface_words import label_meanings, meanings
from tracewitness.trace_side.kinds import Kind, read_kind
from tracewitness.trace_side.moves import CHANGING, Move, Played, loads
from tracewitness.trace_side.names import near_form_in
from tracewitness.trace_side.past import Lines, Places
from tracewitness.trace_side.read_back import lists_other, lists_without, reads_back
from tracewitness.trace_side.reading import Reading, no, unknown
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.searching import searched_in_vain
from tracewitness.trace_side.view import View
from tracewitness.values.answers import NumberValue
from tracewitness.values.folding import fold
from tracewitness.values.ternary import Ternary

_STORED = frozenset({Wanted.PRESENT, Wanted.VALUE, Wanted.SENT})
_READ_BACK = frozenset({Wanted.PRESENT, Wanted.VALUE})
_RECORDED = frozenset({Wanted.PRESENT, Wanted.VALUE, Wanted.ON, Wanted.OFF})
_MADE = frozenset({Wanted.PRESENT, Wanted.SENT})
_MAKING = frozenset({Move.COMMIT, Move.WRITE, Move.TOUCH, Move.SWITCH})
_REMOVING = frozenset({Move.COMMIT, Move.WRITE, Move.TOUCH, Move.DISCARD, Move.CANCEL})
_HEADERS = frozenset({Role.PAGE, Role.HEADING})
_WORDS = re.compile(r"[^\W_]+")
_READERS: dict[Wanted, Callable[[GoalPatterns, View], Reading]] = {
    Wanted.ON: read_toggled,
    Wanted.OFF: read_toggled,
    Wanted.PRESENT: read_shown,
    Wanted.VALUE: read_shown,
    Wanted.SENT: read_sent,
    Wanted.ANSWER: read_reached,
}


class SceneReader:
    """Reads scenes in time order and remembers what a single scene cannot tell."""

    def __init__(self, patterns: GoalPatterns, played: tuple[Played, ...], views: tuple[View, ...]) -> None:
        self._patterns = patterns
        self._played = played
        self._views = views
        self._removal = RemovalReader(patterns, played, views) if patterns.goal.wanted is Wanted.ABSENT else None
        self._gone = ListMemory()
        self._shown = ListMemory()
        self._headers: set[str] = set()
        self._stood: set[str] = set()
        self._last_present: int | None = None
        self._lines = Lines()
        self._known: dict[int, Reading] = {}
        self._first_change = next((p.step.position for p in played if p.move in CHANGING), len(played))

    @property
    def patterns(self) -> GoalPatterns:
        """Return the goal as it is looked for; what a removal is about is named by what the trace shows."""
        names = self._removal.names if self._removal is not None else ()
        return replace(self._patterns, targets=names) if names else self._patterns

    def read(self, view: View, after_steps: int) -> Reading:
        """Return what the next scene says."""
        wanted = self._patterns.goal.wanted
        if wanted is Wanted.ABSENT:
            return self._absent(view, after_steps)
        if wanted is Wanted.OTHER:
            return self._outcome(view, after_steps)
        reading = self._own_reading(view)
        told = self._from_the_way(view, after_steps) if reading.value is Ternary.UNKNOWN else None
        if told is not None:
            return told
        return self._weighed(reading, view, after_steps) if wanted in _STORED else reading

    def _only_trashed(self, listed: Reading, reading: Reading) -> bool:
        """Return whether what should be gone for good left its list for the trash."""
        for_good = self._gone.trashed and "permanent" in meanings(self._patterns.goal.text)
        return for_good and listed.value is Ternary.YES and reading.value is not Ternary.YES

    def _own_reading(self, view: View) -> Reading:
        """Return what the scene says by itself; the same elements are read once."""
        key = id(view.scene.elements)
        wanted = self._patterns.goal.wanted
        reading = self._known.get(key) or self._recorded(view) or _READERS[wanted](self._patterns, view)
        self._known[key] = reading
        return reading if reading.scene is view.scene else replace(reading, scene=view.scene)

    def _from_the_way(self, view: View, after_steps: int) -> Reading | None:
        """Return what a scene that does not tell by itself says beside what was done: values read back, a search."""
        wanted = self._patterns.goal.wanted
        if wanted in _READ_BACK and after_steps > self._first_change:
            done = self._played[:after_steps]
            again = reads_back(self._patterns, view, done[-1]) or lists_other(self._patterns, view, done)
            if again is not None:
                return again
        empty = searched_in_vain(self._patterns, view) if wanted in _STORED else None
        return None if empty is None else no(view.scene, empty)

    def _absent(self, view: View, after_steps: int) -> Reading:
        if after_steps <= self._first_change:
            rows = frozenset(view.elements[place].key for place in view.rows())
            self._gone.initial = rows or self._gone.initial
        listed = self._removal.read(view, after_steps) if self._removal is not None else None
        reading = read_gone(self._patterns, view, self._gone, self._kind)
        if listed is not None:
            return unknown(view.scene) if self._only_trashed(listed, reading) else listed
        if reading.value is Ternary.UNKNOWN and after_steps:
            reading = lists_without(self._patterns, view, self._played[:after_steps]) or reading
        if reading.value is Ternary.YES and self._removal is not None and self._removal.hides(view):
            return unknown(view.scene)
        return self._removed(reading, view, after_steps)

    def _recorded(self, view: View) -> Reading | None:
        """Return what the record of the very thing says, for goals that a record can tell of."""
        return read_recorded(self._patterns, view) if self._patterns.goal.wanted in _RECORDED else None

    @cached_property
    def _kind(self) -> Kind | None:
        """Return the kind of entry that a goal describes; only removals ask for it."""
        goal = self._patterns.goal
        several = goal.every or any(isinstance(v, NumberValue) and v.amount > 1 for v in goal.typed_values)
        return read_kind(goal.keywords, self._views, several=several)

    def _removed(self, reading: Reading, view: View, after_steps: int) -> Reading:
        """Take an entry that was there for gone only where something was done since that may have removed it."""
        if reading.value is Ternary.NO:
            self._last_present = after_steps
        if reading.value is Ternary.YES and self._last_present is not None:
            since = (self._last_present, after_steps)
            if self._narrowing.any(*since) or not self._removing.any(*since):
                return unknown(view.scene)
        if reading.value is Ternary.YES and self._patterns.goal.every and self._narrowed_after_removal(after_steps):
            return unknown(view.scene)
        return reading

    def _narrowed_after_removal(self, after_steps: int) -> bool:
        """Return whether the last removal was followed by a search or filter, so that an empty list proves nothing."""
        last = self._removing.last(after_steps)
        return last >= 0 and self._narrowing.any(last + 1, after_steps)

    @cached_property
    def _narrowing(self) -> Places:
        """Return where a search or filter was pressed or filled, so that what is off the screen need not be gone."""
        return Places(self._played, lambda p: "filtered" in label_meanings(p.label))

    @cached_property
    def _removing(self) -> Places:
        return Places(self._played, lambda p: may_remove(p, self._patterns))

    @cached_property
    def _changing(self) -> Places:
        return Places(self._played, lambda p: p.move in CHANGING)

    @cached_property
    def _attempts(self) -> Places:
        return Places(self._played, lambda p: p.move in CHANGING or p.step.state_changing)

    @cached_property
    def _entries(self) -> Places:
        return Places(self._played, lambda p: p.move is Move.ENTER)

    @cached_property
    def _making(self) -> Places:
        return Places(self._played, lambda p: p.move in _MAKING)

    @cached_property
    def _loading(self) -> Places:
        return Places(self._played, loads)

    def _outcome(self, view: View, after_steps: int) -> Reading:
        old = self._lines.until(self._changing.last(after_steps))
        attempted = self._attempts.any(0, after_steps)
        reading = read_outcome(self._patterns, view, old) if attempted else unknown(view.scene)
        self._lines.add(after_steps, view)
        return reading

    def _made_by(self, after_steps: int) -> bool:
        """Return whether something was done that may have made an entry.

        That is a commit, a call or an unlabelled press, or an entry of text with a page loaded since (autosave).
        """
        entered = self._entries.last(after_steps)
        if self._making.any(entered + 1, after_steps):
            return True
        if entered < 0 or _offers_commit(self._played[entered]):
            return False
        return self._loading.any(entered + 1, after_steps)

    def _weighed(self, reading: Reading, view: View, after_steps: int) -> Reading:
        """Weigh a sight of a stored thing against what was seen and done before it."""
        if self._only_offered(reading, after_steps) or self._old_header(reading, after_steps):
            return unknown(view.scene)
        if reading.value is Ternary.YES and self._is_unpaid(reading, view):
            return unknown(view.scene)
        if reading.value is Ternary.YES and not reading.firm and after_steps <= self._first_change:
            # Nothing was entered yet, so what stands in the fields is what is stored.
            return replace(reading, firm=True)
        if reading.value is Ternary.YES and reading.firm:
            done = self._played[:after_steps]
            if _echoes_entry(reading, done) or _same_form(reading, view, done):
                return replace(reading, firm=False)
            self._shown.remember(view)
        elif reading.value is Ternary.UNKNOWN and self._shown.lacks(view):
            return no(view.scene, view.elements[0])
        return reading

    def _only_offered(self, reading: Reading, after_steps: int) -> bool:
        """Return whether an entry stood there before anything was made: an offer in a shop is not an order."""
        if self._patterns.goal.wanted not in _MADE or reading.value is not Ternary.YES or reading.element is None:
            return False
        if reading.of_record and self._patterns.values:
            # An entry that is called so and holds all that is asked for is the very thing.
            return False
        if not self._made_by(after_steps):
            self._stood.add(reading.element.line)
            return True
        return reading.element.line in self._stood and reading.count <= 1

    def _is_unpaid(self, reading: Reading, view: View) -> bool:
        """Return whether the entry says that it is not paid yet, which the task does not ask for."""
        if self._patterns.goal.wanted not in _MADE or reading.element is None:
            return False
        place = next((n for n, e in enumerate(view.elements) if e is reading.element), None)
        row = {"unpaid"} & meanings(view.block(place)) if place is not None else frozenset[str]()
        return bool(row) and "unpaid" not in meanings(self._patterns.goal.text)

    def _old_header(self, reading: Reading, after_steps: int) -> bool:
        """Return whether the sight is a page header that was there before the first change."""
        element = reading.element
        if element is None or element.role not in _HEADERS:
            return False
        if after_steps <= self._first_change:
            self._headers.add(fold(element.name))
        return fold(element.name) in self._headers


def may_remove(played: Played, patterns: GoalPatterns) -> bool:
    """Return whether a step may have removed something: by its words, by those of its dialog, or unlabelled.

    Collapsing, sorting, filtering, completing or hiding an entry takes it off the screen and no more.
    """
    if played.move not in _REMOVING:
        return False
    label, goal = fold(played.label), fold(patterns.goal.text)
    if played.move is Move.WRITE:
        return "archive" not in fold(played.step.action.kind) or "archive" in meanings(goal)
    if not label:
        return True
    said = label_meanings(label)
    if said & {"remove", "trash_place"} and ("archive" not in said or "archive" in meanings(goal)):
        return True
    names = " ".join(target.phrase for target in patterns.targets)
    words = {w for w in _WORDS.findall(label) if len(w) > 1 and w not in names}
    if any(near_form_in(word, goal) for word in words):
        return True
    before = played.step.before
    dialogs = [e.line for e in before.elements if e.role is Role.DIALOG] if before is not None else []
    return any("remove" in meanings(line) or patterns.keyword_in(line) for line in dialogs)


def _offers_commit(played: Played) -> bool:
    """Return whether the screen with the entry has a control that saves, so that it does not save itself."""
    scene = played.step.after or played.step.before
    controls = [e for e in scene.elements if e.role is Role.BUTTON] if scene is not None else []
    return any(label_meanings(e.name) & {"save", "send", "create"} for e in controls)


def _same_form(reading: Reading, view: View, done: tuple[Played, ...]) -> bool:
    """Return whether a field is still that of the form whose control was pressed, with nothing loaded since."""
    if reading.element is None or reading.element.role not in (Role.FIELD, Role.CHOICE):
        return False
    for played in reversed(done):
        if loads(played):
            return False
        if played.move is Move.COMMIT and played.step.before is not None:
            before = played.step.before
            return before.title == view.scene.title and any(e.key == reading.element.key for e in before.elements)
    return False


def _echoes_entry(reading: Reading, done: tuple[Played, ...]) -> bool:
    """Return whether a sight only repeats what was typed, with nothing done since to make it durable."""
    if reading.element is None:
        return False
    shown = fold(reading.element.value or reading.element.name)
    for played in reversed(done):
        if played.move in (Move.LOOK, Move.FINISH) and not played.step.changes.moved:
            continue
        if played.move in (Move.COMMIT, Move.SWITCH, Move.REVERT, Move.DISCARD, Move.CANCEL):
            return False
        if shown and shown in fold(played.step.action.text or played.step.action.raw or ""):
            return True
    return False
