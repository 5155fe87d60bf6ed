"""What the record of the very thing says: its row in a list, or its own page, with what stands there under which label.

A record that is called exactly as the task calls the thing tells more than any text elsewhere on the screen: a filter
that offers the asked-for role, or another row that has it, says nothing of this one.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.controls import read_controls
from tracewitness.trace_side.field_words import kinds_asked, kinds_of_label
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.items import read_items
from tracewitness.trace_side.names import Name, Value, near_form_in, plain
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.records import Held, Record, read_records
from tracewitness.trace_side.view import View
from tracewitness.values.folding import fold

_WORDS = re.compile(r"[^\W_]+")
_NUMBER_LIKE = re.compile(r"[+(]?\d[\d\s()/.\-]{4,}")
_STATE_WORDS = 3
_NUMBERS = frozenset({"phone", "mobile"})
"""The kinds of field that hold numbers of one shape, so that only their labels tell them apart."""

_SENTENCE_ENDS = tuple(".!?。！？")
_SENTENCE_LENGTH = 8


def read_recorded(patterns: GoalPatterns, view: View) -> Reading | None:
    """Return what the record of the goal's object says, or None where no record is called so or it does not tell."""
    if "rename" in meanings(patterns.goal.text):
        return None
    found = _records(patterns, view)
    if found is None:
        reading = read_set(patterns, view)
    elif patterns.goal.wanted in (Wanted.ON, Wanted.OFF):
        reading = _switched(patterns, view, found[0])
    else:
        reading = _valued(patterns, view, *found) if found[1] else None
    return replace(reading, of_record=True) if reading is not None else None


def read_set(patterns: GoalPatterns, view: View) -> Reading | None:
    """Return what the control called as the goal's object is set to; not firm, since it may not be saved."""
    if patterns.goal.wanted is not Wanted.VALUE or not patterns.targets or len(patterns.values) != 1:
        return None
    records = [r for r in read_controls(view) if is_called(patterns.targets[0], r)]
    held = [held for record in records for held in record.held]
    if len(held) != 1:
        return None
    if patterns.values[0].shown_in(held[0].text):
        return yes(view.scene, held[0].element, firm=False)
    return no(view.scene, held[0].element, EvidenceCause.WRONG_VALUE, firm=False)


def _records(patterns: GoalPatterns, view: View) -> tuple[list[Record], tuple[Value, ...]] | None:
    """Return the records of the object, and what they should hold.

    Of several names in a task, the one that a record is called by is the object, and the others are what it should
    hold ("The text of the note 'Trip' should be 'Lisbon'").
    """
    every = (*read_records(view), *read_items(view))
    texts = [value for value in patterns.values if value.phrase and not value.typed]
    names = [*patterns.targets, *(Name(v.phrase, v.look_alikes, True, frozenset()) for v in texts)]
    for name in names:
        records = [record for record in every if is_called(name, record)]
        if not records:
            continue
        others = [t for t in patterns.targets if t is not name and t.phrase != name.phrase]
        held = (Value(t.phrase, (), patterns.language, t.look_alikes) for t in others)
        return records, (*held, *(v for v in patterns.values if v.phrase != name.phrase))
    return None


def is_called(name: Name, record: Record) -> bool:
    """Return whether a record is called exactly by a name, or by the same time or date in another form."""
    return name.phrase in record.titles or any(name.same_figure(title) for title in record.titles)


def _switched(patterns: GoalPatterns, view: View, records: Iterable[Record]) -> Reading | None:
    every = {id(held.element): held for record in records for held in record.held}.values()
    states = [(held, on) for held in every if (on := _state(held)) is not None]
    labelled = [pair for pair in states if _score(patterns, pair[0].label)]
    chosen = labelled or states
    if len(chosen) != 1:
        return None
    held, on = chosen[0]
    right = on == (patterns.goal.wanted is Wanted.ON)
    return yes(view.scene, held.element) if right else no(view.scene, held.element)


def _state(held: Held) -> bool | None:
    said = meanings(held.text) if len(held.text.split()) <= _STATE_WORDS else frozenset[str]()
    return None if ("on" in said) == ("off" in said) else "on" in said


