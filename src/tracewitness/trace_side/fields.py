"""Filling the five evidence fields and prior_state for one goal, from its course alone.

The rule that weighs most: the last state-changing action needs a later observation of its target. Words of success
weigh less than a stored thing seen again; nothing seen is UNKNOWN with what is missing named, or ABSENT where the
record would have shown it.
"""

import re
from dataclasses import dataclass, replace

from tracewitness.findings.causes import Gap
from tracewitness.findings.evidence_causes import EvidenceCause as Why
from tracewitness.findings.labels import FieldValue, StepPart, TaskClass
from tracewitness.findings.records import Citation, FieldFinding
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.answers import Settled
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.extraction import Scribe
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.moves import Move, Played, loads
from tracewitness.trace_side.names import Name
from tracewitness.trace_side.reading import yes
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.trace_side.signals import Sign, bad_sign, good_sign, running_sign
from tracewitness.trace_side.view import View
from tracewitness.values.folding import fold
from tracewitness.values.ternary import Ternary

_YES, _NO, _UNKNOWN, _ABSENT = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN, FieldValue.ABSENT
_AT_ONCE = frozenset({Wanted.ON, Wanted.OFF})
_BROKEN_OFF = frozenset({Gap.DECLARED_INCOMPLETE, Gap.LOG_CUT_OFF})
_SIMPLE_WORDS = 60
# Handles and e-mail addresses: one letter more or less is another account.
_HANDLE = re.compile(r"(?<![\w.])@[\w.]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|「[^」]*」|«[^»]*»|„[^“]*“")
_FATAL = frozenset({Why.DISCARDED, Why.UNDONE, Why.DIALOG_CANCELLED})


@dataclass(frozen=True)
class Filled:
    """The six findings of one goal."""

    action: FieldFinding
    target: FieldFinding
    transition: FieldFinding
    commitment: FieldFinding
    final_support: FieldFinding
    prior_state: FieldFinding


@dataclass(frozen=True)
class Account:
    """What the fields are filled from: the course, its first and last telling sights and the signs after it.

    ``settled`` says that the last sight is the one entry that answers a query.
    """

    course: Course
    scribe: Scribe
    prior: Seen | None
    final: Seen | None
    good: Sign | None
    bad: Sign | None
    running: Sign | None
    settled: bool = False

    @property
    def held_before(self) -> bool | None:
        """Return whether the goal held before the first relevant step; None where no scene tells."""
        return None if self.prior is None else self.prior.reading.value is Ternary.YES

    @property
    def holds(self) -> bool | None:
        """Return whether the goal holds at the last telling sight after the last relevant step; None if none tells."""
        return None if self.final is None else self.final.reading.value is Ternary.YES

    @property
    def firm(self) -> bool:
        """Return whether that sight is of a stored thing."""
        return self.final is not None and self.final.reading.firm


def fill(course: Course, scribe: Scribe, settled: Settled | None = None) -> Filled:
    """Return the findings for one goal; ``settled`` is the entry that answers a query, where the trace has one."""
    final = course.final()
    if settled is not None:
        reading = yes(settled.seen.view.scene, settled.element)
        final = Seen(settled.seen.after_steps, settled.seen.view, reading)
    if _end_unseen(course, final):
        account = Account(course, scribe, course.prior(), None, None, None, None)
    else:
        signs = good_sign(course), bad_sign(course), running_sign(course)
        account = Account(course, scribe, course.prior(), final, *signs, settled is not None)
    action = _action(account)
    commitment = _as_sure_as(action, _commitment(account))
    return Filled(
        action=action,
        target=_target(account),
        transition=_as_sure_as(action, _transition(account)),
        commitment=commitment,
        final_support=_final_support(account, commitment),
        prior_state=_prior_state(account),
    )


def _as_sure_as(action: FieldFinding, finding: FieldFinding) -> FieldFinding:
    """A consequence is not missing for sure where it is not known whether the action was taken."""
    if finding.value is _ABSENT and action.value is _UNKNOWN:
        return replace(finding, value=_UNKNOWN)
    return finding


