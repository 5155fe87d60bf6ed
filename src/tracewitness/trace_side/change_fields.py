"""The transition and commitment fields: did the environment change, and was the change made durable?"""

from tracewitness.findings.evidence_causes import EvidenceCause as Why
from tracewitness.findings.labels import FieldValue, TaskClass
from tracewitness.findings.records import Citation, FieldFinding
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.account import Account, cite_action, cite_seen, cite_sign, overcome
from tracewitness.trace_side.interface_words import label_meanings
from tracewitness.trace_side.moves import Move, Played, loads
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.tool_calls import call_in, spelled
from tracewitness.values.ternary import Ternary

_YES, _NO, _UNKNOWN, _ABSENT = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN, FieldValue.ABSENT
_AT_ONCE = frozenset({Wanted.ON, Wanted.OFF})
_FATAL = frozenset({Why.DISCARDED, Why.UNDONE, Why.DIALOG_CANCELLED})


def fill_transition(account: Account) -> FieldFinding:
    """Return the transition finding."""
    scribe, course = account.scribe, account.course
    both = (*cite_seen(account, account.prior), *cite_seen(account, account.final))
    if account.holds:
        if not course.relevant:
            return (
                scribe.found(_NO, Why.NO_CHANGE, *both)
                if account.held_before
                else scribe.found(_UNKNOWN, Why.NO_CHANGE)
            )
        if account.held_before is False:
            return scribe.found(_YES, Why.CHANGE_OBSERVED, *both)
        if account.held_before:
            return _again(account, both)
        changed = next((p for p in reversed(course.relevant) if p.step.changes.known and p.step.changes.anything), None)
        if changed is not None:
            return scribe.found(_YES, Why.CHANGE_OBSERVED, cite_action(account, changed), *both)
        return _told_by_call(account, both) or scribe.found(_UNKNOWN, Why.CHANGE_UNOBSERVED, *both)
    if account.holds is False:
        made = _change_made(account)
        if made is not None:
            return scribe.found(_YES, Why.CHANGE_OBSERVED, cite_action(account, made), *both)
        return scribe.found(_NO, Why.NO_CHANGE if account.held_before is False else Why.CONTRADICTED, *both)
    return _change_without_reading(account)


def _told_by_call(account: Account, both: tuple[Citation, ...]) -> FieldFinding | None:
    """Return YES where nobody looked before a call, and the call says that it did it or a later one shows it done."""
    final, last = account.final, account.course.relevant[-1]
    if final is None or account.bad is not None or last.step.error:
        return None
    called = last.move is Move.WRITE or (last.move is Move.TOUCH and call_in(last.step.action) is not None)
    raw = last.step.action.raw or ""
    patterns = account.course.patterns
    if not called or not any(map(patterns.names_or_values, (raw, spelled(raw)))):
        return None
    words = [form for p in account.course.relevant for own in [p.step.action.raw or ""] for form in (own, spelled(own))]
    words += [e.line for e in final.view.elements]
    if not all(any(map(target.named_in, words)) for target in patterns.targets):
        return None
    if account.good is not None:
        return account.scribe.found(_YES, Why.CHANGE_OBSERVED, cite_sign(account, account.good), *both)
    if final.reading.firm and final.after_steps > last.step.position + 1:
        return account.scribe.found(_YES, Why.CHANGE_OBSERVED, cite_action(account, last), *both)
    return None


def _change_made(account: Account) -> Played | None:
    """Return the last relevant step that made something happen, though not what was asked for."""
    if account.bad is not None and account.bad.cause in _FATAL:
        return None
    for played in reversed(account.course.relevant):
        changes = played.step.changes
        if played.move in (Move.COMMIT, Move.SWITCH, Move.WRITE) and changes.known and changes.anything:
            return played
    return None


def _again(account: Account, both: tuple[Citation, ...]) -> FieldFinding:
    """The goal held before and holds now: a change only if there are more of it, or it was off in between."""
    prior, final = account.prior, account.final
    more = prior is not None and final is not None and final.reading.count > prior.reading.count
    first = account.course.first_bearing or 0
    lost_between = any(
        s.reading.value is Ternary.NO and s.after_steps > first for s in account.course.seen if s is not final
    )
    if more or lost_between:
        return account.scribe.found(_YES, Why.CHANGE_OBSERVED, *both)
    return account.scribe.found(_NO, Why.ALREADY_TRUE, *both)


