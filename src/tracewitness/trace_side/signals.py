"""Signs, after the last step that bears on a goal, that a change did or did not become durable."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.interface_words import label_meanings, meanings
from tracewitness.trace_side.moves import Move
from tracewitness.trace_side.names import element_texts
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.trace_side.things import things_of
from tracewitness.trace_side.tool_calls import call_in, spelled
from tracewitness.values.folding import fold
from tracewitness.values.ternary import Ternary

_MESSAGES = frozenset(
    {Role.TOAST, Role.STATUS, Role.ERROR, Role.TEXT, Role.OTHER, Role.HEADING, Role.PAGE, Role.DIALOG}
)
_SPOKEN = frozenset({Role.TOAST, Role.STATUS, Role.ERROR})
_SPOKEN_LIMIT = 160
_STAR = re.compile(r"^[*●]\s?|\s[*●](?=\s|$)|\w\*(?=\s|$)")
_MAKES = frozenset({Wanted.PRESENT, Wanted.VALUE, Wanted.SENT, Wanted.ON})
_CONFIRMING = frozenset({"remove", "unsaved", "send", "discard", "revert"})
_PLAIN = frozenset({Role.TEXT, Role.FIELD, Role.EMPTY_STATE})
_FLAGS = frozenset({"success", "ok", "succeeded", "saved", "accepted"})
_COUNTS = frozenset(
    f"{word}{tail}"
    for word in (
        "updated",
        "deleted",
        "removed",
        "affected",
        "modified",
        "changed",
        "created",
        "inserted",
        "matched",
        "sent",
    )
    for tail in ("", " count", "_count", "_rows", "rows")
) | {"rows_affected", "affected_rows", "modifiedcount", "deletedcount", "matchedcount", "rowcount"}
_FALSE = frozenset({"false", "no", "0"})
_EMPTY = _FALSE | {"null", "none"}
_LESS = {Wanted.ABSENT: "archive", Wanted.SENT: "draft"}
_WELL = frozenset({("ok", "true"), ("status", "ok"), ("status", "success"), ("result", "ok"), ("result", "success")})
_COMMIT_LABELS = frozenset({"save", "send"})
_WAITING_CLASSES = frozenset({Wanted.SENT, Wanted.PRESENT, Wanted.VALUE, Wanted.OTHER})


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign with its cause and where it stands; ``element`` is None where the step's own action or error is cited."""

    cause: EvidenceCause
    step: int
    scene: Scene | None = None
    element: Element | None = None


def good_sign(course: Course) -> Sign | None:
    """Return the message of success that follows the last relevant commit, unless a failure follows it."""
    found: Sign | None = None
    if not course.relevant or _called_for_less(course):
        return None
    for seen in _since_last_commit(course):
        for element in _messages(seen):
            said = frozenset[str]().union(*(meanings(course.without_own_words(t)) for t in element_texts(element)))
            if "queued" in said or _says_nothing(element) or course.typed_by_agent(element):
                continue
            if "success" not in said and not _told_ok(course, seen, element):
                continue
            if fold(element.name) == "accepted" or ("trash_place" in said and _wants_it_gone_for_good(course)):
                # Accepted is not yet done, and what lies in the trash is not gone.
                continue
            if _is_news(course, seen, element) and not _denies(element):
                found = Sign(EvidenceCause.COMMITTED, seen.view.scene.step, seen.view.scene, element)
    return found


def _called_for_less(course: Course) -> bool:
    """Return whether the last call only archives what should be deleted, or drafts what should be sent."""
    less = _LESS.get(course.patterns.goal.wanted, "")
    commits = course.commits()
    call = call_in(commits[-1].step.action) if less and commits else None
    return call is not None and less in spelled(call.name).lower() and less not in fold(course.patterns.goal.text)


def _says_nothing(element: Element) -> bool:
    """Return whether an element is a value of JSON that says no (``deleted = false``, ``saved = null``)."""
    return " = " in element.line and fold(element.value or "") in _EMPTY


