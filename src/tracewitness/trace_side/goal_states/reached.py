"""Goals that ask for information, and goals without a state of their own (open, export, play)."""

from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.names import element_texts
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import LOG_LINES, View
from tracewitness.values.folding import fold

_SHARE_OF_WORDS = 0.3
_MESSAGE_ROLES = frozenset({Role.TOAST, Role.STATUS, Role.TEXT, Role.OTHER, Role.ROW, Role.CELL, Role.HEADING})


def read_reached(patterns: GoalPatterns, view: View) -> Reading:
    """Return whether the scene shows what a query asks about: one of its objects, or a share of its content words."""
    for element in view.elements:
        if element.role not in LOG_LINES | {Role.FIELD, Role.BUTTON} and any(
            t.names(element) for t in patterns.targets
        ):
            return yes(view.scene, element)
    words = {w for w in patterns.goal.keywords if len(w) > 1}
    lines = [(e, fold(" ".join(element_texts(e)))) for e in view.elements if e.role not in LOG_LINES]
    held = {w for w in words if any(w in line for _, line in lines)}
    if not words or len(held) < _SHARE_OF_WORDS * len(words):
        return unknown(view.scene)
    return yes(view.scene, next(e for e, line in lines if any(w in line for w in held)))


def read_outcome(patterns: GoalPatterns, view: View) -> Reading:
    """Return whether the scene says that the asked-for thing happened: a message of success, or the thing itself.

    A message counts where it concerns the goal or stands alone; a file or object counts where it carries all the
    words that identify it. A failure that concerns the goal is a contradiction.
    """
    for element in view.elements:
        if element.role not in _MESSAGE_ROLES | {Role.ERROR}:
            continue
        said = frozenset[str]().union(*(meanings(text) for text in element_texts(element)))
        if said & {"error", "captcha"} and (
            element.role in (Role.ERROR, Role.TOAST) or patterns.concerns(element.line)
        ):
            return no(view.scene, element)
    for element in view.elements:
        if element.role in (Role.ROW, Role.CELL, Role.TEXT, Role.OTHER) and _is_the_thing(patterns, element):
            return yes(view.scene, element)
    return unknown(view.scene)


def _is_the_thing(patterns: GoalPatterns, element: Element) -> bool:
    line = element.line
    if "running" in meanings(line) or "queued" in meanings(line):
        return False
    named = bool(patterns.targets) and all(t.named_in(line) for t in patterns.targets)
    valued = bool(patterns.values) and all(v.shown_in(line) for v in patterns.values)
    return named and (valued or not patterns.values) and _finished(line)


def _finished(line: str) -> bool:
    return "success" in meanings(line)
