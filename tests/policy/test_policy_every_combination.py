"""Every combination of the domain, against a second implementation written from the words of design.md."""

from itertools import product

import numpy as np
import numpy.typing as npt
import policy_naive
import pytest
from policy_samples import built_in, evidence_of, trace

from tracewitness.findings.labels import AnswerCheck, Basis, Claim, FieldName, FieldValue, TaskClass, TraceState
from tracewitness.policy.checker import part_decisions
from tracewitness.policy.domain import DISPOSITIONS, FIELDS, INPUT_AXES, VALUES, Record, severity, size
from tracewitness.policy.enumeration import TOTAL, everything
from tracewitness.policy.table import compile_policy
from tracewitness.values.ternary import Ternary

PRIORS = (Ternary.YES, Ternary.UNKNOWN, Ternary.NO)
RECORDS = (Record.WHOLE, Record.GAPS)
FIELD_ORDER = (FieldValue.YES, FieldValue.UNKNOWN, FieldValue.ABSENT, FieldValue.NO)
KINDS = [
    (TraceState.COMPLETED, "none"),
    (TraceState.COMPLETED, "partly"),
    (TraceState.COMPLETED, "wholly"),
    (TraceState.UNKNOWN, "none"),
    (TraceState.NOT_COMPLETED, "none"),
]


def naive_kinds(policy: str) -> npt.NDArray[np.intp]:
    """The kind of every part: class x five fields x prior state x record."""
    kinds = [
        KINDS.index(policy_naive.part_state(policy, task_class, dict(zip(FIELDS, found, strict=True)), prior, record))
        for task_class in TaskClass
        for found in product(FIELD_ORDER, repeat=5)
        for prior in PRIORS
        for record in RECORDS
    ]
    return np.array(kinds).reshape(6, 4, 4, 4, 4, 4, 3, 2)


def naive_severities(policy: str) -> npt.NDArray[np.uint8]:
    """The disposition of every run: class x claim x basis x kind x answer check x record."""
    found = [
        policy_naive.paper(claim, state)
        if policy == "paper"
        else policy_naive.default(task_class, claim, basis, state, standing, check, record)
        for task_class, claim, basis, (state, standing), check, record in product(
            TaskClass, Claim, Basis, KINDS, AnswerCheck, RECORDS
        )
    ]
    order = [disposition.value for disposition in DISPOSITIONS]
    return np.array([order.index(name) for name in found], np.uint8).reshape(6, 3, 4, 5, 6, 2)


@pytest.mark.parametrize("name", ["paper", "default"])
def test_every_combination_is_decided_as_the_words_of_the_design_say(name: str) -> None:
    columns = everything()
    outcomes = compile_policy(built_in(name)).decide_columns(columns)
    kinds = naive_kinds(name)[
        columns.task_class,
        columns.action,
        columns.target,
        columns.transition,
        columns.commitment,
        columns.final_support,
        columns.prior_state,
        columns.record,
    ]
    expected = naive_severities(name)[
        columns.task_class, columns.claim, columns.basis, kinds, columns.answer_check, columns.record
    ]
    assert len(expected) == TOTAL == 6 * 3 * 4 * 4**5 * 3 * 6 * 2
    assert np.array_equal(outcomes.severities, expected)
    assert np.array_equal(outcomes.joints, kinds)


@pytest.mark.parametrize("name", ["paper", "default"])
def test_the_checker_that_explains_agrees_with_the_table_on_every_part(name: str) -> None:
    policy = built_in(name)
    kinds = naive_kinds(name)
    places = product(product(range(4), repeat=5), range(3), range(2))
    for fields, prior, record in places:
        values = (*(FIELD_ORDER[code] for code in fields), FieldValue(PRIORS[prior].value))
        found = trace(evidence_of(values), record=RECORDS[record])
        # One class of each rule is enough here: the rule is all that the checker takes from the class.
        for task_class in (TaskClass.SEND, TaskClass.QUERY, TaskClass.OTHER):
            part = part_decisions(policy, task_class, found, 1)[0]
            expected = KINDS[int(kinds[(list(TaskClass).index(task_class), *fields, prior, record)])]
            assert (part.trace_state, part.standing.value) == expected, (task_class, values, record)


def test_the_domain_holds_every_value_of_the_vocabularies_once() -> None:
    vocabularies = (TaskClass, Claim, Basis, *[FieldValue] * 5, Ternary, AnswerCheck, Record)
    assert [size(axis) for axis in INPUT_AXES] == [len(vocabulary) for vocabulary in vocabularies]
    for axis, vocabulary in zip(INPUT_AXES, vocabularies, strict=True):
        assert set(VALUES[axis]) == set(vocabulary)
    assert [axis.value for axis in INPUT_AXES[3:8]] == [name.value for name in FieldName]
    assert [severity(disposition) for disposition in DISPOSITIONS] == [0, 1, 2]
