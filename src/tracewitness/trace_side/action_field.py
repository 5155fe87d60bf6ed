"""The action field: was a task-relevant action executed, or, for a query, the information reached?"""

from tracewitness.findings.evidence_causes import EvidenceCause as Why
from tracewitness.findings.labels import FieldValue, StepPart
from tracewitness.findings.records import FieldFinding
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.account import Account, cite_action
from tracewitness.trace_side.effects import Effect
from tracewitness.trace_side.moves import Move, Played

_YES, _NO, _UNKNOWN, _ABSENT = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN, FieldValue.ABSENT


def fill_action(account: Account) -> FieldFinding:
    """Return the action finding."""
    scribe, course = account.scribe, account.course
    if course.patterns.goal.wanted is Wanted.ANSWER:
        return _looked_up(account)
    done = [p for p in course.relevant if not p.step.error]
    if done:
        decisive = next((p for p in reversed(done) if p.move in (Move.COMMIT, Move.WRITE, Move.SWITCH)), done[-1])
        return scribe.found(_YES, Why.RELEVANT_ACTION, cite_action(account, decisive))
    if course.relevant:
        failed = course.relevant[-1]
        return scribe.found(_NO, Why.ACTION_FAILED, scribe.cite(failed.step.index, StepPart.ERROR, failed.step.error))
    blind = [p for p in course.played if p.move is not Move.FINISH and not _only_moves_on(p)]
    if blind:
        return scribe.found(_UNKNOWN, Why.ACTION_UNCERTAIN, cite_action(account, blind[-1]))
    return scribe.found(_ABSENT, Why.NO_RELEVANT_ACTION)


def _only_moves_on(played: Played) -> bool:
    """Return whether a step did nothing but look or lead to another screen."""
    step = played.step
    if played.move is Move.LOOK and step.effect is Effect.ENTER:
        # What is entered into a search field finds and changes nothing.
        return True
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
        return scribe.found(_YES, Why.RELEVANT_ACTION, cite_action(account, (before or moves)[-1]))
    return scribe.found(_UNKNOWN, Why.ACTION_UNCERTAIN, cite_action(account, moves[-1]))