def _told_ok(course: Course, seen: Seen, element: Element) -> bool:
    """Return whether a result says that all is well (``ok = true``) and of what: a bare word is none of anything."""
    if " = " not in element.line or (fold(element.name), fold(element.value or "")) not in _WELL:
        return False
    told = (e for e in seen.view.elements if e is not element and " = " in e.line)
    return any(course.patterns.names_or_values(text) for e in told for text in element_texts(e))


def _wants_it_gone_for_good(course: Course) -> bool:
    return "permanent" in meanings(course.patterns.goal.text)


def _is_news(course: Course, seen: Seen, element: Element) -> bool:
    """Return whether a message was not there before the commit: a toast never stays, other text must be new."""
    if element.role is Role.TOAST:
        return True
    commits = course.commits() or course.relevant
    before = commits[-1].step.before if commits else None
    return before is None or all(e.line != element.line for e in before.elements)


def bad_sign(course: Course) -> Sign | None:
    """Return the strongest sign that the change did not become durable, or None.

    Looked for after the last relevant commit (after the last relevant step, where nothing was committed).
    """
    for finder in (_cancelled, _failed_write, _complaint, _open_dialog, _waiting, _left_unsaved, _walled, _guarded):
        sign = finder(course)
        if sign is not None:
            return sign
    return None


def running_sign(course: Course) -> Sign | None:
    """Return the sign that the operation was still running at the last sight, or None."""
    later = course.after_last()
    if not later:
        return None
    view = later[-1].view
    element = next((e for e in view.elements if e.role is Role.PROGRESS or _says_running(course, e)), None)
    return Sign(EvidenceCause.IN_PROGRESS, view.scene.step, view.scene, element) if element else None


def _says_running(course: Course, element: Element) -> bool:
    """Return whether an element or, for an entry, its line without the agent's own words says that work goes on."""
    return any("running" in meanings(course.without_own_words(text)) for text in (element.name, element.line))


def _since_last_commit(course: Course) -> tuple[Seen, ...]:
    commits = course.commits()
    if not commits:
        return course.after_last()
    return tuple(s for s in course.seen if s.after_steps > commits[-1].step.position)


def _messages(seen: Seen) -> Iterator[Element]:
    for element in seen.view.elements:
        if element.role in _MESSAGES and len(element.name) <= _SPOKEN_LIMIT:
            yield element


def _cancelled(course: Course) -> Sign | None:
    """The last thing done about the goal was to cancel, to discard or to undo it."""
    for played in reversed(course.played):
        if played.move in (Move.CANCEL, Move.DISCARD, Move.REVERT) and played.step.position >= (
            course.last_bearing or 0
        ):
            if played.move is Move.CANCEL and not _left_dialog(course, played.step.before):
                continue
            cause = {
                Move.CANCEL: EvidenceCause.DIALOG_CANCELLED,
                Move.DISCARD: EvidenceCause.DISCARDED,
                Move.REVERT: EvidenceCause.UNDONE,
            }[played.move]
            return Sign(cause, played.step.index)
    for seen in course.after_last():
        for element in _messages(seen):
            said = meanings(element.name)
            if course.patterns.goal.wanted in _MAKES and "taken_away" in said and _is_news(course, seen, element):
                return Sign(EvidenceCause.UNDONE, seen.view.scene.step, seen.view.scene, element)
            if element.role in _SPOKEN and said & {"unchanged", "undone"} and not _asked_to_call_off(course, element):
                cause = EvidenceCause.UNDONE if "undone" in said else EvidenceCause.DIALOG_CANCELLED
                return Sign(cause, seen.view.scene.step, seen.view.scene, element)
    return None


def _asked_to_call_off(course: Course, element: Element) -> bool:
    """Return whether a message says that a thing was called off ("Your order was cancelled"), as the task wants it."""
    goal = course.patterns.goal
    asked = goal.wanted is Wanted.ABSENT and "calls_off" in meanings(goal.text)
    return asked and "undone" not in meanings(element.name) and bool(things_of(element.name) & things_of(goal.text))


