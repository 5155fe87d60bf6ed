"""The form of an answer: no place for a verdict, citations first, and whatever else comes is no answer."""

import json
import re
from typing import Any

import pytest
from answering import cite, reply, told
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Claim, Disposition, FieldValue, Language, StepPart, TraceState
from tracewitness.trace_side.answer_form import FIELDS, MOST_CITATIONS, VALUES, answer_schema, read_part

SCHEMAS = [answer_schema(asks, narrated) for asks in (False, True) for narrated in (False, True)]


def words_of(schema: Any) -> set[str]:
    """Every text of a schema: keys and values."""
    return set(re.findall(r'"([^"]*)"', json.dumps(schema)))


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_form_has_no_place_for_a_verdict(schema: str) -> None:
    verdicts = {*Disposition, *TraceState, *Claim, FieldValue.ABSENT, "PASS", "FAIL", "verdict", "success"}
    assert words_of(json.loads(schema)) & {str(each) for each in verdicts if str(each) != "UNKNOWN"} == set()


@pytest.mark.parametrize("schema", SCHEMAS)
def test_citations_come_first_then_the_value_then_the_rationale(schema: str) -> None:
    whole = json.loads(schema)
    names = [name for name in whole["properties"] if name in FIELDS]
    assert names == list(FIELDS) == whole["required"][: len(FIELDS)]
    for name in FIELDS:
        field = whole["properties"][name]
        assert list(field["properties"]) == field["required"] == ["citations", "value", "rationale"]
        assert field["properties"]["value"] == {"enum": ["YES", "NO", "UNKNOWN"]}
        cited = field["properties"]["citations"]["items"]
        assert list(cited["properties"]) == cited["required"] == ["step", "part", "quote"]
        assert field["properties"]["citations"]["maxItems"] == MOST_CITATIONS
    if "answer" in whole["properties"]:
        assert list(whole["properties"]["answer"]["properties"]) == ["citations", "values"]
    assert list(whole["properties"])[-1] == "instructions_in_data"


def objects(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The schema of every object, from the outermost in."""
    inner: list[dict[str, Any]] = [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]
    below = [found for each in inner for found in objects(each)]
    return [schema, *below] if "properties" in schema else below


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_object_is_closed_and_all_its_keys_are_asked_for(schema: str) -> None:
    found = objects(json.loads(schema))
    assert len(found) >= 1 + 2 * len(FIELDS)
    for each in found:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


def test_the_agents_own_words_may_be_cited_only_where_they_were_admitted() -> None:
    for asks in (False, True):
        assert "narration" not in words_of(json.loads(answer_schema(asks, False)))
        assert "narration" in words_of(json.loads(answer_schema(asks, True)))
        assert "answer" in json.loads(answer_schema(True, asks))["properties"]


GOOD = reply(["$5"], cite(1, "a"), action=told("YES", cite(1, "a")))


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    whole = json.loads(json.dumps(GOOD))
    place = whole
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return whole


CITED = ["action", "citations", 0]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["action"], ...),
        (["prior_state"], ...),
        (["action"], None),
        (["action"], "YES"),
        (["action", "value"], ...),
        *[(["action", "value"], value) for value in ("ABSENT", "yes", "", None, True, 1, ["YES"], {"YES": 1})],
        (["action", "rationale"], 1),
        (["action", "rationale"], None),
        (["action", "citations"], ...),
        (["action", "citations"], None),
        (["action", "citations"], {}),
        (["action", "citations"], ["step 1"]),
        *[([*CITED, "step"], value) for value in ("1", 1.0, True, None, [1])],
        *[([*CITED, "part"], value) for value in ("url_after", "AFTER", "", None, 1, ["after"])],
        ([*CITED, "quote"], 1),
        ([*CITED, "quote"], None),
        (["answer"], None),
        (["answer", "values"], ...),
        (["answer", "values"], "$5"),
        (["answer", "values"], [5]),
        (["answer", "citations"], None),
    ],
)
def test_an_answer_of_another_form_is_none(path: list[Any], value: Any) -> None:
    assert read_part(GOOD, Language.EN) is not None
    assert read_part(changed(path, value), Language.EN) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
PATHS = st.sampled_from(
    [["action"], ["action", "value"], ["action", "citations"], CITED, [*CITED, "step"], [*CITED, "quote"], ["answer"]]
    + [["answer", "values"], ["instructions_in_data"], ["action", "rationale"]]
)


@settings(max_examples=150)
@given(PATHS, JSON)
def test_whatever_comes_is_read_or_refused_and_never_a_value_of_its_own(path: list[Any], value: Any) -> None:
    read = read_part(changed(path, value), Language.EN)
    if read is not None:
        assert list(read.fields) == list(FIELDS)
        assert {field.value for field in read.fields.values()} <= set(VALUES)
        assert read.instructions is (path == ["instructions_in_data"] and value is True)


def test_values_quotes_and_rationales_are_kept_within_bounds() -> None:
    long = "x" * 2000
    read = read_part(
        reply([long] * 90, cite(1, long), action=told("YES", cite(1, long), why=f"a \n\t b {long}")), Language.EN
    )
    assert read is not None
    action = read.fields["action"]
    form = json.loads(answer_schema(False, False))["properties"]["action"]["properties"]
    assert len(action.citations[0].quote) == form["citations"]["items"]["properties"]["quote"]["maxLength"]
    assert len(action.rationale) == form["rationale"]["maxLength"]
    assert action.rationale.startswith("a b x")
    assert len(read.answer.texts) == 20


@pytest.mark.parametrize(
    ("quote", "read"),
    [
        ("| row 'a'", "row 'a'"),
        ("  |   row 'a'\n  | row 'b'", "row 'a' row 'b'"),
        ("row 'a | b'", "row 'a | b'"),
        ("|", ""),
        (" \n ", ""),
    ],
)
def test_the_mark_of_a_page_is_no_part_of_a_quote(quote: str, read: str) -> None:
    found = read_part(reply(action=told("YES", cite(1, quote))), Language.EN)
    assert found is not None
    (pointed,) = found.fields["action"].citations
    assert (pointed.quote, pointed.part) == (read, StepPart.AFTER)
