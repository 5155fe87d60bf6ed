import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import ANY_TEXT, NASTY, any_of, any_record, sample_record

from tracewitness.findings.decision import Decision
from tracewitness.findings.labels import Claim
from tracewitness.findings.records import ClaimFinding, TraceFinding
from tracewitness.store.codec import CodecError, decode, encode
from tracewitness.store.record import AuditRecord, KeptAnswer, Makers, body_of, record_from
from tracewitness.store.texts import from_stored, to_column, to_stored
from tracewitness.values.answers import AnswerValue, DateValue, MoneyValue, NumberValue
from tracewitness.values.digests import canonical_json


@dataclass(frozen=True, slots=True)
class Boxed:
    """An answer value on its own, and the kinds of fields that no record has yet."""

    value: AnswerValue
    pair: tuple[int, str] = (0, "")
    words: frozenset[str] = frozenset()


def through_text(form: Any) -> Any:
    return json.loads(canonical_json(form))


def exactly(value: object) -> str:
    return repr(value)


@given(st.one_of([any_of(kind) for kind in (TraceFinding, ClaimFinding, Decision, Makers, KeptAnswer)]))
@settings(max_examples=150, deadline=None)
def test_any_finding_comes_back_exactly(value: object) -> None:
    back = decode(type(value), through_text(encode(value)))
    assert back == value
    assert exactly(back) == exactly(value)  # tells 0.0 from -0.0, 1.0 from 1.00 and Digest from str apart


@given(any_record())
@settings(max_examples=60, deadline=None)
def test_any_record_comes_back_exactly_and_keeps_its_id(record: AuditRecord) -> None:
    body = through_text(body_of(record))
    back = record_from(body, record.prose)
    assert back == record
    assert canonical_json(body_of(back)) == canonical_json(body)
    assert back.record_id == record.record_id


@given(any_of(AnswerValue), st.tuples(st.integers(), ANY_TEXT), st.frozensets(ANY_TEXT, max_size=3))
@settings(max_examples=100, deadline=None)
def test_unions_pairs_and_sets_come_back_exactly(value: Any, pair: tuple[int, str], words: frozenset[str]) -> None:
    boxed = Boxed(value, pair, words)
    assert exactly(decode(Boxed, through_text(encode(boxed))).value) == exactly(value)
    assert decode(Boxed, through_text(encode(boxed))) == boxed


def test_a_number_keeps_its_exact_form() -> None:
    form = encode(Boxed(NumberValue(Decimal("1.10"))))
    assert form == {"value": {"type": "NumberValue", "amount": "1.10"}}
    assert str(decode(Boxed, form).value) == str(NumberValue(Decimal("1.10")))


def test_a_field_equal_to_its_default_is_left_out_so_older_records_keep_their_digest() -> None:
    assert encode(DateValue(1, 31)) == {"month": 1, "day": 31}


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"month": 1}, "day: missing"),
        ({"month": 1, "day": 2, "week": 3}, "unknown key 'week'"),
        ({"month": True, "day": 2}, "month: expected int, found True"),
        ({"month": "1", "day": 2}, "month: expected int, found '1'"),
        ({"month": 1, "day": 2, "year": None}, "year: expected to be left out, because it equals the default"),
        ([], "record: expected an object"),
    ],
)
def test_a_form_that_is_not_exact_is_refused_with_its_place(form: Any, problem: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode(DateValue, form)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        {"type": "NumberValue", "amount": "NaN"},
        {"type": "NumberValue", "amount": "1_0"},
        {"type": "NumberValue", "amount": 1},
        {"type": "int", "amount": "1"},
        {"amount": "1"},
        {"type": "TextValue", "text": "x" * 301},
        {"type": "TextValue", "text": {"utf8": "61"}},
        {"type": "MoneyValue", "amount": "1", "currency": "XXX"},
    ],
)
def test_a_wrong_answer_value_is_refused(value: Any) -> None:
    with pytest.raises(CodecError, match="value"):
        decode(Boxed, {"value": value})


def test_a_value_of_a_wrong_type_is_not_written() -> None:
    wrong: Any = "SUCCESS"
    with pytest.raises(CodecError, match="expected a Claim"):
        encode(ClaimFinding(claim=wrong, basis=wrong, causes=(), language=wrong))
    with pytest.raises(CodecError, match="finite"):
        encode(MoneyValue(Decimal("NaN"), wrong))


def test_causes_are_written_by_id_and_labels_by_value() -> None:
    body = body_of(sample_record())
    assert body["claim"] == {"claim": "SUCCESS", "basis": "performed", "causes": ["asserted_done"], "language": "en"}
    assert body["trace"]["parts"][0]["final_support"]["cause"] == "toggled_back"
    assert Claim.SUCCESS.value == body["claim"]["claim"]


def test_time_and_duration_are_not_part_of_the_id_and_all_else_is() -> None:
    record = sample_record()
    assert sample_record(audited_at="2027-01-01T00:00:00Z", seconds=9.0).record_id == record.record_id
    changes: tuple[dict[str, Any], ...] = ({"run_id": "x"}, {"notices": ("x",)}, {"origin_path": "x"}, {"prose": ()})
    for change in changes:
        assert sample_record(**change).record_id != record.record_id


@given(ANY_TEXT, ANY_TEXT)
@settings(max_examples=200, deadline=None)
def test_any_text_can_be_stored_and_no_two_share_a_form(one: str, other: str) -> None:
    stored = to_stored(one)
    assert from_stored(stored) == one
    stored.encode("utf-8")
    assert "\0" not in stored
    assert (to_stored(other) == stored) == (other == one)


def test_a_long_text_is_looked_up_by_a_short_unique_form() -> None:
    long = NASTY * 1000
    assert len(to_column(long)) < 300
    assert to_column(long) != to_column(long + "x")
    assert to_column("run-7") == "run-7"