def _cite_seen(account: Account, seen: Seen | None) -> tuple[Citation, ...]:
    if seen is None:
        return ()
    return (_cite_element(account.scribe, seen.view.scene, seen.reading.element),)


def _cite_element(scribe: Scribe, scene: Scene, element: Element | None) -> Citation:
    return scribe.cite(scene.step, scene.part, element.line if element is not None else None)


def _cite_sign(account: Account, sign: Sign) -> Citation:
    if sign.scene is None:
        step = account.course.ledger.step_at(sign.step)
        part = StepPart.ERROR if sign.cause is Why.ENVIRONMENT_ERROR and step and step.error else StepPart.ACTION
        return account.scribe.cite(sign.step, part)
    return _cite_element(account.scribe, sign.scene, sign.element)


def _cite_action(account: Account, played: Played) -> Citation:
    return account.scribe.cite(played.step.index, StepPart.ACTION, played.step.action.raw)


def _action(account: Account) -> FieldFinding:
    scribe, course = account.scribe, account.course
    if course.patterns.goal.wanted is Wanted.ANSWER:
        return _looked_up(account)
    done = [p for p in course.relevant if not p.step.error]
    if done:
        decisive = next((p for p in reversed(done) if p.move in (Move.COMMIT, Move.WRITE, Move.SWITCH)), done[-1])
        return scribe.found(_YES, Why.RELEVANT_ACTION, _cite_action(account, decisive))
    if course.relevant:
        failed = course.relevant[-1]
        return scribe.found(_NO, Why.ACTION_FAILED, scribe.cite(failed.step.index, StepPart.ERROR, failed.step.error))
    blind = [p for p in course.played if p.move is not Move.FINISH and not _only_moves_on(p)]
    if blind:
        return scribe.found(_UNKNOWN, Why.ACTION_UNCERTAIN, _cite_action(account, blind[-1]))
    return scribe.found(_ABSENT, Why.NO_RELEVANT_ACTION)


def _only_moves_on(played: Played) -> bool:
    """Return whether a step did nothing but look or lead to another screen."""
    step = played.step
    if not step.state_changing or played.move is Move.CANCEL:
        return not step.unobserved or not step.state_changing
    changes = step.changes
    return (
        played.move is Move.LOOK and changes.known and bool(changes.retitled or changes.moved or not changes.anything)
    )


def _looked_up(account: Account) -> FieldFinding:
    course, scribe = account.course, account.scribe
    moves = [p for p in course.played if p.move is not Move.FINISH and p.step.action.executed]
    if not moves:
        return scribe.found(_ABSENT, Why.NO_RELEVANT_ACTION)
    if account.holds and account.final is not None:
        before = [p for p in moves if p.step.position < max(account.final.after_steps, 1)]
        return scribe.found(_YES, Why.RELEVANT_ACTION, _cite_action(account, (before or moves)[-1]))
    return scribe.found(_UNKNOWN, Why.ACTION_UNCERTAIN, _cite_action(account, moves[-1]))


def _target(account: Account) -> FieldFinding:
    scribe, course = account.scribe, account.course
    wrong = _wrong_target(account)
    if wrong is not None:
        return wrong
    if account.holds:
        unseen = _unseen_targets(course)
        if not unseen or course.patterns.goal.wanted is Wanted.ANSWER:
            return scribe.found(_YES, Why.TARGET_SHOWN, *_cite_seen(account, account.final))
        return scribe.found(_UNKNOWN, Why.TARGET_UNCERTAIN, *_cite_seen(account, account.final))
    named = _step_naming_target(course)
    if named is not None and not _unseen_targets(course):
        return scribe.found(_YES, Why.TARGET_SHOWN, _cite_action(account, named))
    if not course.relevant and course.patterns.goal.wanted is not Wanted.ANSWER:
        return scribe.found(_ABSENT if not course.played else _UNKNOWN, Why.TARGET_UNCERTAIN)
    return scribe.found(_UNKNOWN, Why.TARGET_UNCERTAIN)


