from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.auditing.answer_check import Witness, check_answer
from tracewitness.auditing.mentions import Mentions, Shown
from tracewitness.findings.labels import AnswerCheck, Language, TaskClass
from tracewitness.testing import RunBuilder
from tracewitness.values.answers import (
    AnswerValue,
    Currency,
    DateValue,
    MoneyValue,
    NoneValue,
    NumberValue,
    TextValue,
    TimeValue,
)
from tracewitness.values.folding import folded


def number(amount: int | str) -> NumberValue:
    return NumberValue(Decimal(amount))


def check(
    *reported: AnswerValue,
    answers: tuple[AnswerValue, ...] = (),
    shown: tuple[AnswerValue, ...] = (),
    named: tuple[AnswerValue, ...] = (),
    whole: bool = True,
    computed: bool = False,
) -> AnswerCheck:
    parts = (answers,) if answers else ()
    return check_answer(
        TaskClass.QUERY, reported, Witness(parts, shown.__contains__, named.__contains__, whole, computed)
    )


NUMBERS = st.integers(0, 9).map(number)


@given(st.lists(NUMBERS), st.sampled_from([c for c in TaskClass if c is not TaskClass.QUERY]))
def test_only_queries_are_checked(reported: list[AnswerValue], task_class: TaskClass) -> None:
    witness = Witness((), lambda value: False, lambda value: False, True, False)
    assert check_answer(task_class, reported, witness) is AnswerCheck.NOT_ASKED


@given(st.lists(NUMBERS, min_size=1), st.sets(NUMBERS))
def test_a_record_with_gaps_never_makes_a_value_absent(reported: list[AnswerValue], shown: set[AnswerValue]) -> None:
    assert check(*reported, shown=tuple(shown), whole=False) is not AnswerCheck.ABSENT
    assert check(*reported, shown=tuple(shown), computed=True) is not AnswerCheck.ABSENT


@given(st.lists(NUMBERS, min_size=1), st.lists(NUMBERS, max_size=2), st.sets(NUMBERS), st.booleans())
def test_losing_parts_of_a_record_never_makes_a_report_right(
    reported: list[AnswerValue], answers: list[AnswerValue], shown: set[AnswerValue], computed: bool
) -> None:
    right = {AnswerCheck.AGREES, AnswerCheck.SHOWN}
    whole, gaps = (
        check(*reported, answers=tuple(answers), shown=tuple(shown), computed=computed, whole=state)
        for state in (True, False)
    )
    assert whole in right or gaps not in right


@given(NUMBERS, st.lists(NUMBERS))
def test_the_right_answer_agrees_whatever_shown_values_stand_beside_it(
    answer: AnswerValue, more: list[AnswerValue]
) -> None:
    assert check(answer, *more, answers=(answer,), shown=tuple(more)) is AnswerCheck.AGREES


def test_another_value_in_place_of_the_answer_contradicts_even_where_it_was_shown() -> None:
    assert check(number(214), answers=(number(189),), shown=(number(214), number(189))) is AnswerCheck.CONTRADICTS


def test_over_a_record_with_gaps_a_value_that_it_does_not_show_contradicts_nothing() -> None:
    assert check(number(4), answers=(number(3),), shown=(number(3),), whole=False) is AnswerCheck.UNKNOWN
    assert check(number(4), answers=(number(3),), shown=(number(3), number(4)), whole=False) is AnswerCheck.CONTRADICTS


def test_one_invented_value_among_right_ones_is_absent() -> None:
    assert check(number(64), number(59), answers=(number(64),), shown=(number(64),)) is AnswerCheck.ABSENT


def test_a_value_that_the_task_names_is_no_answer() -> None:
    may = DateValue(5, 9)
    assert check(may, number(189), answers=(number(189),), named=(may,)) is AnswerCheck.AGREES
    assert check(may, named=(may,)) is AnswerCheck.UNKNOWN


def test_an_amount_in_another_format_is_the_same_amount() -> None:
    money = MoneyValue(Decimal("14.90"), Currency.EUR)
    assert check(money, answers=(number("14.9"),)) is AnswerCheck.AGREES


def test_an_ambiguous_date_agrees_by_either_reading() -> None:
    assert check(DateValue(4, 3), DateValue(3, 4), answers=(DateValue(3, 4),)) is AnswerCheck.AGREES


def test_hours_and_minutes_agree_with_the_minutes_of_a_duration() -> None:
    assert check(number(2), number(5), answers=(number(125),)) is AnswerCheck.AGREES
    assert check(number(2), number(5), answers=(number(130),)) is AnswerCheck.CONTRADICTS


def test_one_value_of_the_entry_that_answers_is_enough() -> None:
    entry = (TimeValue(8, 0), number(125))
    assert check(number(125), answers=entry) is AnswerCheck.AGREES


def test_none_against_something_contradicts_and_a_wording_does_not() -> None:
    assert check(NoneValue(), answers=(number(3),)) is AnswerCheck.CONTRADICTS
    worded = TextValue(folded("closes at half past one"))
    assert check(worded, answers=(TextValue(folded("13:30")),)) is AnswerCheck.UNKNOWN
    assert check(worded) is AnswerCheck.UNKNOWN


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,240 pcs", number(1240)),
        ("1.240,50 EUR", number("1240.50")),
        ("1’240", number(1240)),
        ("10:00-13:30", TimeValue(13, 30)),
        ("Room ‘Blue Finch’", TextValue(folded("blue finch"))),
    ],
)
def test_a_value_is_found_in_whatever_format_it_stands(text: str, value: AnswerValue) -> None:
    assert Mentions(text, Language.EN).hold(value)


@pytest.mark.parametrize("text", ["12407", "21240", "12:40", ""])
def test_a_part_of_another_number_is_not_the_number(text: str) -> None:
    assert not Mentions(text, Language.EN).hold(number(1240))


def test_what_only_the_agent_typed_was_not_shown() -> None:
    run = (
        RunBuilder()
        .step("open", after="page 'Kite' price 64.00")
        .step("set_cells", raw="set_cells(C2:C3, [64, 59])", after="C2 64 C3 59")
        .build()
    )
    shown = Shown(run.trace, Language.EN)
    assert shown(number(64))
    assert not shown(number(59))
    assert not shown(number(7))
    assert shown(MoneyValue(Decimal("64.00"), Currency.ANY))


def test_what_an_opened_address_leads_to_was_shown() -> None:
    run = RunBuilder().step("open_url", raw="open_url('https://shop.test/orders/4711')", after="Order 4711").build()
    assert Shown(run.trace, Language.EN)(number(4711))
