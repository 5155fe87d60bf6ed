"""Filling the five evidence fields and prior_state for one goal, from its course alone.

The rule that weighs most: the last state-changing action needs a later observation of its target. Words of success
weigh less than a stored thing seen again; nothing seen is UNKNOWN with what is missing named, or ABSENT where the
record would have shown it.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

from tracewitness.findings.causes import Gap
from tracewitness.findings.evidence_causes import EvidenceCause as Why
from tracewitness.findings.labels import FieldValue
from tracewitness.findings.records import FieldFinding
from tracewitness.trace_side.account import Account
from tracewitness.trace_side.action_field import fill_action
from tracewitness.trace_side.answers import Settled
from tracewitness.trace_side.change_fields import fill_commitment, fill_transition
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.effects import Effect
from tracewitness.trace_side.extraction import Scribe
from tracewitness.trace_side.moves import Move
from tracewitness.trace_side.reading import yes
from tracewitness.trace_side.signals import bad_sign, good_sign, running_sign
from tracewitness.trace_side.support_fields import fill_final_support, fill_prior_state
from tracewitness.trace_side.target_field import fill_target

_UNKNOWN, _ABSENT = FieldValue.UNKNOWN, FieldValue.ABSENT
_HARMLESS = frozenset({Effect.NONE, Effect.ASK})
_BROKEN_OFF = frozenset({Gap.DECLARED_INCOMPLETE, Gap.LOG_CUT_OFF})


@dataclass(frozen=True)
class Filled:
    """The six findings of one goal."""

    action: FieldFinding
    target: FieldFinding
    transition: FieldFinding
    commitment: FieldFinding
    final_support: FieldFinding
    prior_state: FieldFinding


def fill(course: Course, scribe: Scribe, settled: Settled | None = None) -> Filled:
    """Return the findings for one goal; ``settled`` is the entry that answers a query, where the trace has one."""
    final = course.final()
    if settled is not None:
        reading = yes(settled.seen.view.scene, settled.element)
        final = Seen(settled.seen.after_steps, settled.seen.view, reading)
    unseen = _end_unseen(course, final)
    if unseen:
        account = Account(course, scribe, course.prior(), None, None, None, None)
    else:
        good = good_sign(course)
        if good is not None and good.element is not None and course.patterns.is_of_other(good.element.line):
            good = None
        signs = good, bad_sign(course), running_sign(course)
        account = Account(course, scribe, course.prior(), final, *signs, settled is not None)
    action = fill_action(account)
    commitment = _as_sure_as(action, fill_commitment(account))
    return Filled(
        action=action,
        target=_open(fill_target(account)) if unseen else fill_target(account),
        transition=_as_sure_as(action, fill_transition(account)),
        commitment=commitment,
        final_support=fill_final_support(account, commitment),
        prior_state=fill_prior_state(account),
    )


def _open(target: FieldFinding) -> FieldFinding:
    """Where the end is not on record, the right object may have been acted on after the wrong one."""
    return replace(target, value=_UNKNOWN, cause=Why.TARGET_UNCERTAIN) if target.value is FieldValue.NO else target


def _as_sure_as(action: FieldFinding, finding: FieldFinding) -> FieldFinding:
    """A consequence is not missing for sure where it is not known whether the action was taken."""
    if finding.value is _ABSENT and action.value is _UNKNOWN:
        return replace(finding, value=_UNKNOWN)
    return finding


def _end_unseen(course: Course, final: Seen | None) -> bool:
    """Return whether how it ended is not on record, so that no earlier sight says anything of the outcome.

    That is so where the record is known to break off, or where a step that may change state came after the last telling
    sight and no observation follows it.
    """
    ended = bool(course.played) and course.played[-1].move is Move.FINISH
    if not ended and (_BROKEN_OFF & set(course.ledger.gaps) or _ends_amid(course)):
        return True
    since = final.after_steps if final is not None else 0
    if Gap.MISSING_STEPS in course.ledger.gaps and _steps_missing(course, since):
        return True
    return any(p.step.state_changing and p.step.unobserved for p in course.played[since:])


def _ends_amid(course: Course) -> bool:
    """Return whether the record stops with an action whose effect it does not show: what it led to may be anything."""
    last = course.played[-1].step if course.played else None
    return last is not None and last.action.executed and last.unobserved and last.effect not in _HARMLESS


def _steps_missing(course: Course, since: int) -> bool:
    """Return whether the numbers of the steps have a hole after so many steps, in which anything may have been done."""
    numbers = [p.step.index for p in course.played[max(since - 1, 0) :]]
    return any(later - earlier > 1 for earlier, later in pairwise(numbers))
