"""Goals that ask for an entry to be there, or for an object to have a value."""

import re

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.names import Value, cells, element_texts, near_form_in, plain
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.reading_elements import state_of_words
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import LOG_LINES, View
from tracewitness.values.folding import fold

_ROW_CELLS = 2
_MARK = re.compile(r"\[([^\[\]]{1,20})\]\s*$")
_WORDS = re.compile(r"[^\W_]+")
_WORD_WEIGHT = 10
_ENTRY = frozenset({Role.FIELD, Role.CHOICE})


def read_shown(patterns: GoalPatterns, view: View) -> Reading:
    """Return whether the scene shows the requested entry or value as a stored thing, or (not firm) in a form."""
    if patterns.goal.wanted is Wanted.VALUE and patterns.values:
        return _read_value(patterns, view)
    return _read_entry(patterns, view)


def _read_entry(patterns: GoalPatterns, view: View) -> Reading:
    heads = patterns.targets[:1]
    readings: list[Reading] = []
    for place in view.content():
        element = view.elements[place]
        unticked = element.on is False and view.has_form_controls
        if unticked or element.role is Role.EMPTY_STATE:
            # An unticked entry of a list to choose from, or the word that there is none ("No results for X").
            continue
        names_it = heads[0].names(element) if heads else _shows_first_value(patterns, element)
        if names_it and _others_shown(patterns, view, element):
            readings.append(_entry_with_values(patterns, view, place))
    if readings:
        return _best(readings)
    return _opened(patterns, view) or _entered(patterns, view)


def _opened(patterns: GoalPatterns, view: View) -> Reading | None:
    """Return YES for the page of the requested thing itself, where it shows every part that the thing should have."""
    texts = [v for v in patterns.values if v.phrase and not v.typed]
    if not texts or not patterns.targets or not all(t.named_in(view.scene.title) for t in patterns.targets):
        return None
    rows = [view.elements[place] for place in view.rows()]
    held = [next((e for e in rows if any(v.shown_in(text) for text in element_texts(e))), None) for v in texts]
    return yes(view.scene, held[0]) if held[0] is not None and all(e is not None for e in held) else None


def _others_shown(patterns: GoalPatterns, view: View, head: Element) -> bool:
    """Return whether all further objects are on the same screen, as entries like the first or in headers."""
    alike = [view.elements[place] for place in view.content()]
    shown = [text for e in alike if e.role is head.role or e.line == head.line for text in element_texts(e)]
    return all(any(other.named_in(text) for text in (*shown, view.header)) for other in patterns.targets[1:])


def _shows_first_value(patterns: GoalPatterns, element: Element) -> bool:
    texts = [v for v in patterns.values if v.phrase]
    return bool(texts) and any(texts[0].shown_in(text) for text in element_texts(element))


def _entry_with_values(patterns: GoalPatterns, view: View, place: int) -> Reading:
    element, block = view.elements[place], view.block(place)
    if "error" in patterns.strange_meanings(element.line):
        return no(view.scene, element, EvidenceCause.ENVIRONMENT_ERROR)
    wrong = [v for v in patterns.values if v.contradicted_in(block)]
    if wrong:
        return no(view.scene, element, EvidenceCause.WRONG_VALUE)
    missing = [v for v in patterns.values if not v.shown_in(block) and not _elsewhere(v, view, place)]
    strong = [v for v in missing if v.phrase and not v.typed]
    if not strong:
        return yes(view.scene, element)
    return Reading(unknown(view.scene).value, view.scene, element, EvidenceCause.NOT_SHOWN)


def _elsewhere(value: Value, view: View, place: int) -> bool:
    """Return whether a page about the entry shows a value beside it (a detail page, or a day's heading)."""
    own = view.elements[place]
    silent = LOG_LINES | {Role.BUTTON, Role.DIALOG}
    if own.role is Role.ROW:
        silent |= {Role.ROW, Role.CELL}
    beside = [e for e in view.elements if e.role not in silent and e not in view.narrowing]
    return value.shown_in(view.header) or any(value.shown_in(text) for e in beside for text in element_texts(e))


def _best(readings: list[Reading]) -> Reading:
    held = [r for r in readings if r.value == "YES"]
    if held:
        return yes(held[0].scene, held[0].element or readings[0].scene.elements[0], count=len(held))
    return next((r for r in readings if r.value == "NO"), readings[0])


def _entered(patterns: GoalPatterns, view: View) -> Reading:
    """Return a reading that is not firm where fields hold everything asked for."""
    fields = [e for n, e in enumerate(view.elements) if e.value and (e.role in _ENTRY or view.in_dialog(n))]
    fields = [e for e in fields if not view.searches(e)]
    if not fields or not (patterns.values or patterns.targets):
        return unknown(view.scene)
    named = [e for e in fields if patterns.targets and patterns.targets[0].named_in(e.value or "")]
    holders = [next((e for e in fields if v.shown_in(e.value or "")), None) for v in patterns.values]
    if patterns.values and all(holders):
        wrong = next((e for e in holders if e is not None and _better_label(patterns, view, e)), None)
        if wrong is not None and patterns.goal.wanted is Wanted.VALUE:
            return no(view.scene, wrong, EvidenceCause.WRONG_TARGET, firm=False)
        return yes(view.scene, (named or [e for e in holders if e is not None])[0], firm=False)
    if not patterns.values and named:
        return yes(view.scene, named[0], firm=False)
    return unknown(view.scene)


def _better_label(patterns: GoalPatterns, view: View, holder: Element) -> bool:
    """Return whether another field's label answers to the goal better than the label of the one with the value."""
    best = _label_score(patterns, _label(holder))
    for element in view.elements:
        label = _label(element)
        if element is holder or label is None or any(v.shown_in(element.value or "") for v in patterns.values):
            continue
        if _label_score(patterns, label) > best:
            return True
    return False


