"""Goals that ask for a switch, a mark or a setting to be on or off."""

import re

from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.names import cells, near_form_in
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import MESSAGES, View
from tracewitness.values.folding import fold

_NAMED, _NEAR, _ONLY = 300, 200, 100
_SPOKEN_LIMIT = 80
_STATE_WORDS = 4
_CHECK_BOX = re.compile(r"\s*[-*]\s*'?checkbox\b")


def read_toggled(patterns: GoalPatterns, view: View) -> Reading:
    """Return whether the scene shows the asked-for switch in the asked-for position.

    The switch is the one that is named as asked; failing that, one that stands beside the name or shares a content word
    with the goal; failing that, the only switch on a page that is named so. A state in words ("Backup  Off") counts
    like a switch.
    """
    wanted_on = patterns.goal.wanted is Wanted.ON
    scored = [(s, e, on) for place, e in enumerate(view.elements) for s, on in [_score(patterns, view, place, e)] if s]
    if not scored:
        return _spoken(patterns, view, wanted_on)
    best = max(score for score, _, _ in scored)
    chosen = [(element, on) for score, element, on in scored if score == best]
    if not patterns.goal.every and best < _NAMED and len(chosen) > 1:
        return unknown(view.scene)
    wrong = next((element for element, on in chosen if on != wanted_on), None)
    if wrong is not None:
        return unknown(view.scene) if view.scene.stale else no(view.scene, wrong)
    if any(not any(switch.named_in(element.name) for element, _ in chosen) for switch in patterns.switches):
        return unknown(view.scene)
    if patterns.goal.every and len(chosen) < patterns.switch_count:
        return unknown(view.scene)
    return yes(view.scene, chosen[0][0], count=len(chosen))


def _score(patterns: GoalPatterns, view: View, place: int, element: Element) -> tuple[int, bool]:
    on = element.on if element.on is not None else _worded_state(patterns, element)
    if on is None or _is_selection(view, place):
        return 0, False
    if any(t.named_in(element.name) for t in patterns.targets):
        return _NAMED, on
    if element.on is None:
        return 0, False
    near = view.block(place)
    shared = sum(1 for word in patterns.words if near_form_in(word, fold(element.name)))
    if shared or any(t.named_in(near) for t in patterns.targets):
        return _NEAR + shared, on
    toggles = sum(1 for e in view.elements if e.on is not None)
    named_page = any(t.named_in(view.header) for t in patterns.targets)
    return (_ONLY, on) if toggles == 1 and named_page else (0, False)


def _is_selection(view: View, place: int) -> bool:
    """Return whether an element is the box that selects its row: it says the row's own name and something besides."""
    element, parent = view.elements[place], view.elements[place].parent
    if element.on is None or not _CHECK_BOX.match(element.line) or parent is None:
        return False
    row = parent if view.elements[parent].role is Role.ROW else view.elements[parent].parent
    if row is None or view.elements[row].role is not Role.ROW:
        return False
    names = (e.name for e in view.within(row) if e.role in (Role.LINK, Role.HEADING) and e.name)
    return any(fold(name) in fold(element.name) and fold(name) != fold(element.name) for name in names)


def _worded_state(patterns: GoalPatterns, element: Element) -> bool | None:
    """Read "Backup  Off" or "Grid: on  Snap: off" as a switch; None where no such word follows the name."""
    if element.role in MESSAGES or element.role in (Role.BUTTON, Role.NETWORK, Role.CONSOLE, Role.RUNNER):
        return None
    return _state_after_name(patterns, (*cells(element.line), *(cells(element.value) if element.value else ())))


def _state_after_name(patterns: GoalPatterns, parts: tuple[str, ...]) -> bool | None:
    named = [n for n, part in enumerate(parts) if any(t.named_in(part) for t in patterns.targets)]
    start = named[0] + 1 if named else 1
    for part in parts[start:]:
        said = meanings(part)
        if "off" in said:
            return False
        if "on" in said and len(part.split()) <= _STATE_WORDS:
            return True
    return None


def _spoken(patterns: GoalPatterns, view: View, wanted_on: bool) -> Reading:
    """Read a message such as "Do Not Disturb turned off"."""
    for element in view.elements:
        if element.role not in MESSAGES and element.role is not Role.TEXT:
            continue
        said = meanings(element.name) if len(element.name) < _SPOKEN_LIMIT else frozenset[str]()
        if not said & {"on", "off"} or not any(t.named_in(element.name) for t in patterns.targets):
            continue
        told = _state_after_name(patterns, cells(element.name))
        holds = (("off" not in said) if told is None else told) == wanted_on
        return yes(view.scene, element) if holds else no(view.scene, element)
    return unknown(view.scene)
