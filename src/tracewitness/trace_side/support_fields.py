"""The final_support and prior_state fields: does the last sight show the goal, and did the first one already?"""

import re

from tracewitness.findings.evidence_causes import EvidenceCause as Why
from tracewitness.findings.labels import FieldValue
from tracewitness.findings.records import FieldFinding
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.account import Account, cite_seen, cite_sign, fatal_after, overcome
from tracewitness.trace_side.checked_files import tests_passed
from tracewitness.trace_side.course import Course
from tracewitness.trace_side.demands import unmet_demand
from tracewitness.trace_side.interface_words import lexicon
from tracewitness.trace_side.moves import Move
from tracewitness.trace_side.names import Name, near_form_in, plain, stands_in
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.tool_calls import words_of_call
from tracewitness.trace_side.view import View
from tracewitness.values.folding import fold
from tracewitness.values.ternary import Ternary

_YES, _NO, _UNKNOWN = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN
_STORED = frozenset({Wanted.PRESENT, Wanted.VALUE, Wanted.SENT, Wanted.OTHER})
_SIMPLE_WORDS = 60
_WORDS = re.compile(r"[^\W\d_]{2,}")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|「[^」]*」|«[^»]*»|„[^“]*“")


def fill_final_support(account: Account, commitment: FieldFinding) -> FieldFinding:
    """Return the final_support finding; it needs to know what was found for commitment."""
    against = _against_support(account)
    if against is not None:
        return against
    scribe, course = account.scribe, account.course
    seen = cite_seen(account, account.final)
    unmet = _unmet(account)
    if unmet is not None:
        return unmet
    if course.patterns.goal.wanted is Wanted.ANSWER and not account.settled:
        reached = Why.INFORMATION_REACHED if account.holds else Why.INFORMATION_NOT_REACHED
        return scribe.found(_UNKNOWN, reached, *seen)
    if account.holds and account.firm and overcome(account):
        return scribe.found(_YES, Why.SUPPORTED, *seen)
    # A message that says it all ended well proves nothing beside an error of the same moment.
    spoken_only = course.patterns.goal.wanted is Wanted.OTHER and not overcome(account)
    if account.holds and commitment.value is _YES and not spoken_only:
        return scribe.found(_YES, Why.SUPPORTED, *seen, *commitment.citations)
    if account.bad is not None and account.bad.cause is not Why.LOGIN_WALL:
        return scribe.found(_NO, account.bad.cause, cite_sign(account, account.bad))
    if account.good is not None and commitment.value is _YES and _entered_as_asked(course) and _form_left(account):
        return scribe.found(_YES, Why.SUPPORTED, cite_sign(account, account.good))
    if account.good is not None and commitment.value is _YES and tests_passed(course, account.good):
        return scribe.found(_YES, Why.SUPPORTED, cite_sign(account, account.good))
    return scribe.found(_UNKNOWN, Why.NOT_SHOWN if course.after_last() else Why.UNVERIFIED_CHANGE)


def _unmet(account: Account) -> FieldFinding | None:
    """Return the finding for a demand that is not accounted for, where something else would speak for support."""
    course = account.course
    if course.patterns.goal.wanted not in _STORED or not (account.holds or account.good):
        return None
    unmet = unmet_demand(course, account.final if account.holds else None)
    if unmet is None:
        return None
    citations = cite_seen(account, account.final) or ((cite_sign(account, account.good),) if account.good else ())
    if unmet.denied and citations:
        return account.scribe.found(_NO, Why.WRONG_VALUE, *citations)
    return account.scribe.found(_UNKNOWN, Why.DEMAND_UNMET, *citations)


def _against_support(account: Account) -> FieldFinding | None:
    """Return what speaks against support before any sight of the goal counts, or None."""
    scribe = account.scribe
    if account.holds is False and account.final is not None:
        return scribe.found(_NO, account.final.reading.cause, *cite_seen(account, account.final))
    if fatal_after(account) and account.bad is not None:
        return scribe.found(_NO, account.bad.cause, cite_sign(account, account.bad))
    if account.running is not None and account.final is not None and account.final.reading.element is not None:
        if account.running.element == account.final.reading.element:
            return scribe.found(_UNKNOWN, Why.IN_PROGRESS, cite_sign(account, account.running))
    if account.bad is None and _beyond_rules(account.course):
        return scribe.found(_UNKNOWN, Why.CONDITION_UNCHECKED, *cite_seen(account, account.final))
    return None


