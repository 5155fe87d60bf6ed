"""Goals that ask for something to be sent."""

import re

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.names import element_texts
from tracewitness.trace_side.reading import Reading, no, unknown, yes
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import View
from tracewitness.values.folding import fold

_NEIGHBOURS = 2
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_WORDS = re.compile(r"[^\W_]+")


def read_sent(patterns: GoalPatterns, view: View) -> Reading:
    """Return whether the scene shows the message as sent: in a list of sent things or in a conversation.

    Beside words for waiting, drafts or failure it shows the contrary. The text in an entry field is not sent.
    """
    if _one_row_each(patterns, view):
        return _all_rows(patterns, view)
    for place in view.content():
        element = view.elements[place]
        if not _shows_message(patterns, element):
            continue
        around = _around(view, place)
        said = patterns.strange_meanings(around)
        if "queued" in said or ("draft_place" in said and "sent_place" not in said):
            return no(view.scene, element, EvidenceCause.QUEUED)
        if "error" in said:
            return no(view.scene, element, EvidenceCause.ENVIRONMENT_ERROR)
        if _to_another(patterns, f"{element.line} | {view.block(place)}"):
            return no(view.scene, element, EvidenceCause.WRONG_TARGET)
        if _sent_list(view) or _in_conversation(patterns, view, place):
            return yes(view.scene, element)
    return unknown(view.scene)


def _rows_of(patterns: GoalPatterns, view: View) -> list[Element]:
    rows = [view.elements[place] for place in view.rows()]
    return [next((r for r in rows if t.names(r)), rows[0]) for t in patterns.targets if any(t.names(r) for r in rows)]


def _one_row_each(patterns: GoalPatterns, view: View) -> bool:
    """Return whether several receivers stand in rows of their own, as in a list of people to invite."""
    return len(patterns.targets) > 1 and len({id(row) for row in _rows_of(patterns, view)}) > 1


def _all_rows(patterns: GoalPatterns, view: View) -> Reading:
    rows = _rows_of(patterns, view)
    undone = next((r for r in rows if not meanings(r.line) & {"success", "sent_place"}), None)
    if undone is None and len(rows) == len(patterns.targets):
        return yes(view.scene, rows[0], count=len(rows))
    return unknown(view.scene)


def _shows_message(patterns: GoalPatterns, element: Element) -> bool:
    if element.role in (Role.PAGE, Role.HEADING, Role.SWITCH, Role.CHOICE) or element.on is not None:
        return False
    texts = element_texts(element)
    messages = [v for v in patterns.values if v.phrase]
    if messages and any(v.shown_in(text) for v in messages for text in texts):
        return True
    return any(t.names(element) for t in patterns.targets)


def _to_another(patterns: GoalPatterns, entry: str) -> bool:
    """Return whether an entry names an address that is none of the receivers' and none of their names."""
    if not patterns.targets or any(t.named_in(entry) for t in patterns.targets):
        return False
    owners = [set(_WORDS.findall(fold(address).partition("@")[0])) for address in _ADDRESS.findall(entry)]
    receivers = [set(_WORDS.findall(t.phrase)) for t in patterns.targets]
    return (
        bool(owners)
        and not any(owner & receiver == receiver for owner in owners for receiver in receivers)
        and any(len(receiver) > 1 for receiver in receivers)
    )


def _around(view: View, place: int) -> str:
    own = view.elements[place].line
    following = view.elements[place + 1 : place + 1 + _NEIGHBOURS]
    near = [e for e in following if e.role is not Role.FIELD or e.line == own]
    silent = (Role.BUTTON, Role.LINK, Role.ROW)
    texts = [text for e in near if e.role not in silent or e.line == own for text in element_texts(e)]
    return " | ".join([view.block(place), *texts, view.header])


def _sent_list(view: View) -> bool:
    if "sent_place" in meanings(view.header):
        return True
    places = [e for e in view.elements if e.role in (Role.GROUP, Role.FIELD) or (e.role is Role.TEXT and e.value)]
    return any("sent_place" in meanings(e.value or e.name) for e in places)


def _in_conversation(patterns: GoalPatterns, view: View, place: int) -> bool:
    """Return whether the words to be sent stand as content on a page that names the recipient."""
    element = view.elements[place]
    said = [v for v in patterns.values if v.phrase and any(v.shown_in(text) for text in element_texts(element))]
    if not said or view.dialog is not None:
        return False
    if len(patterns.targets) > 1 and len(patterns.values) > 0:
        page = f"{view.header} | {view.block(place)}"
        return all(t.named_in(page) for t in patterns.targets)
    named = [e for e in view.elements if e is not element and any(t.names(e) for t in patterns.targets)]
    return bool(named) or not patterns.targets
