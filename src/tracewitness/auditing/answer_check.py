"""How a reported answer stands against the trace: compared once both sides have finished, and never before."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tracewitness.findings.labels import AnswerCheck, TaskClass
from tracewitness.language.quantities import same_value
from tracewitness.values.answers import AnswerValue, DateValue, NoneValue, YesNoValue

_WORST_LAST = (
    AnswerCheck.AGREES,
    AnswerCheck.SHOWN,
    AnswerCheck.UNKNOWN,
    AnswerCheck.ABSENT,
    AnswerCheck.CONTRADICTS,
)


@dataclass(frozen=True, slots=True)
class Witness:
    """What the trace and the task say about answers.

    Attributes:
        answers: The answers that the trace itself supports; empty where it supports none.
        shown: Tells whether the environment showed a value anywhere.
        named: The values that the task itself names; stating one of them says nothing.
        whole: The record has no gap, so a value that is nowhere in it was not shown.
        computed: The task asks for a count or a sum, which need not stand anywhere.
    """

    answers: tuple[AnswerValue, ...]
    shown: Callable[[AnswerValue], bool]
    named: tuple[AnswerValue, ...]
    whole: bool
    computed: bool


def check_answer(task_class: TaskClass, reported: Sequence[AnswerValue], witness: Witness) -> AnswerCheck:
    """Return how the answers of a report stand against the trace.

    The worst of the reported values counts. Values beside the answer do no harm where the trace shows them or the task
    names them. A report that lacks the trace's own answer contradicts it where it gives another value instead.

    Args:
        task_class: Only queries are checked; every other class is NOT_ASKED.
        reported: The values that the claim reader found in the report, in order.
        witness: What the trace and the task say.
    """
    if task_class is not TaskClass.QUERY:
        return AnswerCheck.NOT_ASKED
    readings = _readings(reported)
    telling = [group for group in readings if not _any_same(group, witness.named) or _any_same(group, witness.answers)]
    if not telling:
        return AnswerCheck.UNKNOWN
    if witness.answers:
        return _against_answers(telling, witness)
    return _worst(_stand(group, witness) for group in telling)


def _against_answers(telling: list[tuple[AnswerValue, ...]], witness: Witness) -> AnswerCheck:
    unmatched = [answer for answer in witness.answers if not any(_any_same(group, (answer,)) for group in telling)]
    extras = [group for group in telling if not _any_same(group, witness.answers)]
    if not unmatched:
        # The answer itself is right; what stands beside it can only add doubt, never overturn it by being shown.
        return _worst(
            (AnswerCheck.AGREES, *(AnswerCheck.AGREES if _is_shown(g, witness) else _stand(g, witness) for g in extras))
        )
    if any(_rivals(group, answer) for group in extras for answer in unmatched):
        return AnswerCheck.CONTRADICTS
    return _worst((AnswerCheck.UNKNOWN, *(_stand(group, witness) for group in extras)))


def _stand(group: tuple[AnswerValue, ...], witness: Witness) -> AnswerCheck:
    if _any_same(group, witness.answers):
        return AnswerCheck.AGREES
    if isinstance(group[0], YesNoValue | NoneValue):
        return AnswerCheck.UNKNOWN
    if _is_shown(group, witness):
        return AnswerCheck.SHOWN
    if witness.whole and not witness.computed:
        return AnswerCheck.ABSENT
    return AnswerCheck.UNKNOWN


def _readings(reported: Sequence[AnswerValue]) -> list[tuple[AnswerValue, ...]]:
    """Group the readings of one ambiguous date (day and month exchanged) as alternatives."""
    groups: list[tuple[AnswerValue, ...]] = []
    for value in reported:
        twin = next((n for n, group in enumerate(groups) if len(group) == 1 and _exchanged(group[0], value)), None)
        if twin is None:
            groups.append((value,))
        else:
            groups[twin] = (*groups[twin], value)
    return groups


def _exchanged(left: AnswerValue, right: AnswerValue) -> bool:
    return (
        isinstance(left, DateValue)
        and isinstance(right, DateValue)
        and (left.month, left.day) == (right.day, right.month)
        and left.month != left.day
    )


def _rivals(group: tuple[AnswerValue, ...], answer: AnswerValue) -> bool:
    """Tell whether a reported value stands where the answer should: of the same kind, or none against something."""
    value = group[0]
    if isinstance(value, NoneValue) or isinstance(answer, NoneValue):
        return not isinstance(value, YesNoValue)
    return type(value) is type(answer) or same_kind(value, answer)


def same_kind(left: AnswerValue, right: AnswerValue) -> bool:
    """Tell whether two values measure the same kind of thing (a plain number may be an amount of money)."""
    return {type(left).__name__, type(right).__name__} <= {"NumberValue", "MoneyValue"}


def _is_shown(group: tuple[AnswerValue, ...], witness: Witness) -> bool:
    return any(witness.shown(value) for value in group)


def _any_same(group: Iterable[AnswerValue], values: Sequence[AnswerValue]) -> bool:
    return any(same_value(left, right) for left in group for right in values)


def _worst(checks: Iterable[AnswerCheck]) -> AnswerCheck:
    return max(checks, key=_WORST_LAST.index)