def _label_score(patterns: GoalPatterns, label: str | None) -> int:
    """Return how well a label answers to the goal: its words that the goal has, less a little for those it has not."""
    words = _WORDS.findall(fold(label)) if label else []
    held = [w for w in words if any(near_form_in(known, w) for known in patterns.words)]
    return _WORD_WEIGHT * len(held) - (len(words) - len(held)) if held else 0


def _read_value(patterns: GoalPatterns, view: View) -> Reading:
    for place in view.content():
        element = view.elements[place]
        if all(_value_at(v, view, place) for v in patterns.values) and _in_context(patterns, view, place):
            if _not_chosen(view, element):
                # An option that is offered and not chosen.
                chosen = next((e for e in view.elements if e.role is element.role and e.on), None)
                return no(view.scene, chosen) if chosen is not None else unknown(view.scene)
            if _label(element) is not None and _better_label(patterns, view, element):
                return no(view.scene, element, EvidenceCause.WRONG_TARGET)
            return yes(view.scene, element)
    soft = _entered(patterns, view)
    contrary = _old_name(patterns, view) or _other_value(patterns, view)
    if soft.value != "UNKNOWN":
        return soft
    return contrary or _field_otherwise(patterns, view) or unknown(view.scene)


def _field_otherwise(patterns: GoalPatterns, view: View) -> Reading | None:
    """Return NO, not firm, where the field that the goal labels is shown empty or with another value."""
    if view.scene.partial or view.scene.stale or not view.scene.title:
        return None
    labelled = [e for e in view.elements if e.role is Role.FIELD and _label_score(patterns, _label(e)) > 0]
    return no(view.scene, labelled[0], firm=False) if len(labelled) == 1 else None


def _not_chosen(view: View, element: Element) -> bool:
    """Return whether an element is an option beside another one that is chosen."""
    if element.on is False or _beside_a_marked_one(view, element):
        return True
    options = element.on is None and element.role in (Role.CHOICE, Role.SWITCH, Role.ROW, Role.OTHER)
    return options and any(e.on for e in view.elements if e.role is element.role and e is not element)


def _beside_a_marked_one(view: View, element: Element) -> bool:
    """Return whether another entry of the same kind carries a mark in brackets that says that it is the chosen one."""
    alike = [e for e in view.elements if e.role is element.role and e.parent == element.parent]
    marked = [e for e in alike if any(state_of_words(mark) for mark in _MARK.findall(e.line))]
    return len(marked) == 1 and marked[0] is not element and element.on is None


def _value_at(value: Value, view: View, place: int) -> bool:
    return any(value.shown_in(text) for text in element_texts(view.elements[place])) or value.shown_in(
        view.block(place)
    )


def _in_context(patterns: GoalPatterns, view: View, place: int) -> bool:
    if not patterns.targets:
        return True
    around = f"{view.block(place)} | {view.header} | {view.scene.url or ''}"
    if any(t.known for t in patterns.targets):
        return any(t.named_in(around) for t in patterns.targets if t.known)
    return any(t.named_in(around) for t in patterns.targets) or patterns.keyword_in(around)


def _labels_goal(patterns: GoalPatterns, label: str) -> bool:
    return patterns.keyword_in(label) and not any(v.shown_in(label) for v in patterns.values)


def _label(element: Element) -> str | None:
    if element.role in (Role.FIELD, Role.CHOICE) or (element.role is Role.TEXT and element.value):
        return element.name or None
    parts = cells(element.line)
    return parts[0] if len(parts) == _ROW_CELLS else None


def _old_name(patterns: GoalPatterns, view: View) -> Reading | None:
    """Return NO where an entry that was to be renamed still stands in a list under its old name."""
    if "rename" not in meanings(patterns.goal.text) or view.has_fields or view.dialog is not None:
        return None
    for place in view.rows():
        element = view.elements[place]
        if any(plain(element.name) == target.phrase for target in patterns.targets):
            return no(view.scene, element)
    return None


def _other_value(patterns: GoalPatterns, view: View) -> Reading | None:
    """Return NO where the object is shown with another value than the one asked for."""
    for place in view.content():
        element, block = view.elements[place], view.block(place)
        if not patterns.targets or not any(t.names(element) for t in patterns.targets[:1]):
            continue
        holds = any(v.shown_in(block) for v in patterns.values)
        rich = len(cells(element.line)) >= _ROW_CELLS or any(v.contradicted_in(block) for v in patterns.values)
        if not holds and rich and element.role is Role.ROW:
            return no(view.scene, element)
    return _labelled_otherwise(patterns, view)


def _is_about(patterns: GoalPatterns, view: View) -> bool:
    """Return whether a page names the object in its header, or is one record with the object's name or number."""
    if any(t.named_in(view.header) for t in patterns.targets):
        return True
    content = [view.elements[place] for place in view.content()]
    single = all(e.role is Role.TEXT for e in content)
    return single and any(t.phrase == fold(e.value) for e in content if e.value for t in patterns.targets)


def _labelled_otherwise(patterns: GoalPatterns, view: View) -> Reading | None:
    if not patterns.targets or not _is_about(patterns, view):
        return None
    for place in view.content():
        element = view.elements[place]
        label = _label(element)
        if label is None or element.role not in (Role.TEXT, Role.ROW, Role.OTHER) or not _labels_goal(patterns, label):
            continue
        if not any(v.shown_in(text) for v in patterns.values for text in element_texts(element)):
            return no(view.scene, element)
    return None
