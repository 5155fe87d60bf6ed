"""The answer's object within a text, and what was thought aloud around it."""

import json
import time

import pytest
from asking_remote import GOOD, SCHEMA
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.backends.answers import Unusable, read_answer
from tracewitness.backends.thinking import without_thinking
from tracewitness.findings.causes import UnavailableCause

_RAW = json.dumps(GOOD)
_ANY = '{"type":"object"}'


@pytest.mark.parametrize(
    "text",
    [
        _RAW,
        f"```json\n{_RAW}\n```",
        f"Here it is:\n```\n{_RAW}\n```\nAnything else?",
        f"As {{you}} asked: {_RAW} {{}}",
        f"\ufeff {_RAW} trailing",
        f'{_RAW}\n{{"claim": "UNCLEAR"}}',
    ],
)
def test_the_first_object_of_a_text(text: str) -> None:
    assert read_answer(text, SCHEMA) == GOOD


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SUCCESS",
        "[1, 2]",
        '{"claim": "SUCCESS", "claim": "UNCLEAR"}',
        '{"claim": "SUCCESS", "note": {"a": 1, "a": 2}}',
        '{"claim": NaN}',
        '{"claim": -Infinity}',
        '{"claim": "SUCCESS"',
        '{"note": {"claim": "SUCCESS"}, "x": ',
        '{"claim": ' + "9" * 10_000 + "}",
        '{"a":' * 100_000,
    ],
)
def test_what_is_no_object(text: str) -> None:
    answer = read_answer(text, SCHEMA)
    assert isinstance(answer, Unusable)
    assert answer.cause is UnavailableCause.UNPARSABLE


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"claim": "secretive"}', "properties/claim/enum"),
        ("{}", "required"),
        ('{"claim": "SUCCESS", "secretive": 1}', "additionalProperties"),
        ('{"claim": "SUCCESS", "note": ["secretive"]}', "properties/note/type"),
    ],
)
def test_the_wrong_form_is_told_without_the_answers_words(text: str, place: str) -> None:
    answer = read_answer(text, SCHEMA)
    assert isinstance(answer, Unusable)
    assert answer.cause is UnavailableCause.SCHEMA_VIOLATION
    assert answer.detail.endswith(place)
    assert "secretive" not in answer.detail


@pytest.mark.parametrize(
    "text",
    [
        f"<think>I guess {{'claim'}} or {_RAW}</think>\n{_RAW}",
        f'<THINKING>{{"claim": "UNCLEAR"}}</THINKING>{_RAW}',
        f"<reasoning>a</reasoning><think>b</think> {_RAW}",
        f'The schema is {{"claim": "UNCLEAR"}}. So...</think>{_RAW}',
        f'{{"claim": "UNCLEAR"}} no, wait.</think>\n{_RAW}',
        f'```json\n{{"claim": "UNCLEAR"}}\n``` no.</think>\n{_RAW}',
        f'◁think▷{{"claim": "UNCLEAR"}}◁/think▷{_RAW}',
        f'[THINK]{{"claim": "UNCLEAR"}}[/THINK]{_RAW}',
        f'<seed:think>{{"claim": "UNCLEAR"}}</seed:think>{_RAW}',
        '<|channel|>analysis<|message|>{"claim": "UNCLEAR"}<|end|><|start|>assistant'
        f"<|channel|>final<|message|>{_RAW}",
        f"<|channel|>final <|constrain|>json<|message|>{_RAW}<|return|>",
        f"{_RAW} <think>was that right?",
    ],
)
def test_thoughts_are_no_answer(text: str) -> None:
    assert read_answer(without_thinking(text), SCHEMA) == GOOD


@pytest.mark.parametrize(
    "text",
    [
        f"<think>{_RAW}",
        f"\n <thinking>so {_RAW}",
        f"◁think▷{_RAW}",
        f"<|channel|>analysis<|message|>{_RAW}",
        f"<|channel|>commentary<|message|>{_RAW}<|end|>",
    ],
)
def test_a_thought_without_an_end_leaves_no_answer(text: str) -> None:
    assert without_thinking(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        '{"note": "the page said </think> and <think>"}',
        '```json\n{"note": "</reasoning>{}"}\n```',
        '{"note": "<think>"}',
        '{"note": "<|channel|>analysis<|message|>"}',
        '{"note": "</think>',
    ],
)
def test_tags_within_the_answer_are_its_text(text: str) -> None:
    assert without_thinking(text) == text


@given(st.text(alphabet=st.sampled_from('{}":,ab1<>/think|◁▷[]` \n')), st.booleans())
def test_any_text_is_an_object_or_a_cause(text: str, thinks: bool) -> None:
    answer = read_answer(without_thinking(text) if thinks else text, _ANY)
    assert isinstance(answer, dict | Unusable)


@given(st.text(max_size=50))
def test_an_answer_after_a_thought_is_always_found(thought: str) -> None:
    if "</think>" not in thought and "<|channel|>" not in thought:
        assert without_thinking(f"<think>{thought}</think>{_RAW}").endswith(_RAW)


def test_long_texts_take_little_time() -> None:
    started = time.monotonic()
    for text in ("{" * 200_000, '{"' * 100_000, "<think>" * 30_000, "{ " * 100_000, "</think>" * 2_000, "<" * 200_000):
        read_answer(without_thinking(text), _ANY)
    assert time.monotonic() - started < 5
