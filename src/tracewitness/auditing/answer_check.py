"""How a reported answer stands against the trace: compared once both sides have finished, and never before."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from tracewitness.findings.labels import AnswerCheck, Language, TaskClass
from tracewitness.language.quantities import same_value
from tracewitness.trace_side.answers import ShownValues, values_shown
from tracewitness.trace_side.trace import Trace
from tracewitness.values.answers import (
    AnswerValue,
    DateValue,
    MoneyValue,
    NoneValue,
    NumberValue,
    TextValue,
    YesNoValue,
)

_WORST_LAST = (
    AnswerCheck.AGREES,
    AnswerCheck.SHOWN,
    AnswerCheck.UNKNOWN,
    AnswerCheck.ABSENT,
    AnswerCheck.CONTRADICTS,
)

_AMOUNTS = (NumberValue, MoneyValue)

_Readings: TypeAlias = tuple[AnswerValue, ...]
"""One reported value: more than one where it can be read in more than one way."""


class Shown:
    """Tells whether the environment showed a value. The trace is searched when it is first asked, and once."""

    def __init__(self, trace: Trace, language: Language) -> None:
        self._trace = trace
        self._language = language

    @cached_property
    def _values(self) -> ShownValues:
        return values_shown(self._trace, self._language)

    @cached_property
    def _typed(self) -> tuple[AnswerValue, ...]:
        return self._values.typed()

    def __call__(self, value: AnswerValue) -> bool:
        """Return whether the environment showed the value anywhere, in whatever format."""
        if isinstance(value, TextValue):
            return self._values.shows_text(value.text)
        return any(same_value(value, seen) for seen in self._typed)


@dataclass(frozen=True, slots=True)
class Witness:
    """What the trace and the task say about answers.

    Attributes:
        answers: The answers that the trace itself supports, per part of the task that has any: the values of the one
            entry that answers it, of which a report need state only one.
        shown: Tells whether the environment showed a value anywhere.
        named: The values that the task itself names; stating one of them says nothing.
        whole: The record has no gap, so a value that is nowhere in it was not shown.
        computed: The task asks for a count or a sum, which need not stand anywhere.
    """

    answers: tuple[tuple[AnswerValue, ...], ...]
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
    supported = [value for part in witness.answers for value in part]
    telling = [group for group in readings if not _any_same(group, witness.named) or _any_same(group, supported)]
    if not telling:
        return AnswerCheck.UNKNOWN
    if witness.answers:
        return _against_answers(telling, witness)
    return _worst(_stand(group, witness) for group in telling)


def _against_answers(telling: list[_Readings], witness: Witness) -> AnswerCheck:
    supported = [value for part in witness.answers for value in part]
    unmet = [part for part in witness.answers if not any(_any_same(group, part) for group in telling)]
    extras = [group for group in telling if not _any_same(group, supported)]
    # Where the answer itself is right, a shown value beside it is context; one that was never shown still counts.
    beside = [_stand(group, witness) for group in extras]
    if not unmet:
        return _worst([AnswerCheck.AGREES, *(stand for stand in beside if stand is not AnswerCheck.SHOWN)])
    if any(_rivals(group[0], value) for group in extras for part in unmet for value in part):
        return AnswerCheck.CONTRADICTS
    return _worst([AnswerCheck.UNKNOWN, *beside])


def _stand(group: _Readings, witness: Witness) -> AnswerCheck:
    if isinstance(group[0], YesNoValue | NoneValue):
        return AnswerCheck.UNKNOWN
    if _is_shown(group, witness):
        return AnswerCheck.SHOWN
    if witness.whole and not witness.computed:
        return AnswerCheck.ABSENT
    return AnswerCheck.UNKNOWN


def _readings(reported: Sequence[AnswerValue]) -> list[_Readings]:
    """Group the readings of one ambiguous date (day and month exchanged) as alternatives."""
    groups: list[_Readings] = []
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


def _rivals(value: AnswerValue, answer: AnswerValue) -> bool:
    """Tell whether a reported value stands where the answer should: of the same kind, or none against something."""
    if isinstance(value, NoneValue) or isinstance(answer, NoneValue):
        return not isinstance(value, YesNoValue)
    return type(value) is type(answer) or (isinstance(value, _AMOUNTS) and isinstance(answer, _AMOUNTS))


def _is_shown(group: _Readings, witness: Witness) -> bool:
    return any(witness.shown(value) for value in group)


def _any_same(group: Iterable[AnswerValue], values: Sequence[AnswerValue]) -> bool:
    return any(same_value(left, right) for left in group for right in values)


def _worst(checks: Iterable[AnswerCheck]) -> AnswerCheck:
    return max(checks, key=_WORST_LAST.index)