def _wrong_target(account: Account) -> FieldFinding | None:
    course, scribe = account.course, account.scribe
    final = account.final
    if final is not None and final.reading.cause is Why.WRONG_TARGET:
        return scribe.found(_NO, Why.WRONG_TARGET, *_cite_seen(account, final))
    if final is not None and final.reading.value is Ternary.YES:
        return _other_context(account)
    for played in course.relevant:
        texts = [played.label, *(e.line for e in played.step.changes.vanished if e.role is not Role.DIALOG)]
        if played.step.before is not None and played.move is Move.COMMIT:
            texts += [e.line for e in played.step.before.elements if e.role in (Role.DIALOG, Role.TEXT)]
        named = any(t.named_in(text) for t in course.patterns.targets for text in texts)
        alike = any(t.look_alike_in(text) for t in course.patterns.targets for text in texts)
        if alike and not named:
            return scribe.found(_NO, Why.WRONG_TARGET, _cite_action(account, played))
    return _other_context(account)


def _other_context(account: Account) -> FieldFinding | None:
    """A labelled context ("Workspace: Southpier") differs from the one that the task names."""
    course = account.course
    other = _other_handle(account)
    if other is not None:
        return other
    for target in course.patterns.targets:
        if target.known or _seen_anywhere(course, target.phrase):
            continue
        sight = _same_label_other_value(course, target.phrase)
        if sight is not None:
            scene, element = sight
            return account.scribe.found(_NO, Why.WRONG_TARGET, _cite_element(account.scribe, scene, element))
    return None


def _other_handle(account: Account) -> FieldFinding | None:
    """The final sight carries another handle or address than the one that the task names."""
    final, asked = account.final, set(_HANDLE.findall(fold(account.course.patterns.goal.text)))
    if final is None or final.reading.element is None or not asked:
        return None
    shown = set(_HANDLE.findall(fold(final.reading.element.line)))
    if not shown or shown & asked:
        return None
    return account.scribe.found(_NO, Why.WRONG_TARGET, *_cite_seen(account, final))


def _same_label_other_value(course: Course, phrase: str) -> tuple[Scene, Element] | None:
    words = [w for w in course.patterns.goal.keywords if len(w) > 2 and w not in phrase]
    for seen in reversed(course.seen):
        for element in seen.view.elements:
            label, colon, rest = element.name.partition(":")
            if colon and rest.strip() and label.strip().casefold() in words:
                return seen.view.scene, element
    return None


def _seen_anywhere(course: Course, phrase: str) -> bool:
    return bool(course.ledger.occurrences(phrase))


def _unseen_targets(course: Course) -> list[str]:
    """Return the named objects that nothing in the trace shows, by screen or by action."""
    actions = " | ".join(filter(None, (f"{p.step.action.raw} {p.label}" for p in course.played)))
    unseen: list[str] = []
    for target in course.patterns.targets:
        on_screen = target.known or any(target.named_in(e.line) for s in course.seen for e in s.view.elements)
        if not on_screen and not target.named_in(actions) and not _hinted(course, target):
            unseen.append(target.phrase)
    return unseen


def _hinted(course: Course, target: Name) -> bool:
    """Return whether a switch or a list is shown under a part of the name."""
    wanted, final = course.patterns.goal.wanted, course.final()
    if final is None or final.reading.element is None or wanted not in (Wanted.ON, Wanted.OFF, Wanted.ABSENT):
        return False
    if target.hinted_in(f"{final.reading.element.line} | {final.view.header}"):
        return True
    quoted = any(target.phrase in fold(found) for found in _QUOTED.findall(course.patterns.goal.text))
    return not quoted and wanted is not Wanted.ABSENT and course.patterns.keyword_in(final.reading.element.name)


def _step_naming_target(course: Course) -> Played | None:
    for played in reversed(course.relevant):
        own = f"{played.label} | {played.step.action.raw or ''}"
        scene = played.step.before
        page = scene.title if scene is not None else ""
        if any(t.named_in(own) or t.named_in(page) for t in course.patterns.targets):
            return played
    return None