def _change_without_reading(account: Account) -> FieldFinding:
    scribe, relevant = account.scribe, account.course.relevant
    if not relevant:
        return scribe.found(
            _ABSENT if account.course.patterns.task_class is not TaskClass.QUERY else _UNKNOWN, Why.NO_CHANGE
        )
    if all(p.step.no_change for p in relevant):
        return scribe.found(_NO, Why.NO_CHANGE, cite_action(account, relevant[-1]))
    if account.good is not None:
        return scribe.found(_YES, Why.CHANGE_OBSERVED, cite_sign(account, account.good))
    if relevant[-1].step.unobserved:
        return scribe.found(_UNKNOWN, Why.CHANGE_UNOBSERVED, cite_action(account, relevant[-1]))
    return scribe.found(_UNKNOWN, Why.CHANGE_OBSERVED, cite_action(account, relevant[-1]))


def fill_commitment(account: Account) -> FieldFinding:
    """Return the commitment finding."""
    scribe, bad = account.scribe, account.bad
    if account.holds and account.firm and overcome(account):
        return _settled(account)
    if bad is not None:
        return scribe.found(_NO, bad.cause, cite_sign(account, bad))
    if account.running is not None:
        return scribe.found(_UNKNOWN, Why.IN_PROGRESS, cite_sign(account, account.running))
    if account.good is not None:
        return scribe.found(_YES, Why.COMMITTED, cite_sign(account, account.good))
    if account.holds and _seen_again(account):
        return scribe.found(_YES, Why.READ_BACK, *cite_seen(account, account.final))
    return _uncommitted(account)


def _settled(account: Account) -> FieldFinding:
    scribe, course = account.scribe, account.course
    seen = cite_seen(account, account.final)
    if course.patterns.goal.wanted in _AT_ONCE:
        pressed = unsaved_switch(account)
        if pressed is not None:
            return scribe.found(_UNKNOWN, Why.UNVERIFIED_CHANGE, cite_action(account, pressed), *seen)
        return scribe.found(_YES, Why.TAKES_EFFECT_AT_ONCE, *seen)
    if course.commits():
        return scribe.found(_YES, Why.COMMITTED, cite_action(account, course.commits()[-1]), *seen)
    return scribe.found(_YES, Why.READ_BACK, *seen)


def unsaved_switch(account: Account) -> Played | None:
    """Return the step that switched something on a page with a control that saves, where nothing was saved since.

    A switch beside "Save" takes effect with it. It is saved where that control was pressed and something came of it,
    or where the page was loaded anew and still shows it so.
    """
    final, course = account.final, account.course
    if final is None or not any(_saves(e) for e in final.view.elements):
        return None
    switched = next((p for p in reversed(course.relevant) if p.move in (Move.SWITCH, Move.TOUCH)), None)
    if switched is None:
        return None
    since = course.played[switched.step.position + 1 : final.after_steps]
    saved = any(p.move is Move.COMMIT and not p.step.no_change for p in since)
    return None if saved or any(loads(p) for p in since) else switched


def _saves(element: Element) -> bool:
    return element.role is Role.BUTTON and "save" in label_meanings(element.name)


def _seen_again(account: Account) -> bool:
    """Return whether the form that shows the values was left and opened again, or loaded anew."""
    final, course = account.final, account.course
    last = course.last_bearing
    if final is None or last is None:
        return False
    later = [s for s in course.after_last() if s.after_steps <= final.after_steps]
    if final.view.dialog is not None and any(s.view.dialog is None for s in later):
        return True
    between = [p for p in course.played[last + 1 : final.after_steps] if p.move is Move.LOOK]
    return any(loads(p) for p in between)


def _uncommitted(account: Account) -> FieldFinding:
    scribe, course = account.scribe, account.course
    if not course.relevant:
        return scribe.found(_ABSENT, Why.NOT_COMMITTED)
    last = course.relevant[-1]
    if course.commits():
        return scribe.found(_UNKNOWN, Why.UNVERIFIED_CHANGE, cite_action(account, course.commits()[-1]))
    if last.move is Move.ENTER:
        return scribe.found(_ABSENT, Why.NOT_COMMITTED, cite_action(account, last))
    return scribe.found(_UNKNOWN, Why.UNVERIFIED_CHANGE, cite_action(account, last))
