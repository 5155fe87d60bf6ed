"""Goals that ask for information, and goals without a state of their own (open, export, play)."""

import re
from collections.abc import Set as AbstractSet

from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.names import bare, element_texts, near_form_in
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import LOG_LINES, View
from tracewitness.values.folding import fold

_WORDS = re.compile(r"[^\W_]+")
_SHARE_OF_WORDS = 0.3
_SHARED_WORDS = 2
_ENDINGS = frozenset(
    "pdf png jpg jpeg gif svg webp csv tsv xls xlsx ods doc docx odt txt md html json xml zip mp3 mp4 wav".split()
)
_TELLING_ROLES = frozenset(
    {Role.TOAST, Role.STATUS, Role.TEXT, Role.OTHER, Role.ROW, Role.CELL, Role.HEADING, Role.ERROR, Role.FIELD}
)


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


def read_outcome(patterns: GoalPatterns, view: View, old: AbstractSet[str]) -> Reading:
    """Return whether the scene says that the asked-for thing happened: a message of success, or the thing itself.

    A line that already stood there before the last step that could bring it about says nothing (``old``). A failure
    that concerns the goal is a contradiction; an object counts where it is named and said to be finished.
    """
    fresh = [e for e in view.elements if e.role in _TELLING_ROLES and e.line not in old]
    for element in fresh:
        said = frozenset[str]().union(*(meanings(text) for text in element_texts(element)))
        if said & {"error", "captcha"} and (
            element.role in (Role.ERROR, Role.TOAST) or patterns.concerns(element.line)
        ):
            return no(view.scene, element)
    if any("error" in meanings(e.line) for e in fresh):
        return unknown(view.scene)
    for element in fresh:
        if _is_the_file(patterns, view, element):
            return yes(view.scene, element)
        if element.role not in (Role.TOAST, Role.HEADING) and _is_the_thing(patterns, view, element):
            return yes(view.scene, element)
    return unknown(view.scene)


def _is_the_file(patterns: GoalPatterns, view: View, element: Element) -> bool:
    """Return whether a listing shows the file that was to be made: the object's name with the asked-for ending."""
    own = {t.phrase.rpartition(".")[2] for t in patterns.targets}
    asked = {word for word in _WORDS.findall(fold(patterns.goal.text)) if word in _ENDINGS} - own
    stems = {t.phrase.rpartition(".")[0] or t.phrase for t in patterns.targets}
    if not asked or view.dialog is not None or element.role in (Role.FIELD, Role.PAGE, Role.HEADING):
        return False
    said = meanings(element.line)
    text = fold(element.line)
    return not said & {"running", "queued", "error"} and any(
        re.search(rf"(?<![\w.-]){re.escape(stem)}\.{ending}(?![\w.])", text) for stem in stems for ending in asked
    )


def _is_the_thing(patterns: GoalPatterns, view: View, element: Element) -> bool:
    said = meanings(element.line)
    if said & {"running", "queued", "error"} or "success" not in said:
        return False
    around = f"{element.line} | {view.header}"
    if "deed.install" in meanings(patterns.goal.text) and "deed.install" not in meanings(around):
        # A finished download of an installer has installed nothing.
        return False
    if not patterns.targets:
        held = [word for word in patterns.words if bare(word) in bare(element.line)]
        return len(held) >= _SHARED_WORDS and all(v.shown_in(around) for v in patterns.values if not v.phrase)
    return all(t.named_in(around) for t in patterns.targets) and all(v.shown_in(around) for v in patterns.values)


def is_the_mark(patterns: GoalPatterns, view: View, element: Element) -> bool:
    """Return whether a switch or pressed button is what the goal speaks of ("thumbs up" of the named page)."""
    words = [w for w in _WORDS.findall(fold(element.name)) if not w.isdigit()]
    asked = set(_WORDS.findall(fold(patterns.goal.text)))
    held = [w for w in words if w in asked or near_form_in(w, fold(patterns.goal.text))]
    around = f"{element.name} | {view.header}"
    return bool(words) and len(held) == len(words) and all(t.named_in(around) for t in patterns.targets)