def _left_dialog(course: Course, scene: Scene | None) -> bool:
    """Return whether the scene is a dialog on the matter: one that names it, or that asks to confirm, save or leave."""
    if scene is None:
        return False
    dialogs = {place for place, e in enumerate(scene.elements) if e.role is Role.DIALOG}
    if not dialogs:
        return False
    inside = [e for place, e in enumerate(scene.elements) if place in dialogs or e.parent in dialogs]
    lines = [e.line for e in (inside if any(e.parent in dialogs for e in inside) else scene.elements)]
    return any(course.patterns.concerns(line) or meanings(line) & _CONFIRMING for line in lines)


def _failed_write(course: Course) -> Sign | None:
    """The environment or the server refused the last write."""
    commits = course.commits()
    if commits and commits[-1].step.error:
        return Sign(EvidenceCause.ENVIRONMENT_ERROR, commits[-1].step.index)
    failures = {id(s.element) for s in course.ledger.network_failures()}
    writes = {id(s.element) for s in course.ledger.network_writes()} - failures
    for seen in _since_last_commit(course):
        went_through = any(id(e) in writes for e in seen.view.elements)
        for element in seen.view.elements:
            # Beside a write that went through, a failed one on another matter (analytics) decides nothing.
            if id(element) in failures and (not went_through or course.patterns.keyword_in(element.name)):
                return Sign(EvidenceCause.SERVER_ERROR, seen.view.scene.step, seen.view.scene, element)
    return None


def _complaint(course: Course) -> Sign | None:
    """A validation message or an error came after the last commit."""
    for seen in _since_last_commit(course):
        if course.tried_again(seen.after_steps):
            continue
        for element in seen.view.elements:
            if element.invalid:
                return Sign(EvidenceCause.VALIDATION_ERROR, seen.view.scene.step, seen.view.scene, element)
            if element.role not in _SPOKEN and not (element.role in _PLAIN and len(element.name) <= _SPOKEN_LIMIT):
                continue
            if not _is_news(course, seen, element) or _stood_from_the_start(course, element):
                continue
            cause = _complaint_of(course, element)
            if cause is not None:
                return Sign(cause, seen.view.scene.step, seen.view.scene, element)
    return None


def _stood_from_the_start(course: Course, element: Element) -> bool:
    """Return whether a banner was there before the first step that bears on the goal."""
    before = course.relevant[0].step.before if course.relevant else None
    return before is not None and any(e.line == element.line for e in before.elements)


def _denies(element: Element) -> bool:
    """Return whether a result says that it did not work or reached nothing (``ok = false``, ``updated = 0``)."""
    name, value = fold(element.name), fold(element.value or "")
    return (name in _FLAGS and value in _FALSE) or (name in _COUNTS and value == "0")


def _unsent(element: Element) -> bool:
    return fold(element.name) in ("sent", "delivered") and fold(element.value or "") in _FALSE


def _complaint_of(course: Course, element: Element) -> EvidenceCause | None:
    if _denies(element) or (course.patterns.goal.wanted is Wanted.SENT and _unsent(element)):
        return EvidenceCause.ENVIRONMENT_ERROR
    texts = (*element_texts(element), course.without_own_words(element.line)) if element.role is Role.FIELD else ()
    said = course.patterns.strange_meanings(" | ".join(texts or element_texts(element)))
    if "validation" in said and "success" not in said:
        return EvidenceCause.VALIDATION_ERROR
    if "error" in said or (element.role is Role.ERROR and "success" not in said):
        return EvidenceCause.ENVIRONMENT_ERROR
    return None


def _open_dialog(course: Course) -> Sign | None:
    """A dialog that the run's steps opened is still open at the end."""
    later = course.after_last()
    if not later or course.last_bearing is None:
        return None
    view = later[-1].view
    dialog = view.dialog
    if any(seen.view.dialog is None for seen in later):
        return None
    return Sign(EvidenceCause.DIALOG_LEFT_OPEN, view.scene.step, view.scene, dialog) if dialog is not None else None


