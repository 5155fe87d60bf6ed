"""How a reported answer stands against the trace: compared once both sides have finished, and never before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from tracewitness.auditing.mentions import Holds
from tracewitness.auditing.spoken_answers import Spoken, says
from tracewitness.findings.labels import AnswerCheck, TaskClass
from tracewitness.language.phones import phone_digits
from tracewitness.language.quantities import same_value
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
_MINUTES = 60
_NOTHING = Spoken()

_Readings: TypeAlias = tuple[AnswerValue, ...]
"""One reported value: more than one where it can be read in more than one way."""


@dataclass(frozen=True, slots=True)
class Witness:
    """What the trace and the task say about answers.

    Attributes:
        answers: The answers that the trace itself supports, per part of the task that has any: the values of the one
            entry that answers it, of which a report need state only one.
        shown: Tells whether the environment showed a value.
        named: Tells whether the task, or a user in the course of the run, names a value; stating that one says nothing.
        whole: The record has no gap, so a value that is nowhere in it was not shown.
        computed: The task asks for a count or a sum, which need not stand anywhere.
    """

    answers: tuple[tuple[AnswerValue, ...], ...]
    shown: Holds
    named: Holds
    whole: bool
    computed: bool


def check_answer(
    task_class: TaskClass, reported: Sequence[AnswerValue], witness: Witness, spoken: Spoken = _NOTHING
) -> AnswerCheck:
    """Return how the answers of a report stand against the trace.

    The worst of the reported values counts. Values beside the answer do no harm where the trace shows them or the task
    names them. A report that lacks the trace's own answer contradicts it where it gives another value of its kind
    instead, but for a value that may stand in what is missing from the record. A text that is merely worded otherwise
    contradicts nothing, and one that stands in a clause that asserts something is told by it.

    Args:
        task_class: Only queries are checked; every other class is NOT_ASKED.
        reported: The values that the claim reader found in the report, in order.
        witness: What the trace and the task say.
        spoken: The clauses of the report that assert something.
    """
    if task_class is not TaskClass.QUERY:
        return AnswerCheck.NOT_ASKED
    supported = [value for part in witness.answers for value in part]
    told = _readings(reported, supported, witness)
    telling = [group for group in told if _agrees(group, supported, witness) or not any(map(witness.named, group))]
    if witness.answers:
        return _against_answers(telling, supported, witness, spoken)
    if not telling:
        return AnswerCheck.UNKNOWN
    return _worst(_stand(group, witness) for group in telling)


def _against_answers(
    telling: list[_Readings], supported: list[AnswerValue], witness: Witness, spoken: Spoken
) -> AnswerCheck:
    extras = [group for group in telling if not _agrees(group, supported, witness)]
    unmet = _unmet(telling, extras, witness, spoken)
    if not telling and unmet:
        return AnswerCheck.UNKNOWN
    # Where the answer itself is right, a shown value beside it is context; one that was never shown still counts.
    beside = [stand for group in extras if (stand := _stand(group, witness)) is not AnswerCheck.SHOWN]
    if not unmet:
        counting = (_stand(group, witness) for group in extras if _must_stand_somewhere(group, witness))
        return _worst([AnswerCheck.AGREES, *(stand for stand in counting if stand is not AnswerCheck.SHOWN)])
    rivals = (group for group in extras if any(_rivals(group[0], value) for part in unmet for value in part))
    # What is missing from a record may hold an answer that is nowhere in it.
    if any(witness.whole or any(map(witness.shown, group)) for group in rivals):
        return AnswerCheck.CONTRADICTS
    return _worst([AnswerCheck.UNKNOWN, *beside])


def _unmet(
    telling: list[_Readings], extras: list[_Readings], witness: Witness, spoken: Spoken
) -> list[tuple[AnswerValue, ...]]:
    """Return the parts whose answer the report does not give, neither as a value nor in a clause."""
    unmet = [part for part in witness.answers if not any(_agrees(group, part, witness) for group in telling)]
    # Another text in quotes may be meant as the answer, so that one that merely stands in a clause is none.
    if any(isinstance(group[0], TextValue) and not spoken.is_clause(group[0]) for group in extras):
        return unmet
    told = spoken.tell(witness.shown)
    return [part for part in unmet if not told(part)]


def _stand(group: _Readings, witness: Witness) -> AnswerCheck:
    if isinstance(group[0], YesNoValue | NoneValue):
        return AnswerCheck.UNKNOWN
    if any(map(witness.shown, group)):
        return AnswerCheck.SHOWN
    if witness.whole and _must_stand_somewhere(group, witness):
        return AnswerCheck.ABSENT
    return AnswerCheck.UNKNOWN


def _must_stand_somewhere(group: _Readings, witness: Witness) -> bool:
    """Tell whether a value that is right must have been shown: words can be put otherwise, a sum stands nowhere.

    Over a record with gaps it may have been shown in what is missing: that is open, and not to be passed over.
    """
    return not witness.computed and not isinstance(group[0], TextValue | YesNoValue | NoneValue)


def _readings(reported: Sequence[AnswerValue], supported: Sequence[AnswerValue], witness: Witness) -> list[_Readings]:
    """Group the reported values: an ambiguous date with its other reading, hours and minutes that make a duration."""
    groups: list[_Readings] = []
    for value in reported:
        twin = next((n for n, group in enumerate(groups) if len(group) == 1 and _exchanged(group[0], value)), None)
        if twin is not None:
            groups[twin] = (*groups[twin], value)
        elif groups and (minutes := _duration(groups[-1][0], value)) and _agrees((minutes,), supported, witness):
            groups[-1] = (minutes,)
        else:
            groups.append((value,))
    return groups


def _exchanged(left: AnswerValue, right: AnswerValue) -> bool:
    return (
        isinstance(left, DateValue)
        and isinstance(right, DateValue)
        and (left.month, left.day) == (right.day, right.month)
        and left.month != left.day
    )


def _duration(hours: AnswerValue, minutes: AnswerValue) -> NumberValue | None:
    """Return the minutes of a duration that was told in hours and minutes."""
    if isinstance(hours, NumberValue) and isinstance(minutes, NumberValue) and 0 <= minutes.amount < _MINUTES:
        return NumberValue(hours.amount * Decimal(_MINUTES) + minutes.amount)
    return None


def _rivals(value: AnswerValue, answer: AnswerValue) -> bool:
    """Tell whether a reported value stands where the answer should: of the same kind, or none against something."""
    if isinstance(value, TextValue) or isinstance(answer, TextValue):
        if isinstance(value, TextValue) and isinstance(answer, TextValue) and phone_digits(answer.text):
            return phone_digits(value.text) is not None
        return isinstance(value, NoneValue) or isinstance(answer, NoneValue)
    if isinstance(value, NoneValue) or isinstance(answer, NoneValue):
        return not isinstance(value, YesNoValue)
    return type(value) is type(answer) or (isinstance(value, _AMOUNTS) and isinstance(answer, _AMOUNTS))


def _agrees(group: Iterable[AnswerValue], values: Sequence[AnswerValue], witness: Witness) -> bool:
    return any(same_value(left, right) or _says(left, right, witness) for left in group for right in values)


def _says(told: AnswerValue, answer: AnswerValue, witness: Witness) -> bool:
    """Tell whether a reported text says the answer's text."""
    return isinstance(told, TextValue) and isinstance(answer, TextValue) and says(told.text, answer.text, witness.shown)


def _worst(checks: Iterable[AnswerCheck]) -> AnswerCheck:
    return max(checks, key=_WORST_LAST.index)