def _form_left(account: Account) -> bool:
    """Return whether a message of sending is a message proper, or the control that sends is gone from the screen."""
    course, good = account.course, account.good
    if good is None or course.patterns.goal.wanted is not Wanted.SENT or not course.commits():
        return True
    if good.element is not None and good.element.role is Role.TOAST:
        return True
    pressed = fold(course.commits()[-1].label)
    last = course.seen[-1].view
    return not any(e.role is Role.BUTTON and fold(e.name) == pressed for e in last.elements)


def _beyond_rules(course: Course) -> bool:
    """Return whether the task sets a condition or asks for a choice ("the cheapest"), which no single screen shows."""
    goal = course.patterns.goal
    if goal.wanted is Wanted.ANSWER:
        return False
    words = goal.text.split()
    # By the words of the task's own language: "se" sets a condition in Portuguese and none in Spanish.
    conditional = lexicon().has(course.patterns.language, "condition", fold(_unquoted(goal.text)))
    return conditional or len(words) > _SIMPLE_WORDS


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text)


def _taken_back(course: Course) -> bool:
    """Return whether something was undone or thrown away after the last entry."""
    last = max((p.step.position for p in course.relevant if p.move is Move.ENTER), default=-1)
    return any(p.move in (Move.REVERT, Move.DISCARD) for p in course.played[last + 1 :])


def _entered_as_asked(course: Course) -> bool:
    """Return whether every value asked for was entered, and every object named, by the steps or on their screens."""
    patterns = course.patterns
    if not (patterns.targets or patterns.values) or _taken_back(course) or _other_control(course):
        return False
    if patterns.goal.every and patterns.goal.wanted is Wanted.ABSENT:
        return False
    if patterns.goal.wanted is Wanted.ABSENT and not any(course.removes(p) for p in course.relevant):
        return False
    steps = [f"{words_of_call(p.step.action)} | {p.step.action.text or ''} | {p.label}" for p in course.relevant]
    elements = [e for p in course.relevant for s in (p.step.before, p.step.after) if s for e in s.elements]
    held = [e.value for e in elements if e.value and e.role in (Role.FIELD, Role.CHOICE)]
    entered = all(any(v.shown_in(text) for text in (*steps, *held)) for v in patterns.values)
    where = steps if _one_entry_each(course) else [*steps, *(e.line for e in elements)]
    quoted = {plain(found[1:-1]) for found in _QUOTED.findall(patterns.goal.text)}
    return entered and all(any(_names(t, text, quoted) for text in where) for t in patterns.targets)


def _names(target: Name, text: str, quoted: set[str]) -> bool:
    """Return whether a text names an object; one that the task quotes must be spelled as it is there."""
    return target.named_in(text) and (target.phrase not in quoted or stands_in(target.phrase, plain(text)))


def _other_control(course: Course) -> bool:
    """Return whether a control beside the pressed one says more of the task's words ("to cart", "to wish list")."""
    commits = course.commits()
    before = commits[-1].step.before if commits else None
    if before is None or not commits[-1].label:
        return False
    asked = fold(course.patterns.goal.text)
    pressed = fold(commits[-1].label)
    labels = {fold(e.name) for e in before.elements if e.role is Role.BUTTON} - {pressed}
    return any(_said(label, asked) > _said(pressed, asked) > 0 for label in labels) and _said_not(pressed, asked)


def _said(label: str, asked: str) -> int:
    return sum(1 for word in _WORDS.findall(label) if near_form_in(word, asked))


def _said_not(label: str, asked: str) -> bool:
    return any(not near_form_in(word, asked) for word in _WORDS.findall(label))


def _one_entry_each(course: Course) -> bool:
    """Return whether several objects stand as entries of one list, so that each needs a step of its own."""
    views = [s.view for s in course.seen]
    targets = course.patterns.targets
    return len(targets) > 1 and any(len(_entries_named(view, targets)) > 1 for view in views)


def _entries_named(view: View, targets: tuple[Name, ...]) -> set[int]:
    named: set[int] = set()
    for target in targets:
        place = next((place for place in view.rows() if target.names(view.elements[place])), None)
        if place is not None:
            named.add(place)
    return named


def fill_prior_state(account: Account) -> FieldFinding:
    """Return the prior_state finding."""
    scribe, prior = account.scribe, account.prior
    if prior is None:
        return scribe.found(_UNKNOWN, Why.PRIOR_UNKNOWN)
    if prior.reading.value is Ternary.YES and prior.reading.firm:
        return scribe.found(_YES, Why.ALREADY_TRUE, *cite_seen(account, prior))
    if prior.reading.value is Ternary.NO:
        return scribe.found(_NO, Why.NOT_YET_TRUE, *cite_seen(account, prior))
    return scribe.found(_UNKNOWN, Why.PRIOR_UNKNOWN)