def _waiting(course: Course) -> Sign | None:
    """The change is queued, scheduled or kept as a draft."""
    if course.patterns.goal.wanted not in _WAITING_CLASSES:
        return None
    wants_waiting = meanings(course.patterns.goal.text) & {"queued", "draft_place"}
    if wants_waiting:
        return None
    for seen in _since_last_commit(course):
        for element in _messages(seen):
            news = element.role in _SPOKEN or (element.role is Role.TEXT and _is_news(course, seen, element))
            told = element_texts(element) if " = " in element.line else (element.name,)
            if news and any("queued" in meanings(text) for text in told):
                return Sign(EvidenceCause.QUEUED, seen.view.scene.step, seen.view.scene, element)
    return None


def _left_unsaved(course: Course) -> Sign | None:
    """The last relevant screen says that edits are unsaved, or still offers to save what was entered."""
    relevant = course.relevant
    if not relevant:
        return None
    committed = course.commits()
    entered_after = not committed or relevant[-1].step.position > committed[-1].step.position
    for seen in reversed(course.after_last()):
        for element in seen.view.elements:
            if _marked_unsaved(element):
                return Sign(EvidenceCause.NOT_COMMITTED, seen.view.scene.step, seen.view.scene, element)
        if entered_after and relevant[-1].move in (Move.ENTER, Move.SWITCH, Move.TOUCH):
            button = _save_button(seen)
            if button is not None and good_sign(course) is None:
                return Sign(EvidenceCause.NOT_COMMITTED, seen.view.scene.step, seen.view.scene, button)
        if seen.reading.value is not Ternary.UNKNOWN:
            break
    return _never_pressed(course)


def _marked_unsaved(element: Element) -> bool:
    """Return whether an element says that edits are unsaved, by words or by the star behind a document's title."""
    if element.role in (Role.DIALOG, Role.BUTTON):
        return False
    starred = element.role is Role.PAGE and _STAR.search(element.name) is not None
    return starred or "unsaved" in meanings(element.name)


def _never_pressed(course: Course) -> Sign | None:
    """The last screen offers a disabled control that would have made the change durable and was never pressed."""
    later = course.after_last()
    if not later or good_sign(course) is not None or later[-1].reading.value is Ternary.YES:
        return None
    view = later[-1].view
    pressed = {fold(p.label) for p in course.played if p.move is Move.COMMIT and not p.step.no_change}
    for element in view.elements:
        if element.role is Role.BUTTON and not element.enabled and fold(element.name) not in pressed:
            if label_meanings(element.name) & {"save", "send", "create"}:
                return Sign(EvidenceCause.NOT_COMMITTED, view.scene.step, view.scene, element)
    return None


def _save_button(seen: Seen) -> Element | None:
    for element in seen.view.elements:
        if element.role is Role.BUTTON and label_meanings(element.name) & _COMMIT_LABELS:
            return element
    return None


def _guarded(course: Course) -> Sign | None:
    """The runner stopped the run (a repetition guard, the step limit, a hand-over), or an action went in circles."""
    scenes = {(s.view.scene.step, s.view.scene.part): s.view.scene for s in course.seen}
    for line in course.ledger.runner_lines():
        if "guard" in meanings(line.element.line):
            return Sign(EvidenceCause.LOOP, line.step, scenes.get((line.step, line.part)), line.element)
    loops = course.ledger.loops()
    if loops and loops[-1].position >= (course.last_bearing or 0):
        return Sign(EvidenceCause.LOOP, loops[-1].index)
    return None


def _walled(course: Course) -> Sign | None:
    """A sign-in wall or a security check stands where the result should be."""
    later = course.after_last() or course.seen
    if not later:
        return None
    view = later[-1].view
    for element in view.elements:
        said = meanings(element.name)
        if element.role is Role.CAPTCHA or said & {"login", "captcha"}:
            return Sign(EvidenceCause.LOGIN_WALL, view.scene.step, view.scene, element)
    return None