def _transition(account: Account) -> FieldFinding:
    scribe, course = account.scribe, account.course
    both = (*_cite_seen(account, account.prior), *_cite_seen(account, account.final))
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
            return scribe.found(_YES, Why.CHANGE_OBSERVED, _cite_action(account, changed), *both)
        return scribe.found(_UNKNOWN, Why.CHANGE_UNOBSERVED, *both)
    if account.holds is False:
        made = _change_made(account)
        if made is not None:
            return scribe.found(_YES, Why.CHANGE_OBSERVED, _cite_action(account, made), *both)
        return scribe.found(_NO, Why.NO_CHANGE if account.held_before is False else Why.CONTRADICTED, *both)
    return _change_without_reading(account)


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
        return scribe.found(_NO, Why.NO_CHANGE, _cite_action(account, relevant[-1]))
    if account.good is not None:
        return scribe.found(_YES, Why.CHANGE_OBSERVED, _cite_sign(account, account.good))
    if relevant[-1].step.unobserved:
        return scribe.found(_UNKNOWN, Why.CHANGE_UNOBSERVED, _cite_action(account, relevant[-1]))
    return scribe.found(_UNKNOWN, Why.CHANGE_OBSERVED, _cite_action(account, relevant[-1]))


def _commitment(account: Account) -> FieldFinding:
    scribe, bad = account.scribe, account.bad
    if account.holds and account.firm and _overcome(account):
        return _settled(account)
    if bad is not None:
        return scribe.found(_NO, bad.cause, _cite_sign(account, bad))
    if account.running is not None:
        return scribe.found(_UNKNOWN, Why.IN_PROGRESS, _cite_sign(account, account.running))
    if account.good is not None:
        return scribe.found(_YES, Why.COMMITTED, _cite_sign(account, account.good))
    if account.holds and _seen_again(account):
        return scribe.found(_YES, Why.READ_BACK, *_cite_seen(account, account.final))
    return _uncommitted(account)


def _overcome(account: Account) -> bool:
    """Return whether nothing speaks against a stored sight, or it was loaded anew after what speaks against it."""
    bad, final = account.bad, account.final
    if bad is None or final is None:
        return True
    step = account.course.ledger.step_at(bad.step)
    if step is None or bad.cause is Why.NOT_COMMITTED:
        return False
    between = account.course.played[step.position + 1 : final.after_steps]
    return any(loads(p) or p.move in (Move.COMMIT, Move.WRITE, Move.SWITCH) for p in between)


def _fatal_after(account: Account) -> bool:
    """A cancellation or undoing that came after the sight that shows the goal."""
    bad, final = account.bad, account.final
    if bad is None or final is None or bad.cause not in _FATAL:
        return False
    step = account.course.ledger.step_at(bad.step)
    return step is not None and step.position >= final.after_steps


def _settled(account: Account) -> FieldFinding:
    scribe, course = account.scribe, account.course
    seen = _cite_seen(account, account.final)
    if course.patterns.goal.wanted in _AT_ONCE:
        return scribe.found(_YES, Why.TAKES_EFFECT_AT_ONCE, *seen)
    if course.commits():
        return scribe.found(_YES, Why.COMMITTED, _cite_action(account, course.commits()[-1]), *seen)
    return scribe.found(_YES, Why.READ_BACK, *seen)


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
        return scribe.found(_UNKNOWN, Why.UNVERIFIED_CHANGE, _cite_action(account, course.commits()[-1]))
    if last.move is Move.ENTER:
        return scribe.found(_ABSENT, Why.NOT_COMMITTED, _cite_action(account, last))
    return scribe.found(_UNKNOWN, Why.UNVERIFIED_CHANGE, _cite_action(account, last))