def _valued(patterns: GoalPatterns, view: View, records: list[Record], wanted: tuple[Value, ...]) -> Reading | None:
    readings = [_of_record(patterns, view, record, wanted) for record in records]
    told = [reading for reading in readings if reading is not None]
    return next((reading for reading in told if reading.value == "YES"), told[0] if told else None)


def _of_record(patterns: GoalPatterns, view: View, record: Record, wanted: tuple[Value, ...]) -> Reading | None:
    """Return YES where a record shows all values under fitting labels, NO where it shows another in place of one."""
    holders = [(value, _holder(patterns, value, record)) for value in wanted]
    shown = [held for _, held in holders if held is not None]
    missing = [value for value, held in holders if held is None]
    for value in missing:
        other = next((h for h in record.held if _in_its_place(patterns, value, h, record, wanted)), None)
        if other is not None:
            return no(view.scene, other.element, EvidenceCause.WRONG_VALUE)
    if missing or not shown:
        return None
    if any(_of_other_field(patterns, value, held) for value, held in holders if held is not None):
        return unknown(view.scene)
    strange = next((h for h in shown if _other_label_fits(patterns, record, h, wanted)), None)
    if strange is not None and patterns.goal.wanted is Wanted.VALUE:
        return no(view.scene, strange.element, EvidenceCause.WRONG_TARGET)
    return yes(view.scene, shown[0].element)


def _holder(patterns: GoalPatterns, value: Value, record: Record) -> Held | None:
    """Return what shows a value in a record: a text of its own, or anything where a new entry's very name says it."""
    held = next((h for h in record.held if value.shown_in(h.text)), None)
    if (
        held is None
        and patterns.goal.wanted is Wanted.PRESENT
        and any(value.shown_in(title) for title in record.titles)
    ):
        return record.held[0]
    return held


def _in_its_place(patterns: GoalPatterns, value: Value, held: Held, record: Record, wanted: tuple[Value, ...]) -> bool:
    """Return whether a text stands where a value should: it is of the same shape, or under the label asked for."""
    if any(other.shown_in(held.text) for other in wanted) or plain(held.text) in record.titles:
        return False
    if value.typed and value.contradicted_in(held.text):
        return True
    if "@" in value.phrase or "@" in held.text:
        return "@" in value.phrase and "@" in held.text
    if _NUMBER_LIKE.fullmatch(value.phrase):
        return bool(_NUMBER_LIKE.fullmatch(held.text.strip()))
    if _is_sentence(value.phrase):
        return _is_sentence(held.text)
    best = max((_score(patterns, h.label) for h in record.held), default=0)
    return patterns.goal.wanted is Wanted.VALUE and best > 0 and _score(patterns, held.label) == best


def _is_sentence(text: str) -> bool:
    return text.rstrip()[-1:] in _SENTENCE_ENDS and len(text) >= _SENTENCE_LENGTH


def _of_other_field(patterns: GoalPatterns, value: Value, held: Held) -> bool:
    """Return whether a value stands in a field of another kind than the task speaks of ("mobile" for "phone")."""
    if value.typed or not held.label or not _NUMBER_LIKE.fullmatch(value.phrase):
        return False
    asked = kinds_asked(patterns.goal.text, patterns.language) & _NUMBERS
    own = kinds_of_label(held.label) & _NUMBERS
    return bool(asked and own) and not asked & own


def _other_label_fits(patterns: GoalPatterns, record: Record, holder: Held, wanted: tuple[Value, ...]) -> bool:
    own = _score(patterns, holder.label)
    rest = (h for h in record.held if not any(v.shown_in(h.text) for v in wanted))
    return bool(holder.label) and any(_score(patterns, h.label) > own for h in rest)


def _score(patterns: GoalPatterns, label: str) -> int:
    """Return how many words of a label the goal has, apart from its names and values."""
    own = " ".join([*(t.phrase for t in patterns.targets), *(v.phrase for v in patterns.values)])
    words = [w for w in _WORDS.findall(fold(label)) if w not in own]
    return sum(1 for w in words if any(near_form_in(known, w) for known in patterns.words))