def _final_support(account: Account, commitment: FieldFinding) -> FieldFinding:
    against = _against_support(account)
    if against is not None:
        return against
    scribe, course = account.scribe, account.course
    seen = _cite_seen(account, account.final)
    if course.patterns.goal.wanted is Wanted.ANSWER and not account.settled:
        reached = Why.INFORMATION_REACHED if account.holds else Why.INFORMATION_NOT_REACHED
        return scribe.found(_UNKNOWN, reached, *seen)
    if account.holds and account.firm and _overcome(account):
        return scribe.found(_YES, Why.SUPPORTED, *seen)
    if account.holds and commitment.value is _YES:
        return scribe.found(_YES, Why.SUPPORTED, *seen, *commitment.citations)
    if account.bad is not None and account.bad.cause is not Why.LOGIN_WALL:
        return scribe.found(_NO, account.bad.cause, _cite_sign(account, account.bad))
    if account.good is not None and commitment.value is _YES and _entered_as_asked(course):
        return scribe.found(_YES, Why.SUPPORTED, _cite_sign(account, account.good))
    return scribe.found(_UNKNOWN, Why.NOT_SHOWN if course.after_last() else Why.UNVERIFIED_CHANGE)


def _against_support(account: Account) -> FieldFinding | None:
    """Return what speaks against support before any sight of the goal counts, or None."""
    scribe = account.scribe
    if account.holds is False and account.final is not None:
        return scribe.found(_NO, account.final.reading.cause, *_cite_seen(account, account.final))
    if _fatal_after(account) and account.bad is not None:
        return scribe.found(_NO, account.bad.cause, _cite_sign(account, account.bad))
    if account.bad is None and _beyond_rules(account.course):
        return scribe.found(_UNKNOWN, Why.CONDITION_UNCHECKED, *_cite_seen(account, account.final))
    return None


def _beyond_rules(course: Course) -> bool:
    """Return whether the task sets a condition or asks for a choice ("the cheapest"), which no single screen shows."""
    goal = course.patterns.goal
    if goal.wanted is Wanted.ANSWER:
        return False
    words = goal.text.split()
    return "condition" in meanings(_unquoted(goal.text)) or len(words) > _SIMPLE_WORDS


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text)


def _end_unseen(course: Course, final: Seen | None) -> bool:
    """Return whether how it ended is not on record, so that no earlier sight says anything of the outcome.

    That is so where the record is known to break off, or where a step that may change state came after the last telling
    sight and no observation follows it.
    """
    ended = bool(course.played) and course.played[-1].move is Move.FINISH
    if not ended and _BROKEN_OFF & set(course.ledger.gaps):
        return True
    since = final.after_steps if final is not None else 0
    return any(p.step.state_changing and p.step.unobserved for p in course.played[since:])


def _taken_back(course: Course) -> bool:
    """Return whether something was undone or thrown away after the last entry."""
    last = max((p.step.position for p in course.relevant if p.move is Move.ENTER), default=-1)
    return any(p.move in (Move.REVERT, Move.DISCARD) for p in course.played[last + 1 :])


def _entered_as_asked(course: Course) -> bool:
    """Return whether every value asked for was entered, and every object named, by the steps or on their screens."""
    patterns = course.patterns
    if not (patterns.targets or patterns.values) or _taken_back(course):
        return False
    steps = [f"{p.step.action.raw or ''} | {p.step.action.text or ''} | {p.label}" for p in course.relevant]
    screens = [e.line for p in course.relevant for s in (p.step.before, p.step.after) if s for e in s.elements]
    entered = all(any(v.shown_in(text) for text in (*steps, *screens)) for v in patterns.values)
    where = steps if _one_entry_each(course) else [*steps, *screens]
    return entered and all(any(t.named_in(text) for text in where) for t in patterns.targets)


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


def _prior_state(account: Account) -> FieldFinding:
    scribe, prior = account.scribe, account.prior
    if prior is None:
        return scribe.found(_UNKNOWN, Why.PRIOR_UNKNOWN)
    if prior.reading.value is Ternary.YES and prior.reading.firm:
        return scribe.found(_YES, Why.ALREADY_TRUE, *_cite_seen(account, prior))
    if prior.reading.value is Ternary.NO:
        return scribe.found(_NO, Why.NOT_YET_TRUE, *_cite_seen(account, prior))
    return scribe.found(_UNKNOWN, Why.PRIOR_UNKNOWN)
