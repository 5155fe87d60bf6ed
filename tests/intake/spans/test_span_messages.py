from typing import Any

import pytest

from tracewitness.intake.spans.called import arguments_of, call_in, opened, parsed
from tracewitness.intake.spans.messages import asked, last_words, messages_of
from tracewitness.intake.spans.parts import result_of
from tracewitness.intake.spans.times import iso, nanoseconds
from tracewitness.intake.turns import Speaker

CALL: dict[str, Any] = {"city": "Rome"}


@pytest.mark.parametrize(
    "value",
    [
        "Hello.",
        {"role": "assistant", "content": "Hello."},
        [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}],
        {"messages": [{"type": "human", "content": "Hi."}, {"type": "ai", "content": "Hello."}]},
        {"messages": [[{"lc": 1, "id": ["x", "AIMessage"], "kwargs": {"content": "Hello."}}]]},
        {"choices": [{"message": {"role": "assistant", "content": "Hello."}}]},
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello."}]}}]},
        {"generations": [[{"text": "Hello.", "message": {"type": "AIMessageChunk", "content": "Hello."}}]]},
        {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]}]},
        {"content": {"parts": [{"text": "Hello."}], "role": "model"}, "finish_reason": "STOP"},
        [{"message": {"role": "assistant", "contents": [{"message_content": {"type": "text", "text": "Hello."}}]}}],
        "{'role': 'assistant', 'text': 'Hello.'}",
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hello."}]},
        {"output": "Hello."},
    ],
)
def test_the_last_words_in_every_notation(value: Any) -> None:
    assert last_words(messages_of(value, Speaker.AGENT, "output")) == "Hello."


@pytest.mark.parametrize(
    "value",
    [
        {"type": "function", "id": "1", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}},
        {"name": "weather", "args": CALL, "id": "1", "type": "tool_call"},
        {"type": "tool_use", "id": "1", "name": "weather", "input": CALL},
        {"type": "tool-call", "toolCallId": "1", "toolName": "weather", "input": CALL},
        {"type": "function_call", "call_id": "1", "id": "fc_1", "name": "weather", "arguments": '{"city": "Rome"}'},
        {"tool_call": {"id": "1", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}}},
        {"type": "tool_call", "id": "1", "name": "weather", "arguments": CALL},
        {"function_call": {"name": "weather", "args": CALL, "id": "1"}},
    ],
)
def test_a_call_in_every_notation(value: dict[str, Any]) -> None:
    call = call_in(value)
    assert call is not None
    assert (call.name, dict(call.arguments), call.id) == ("weather", CALL, "1")


def test_a_definition_of_a_tool_is_no_call() -> None:
    assert call_in({"type": "function", "function": {"name": "weather", "description": "Tells the weather."}}) is None
    assert call_in({"type": "function", "function": {"name": "weather", "parameters": {}}}) is None


@pytest.mark.parametrize(
    ("value", "text", "failed"),
    [
        ("sunny", "sunny", False),
        ({"type": "tool", "content": "sunny", "tool_call_id": "1"}, "sunny", False),
        ({"output": {"lc": 1, "kwargs": {"content": "gone", "status": "error"}}}, "gone", True),
        ('{"content": [{"type": "text", "text": "sunny"}], "isError": true}', "sunny", True),
        ({"type": "error-text", "value": "gone"}, "gone", True),
        ({"degrees": 7}, '{"degrees": 7}', False),
        ('{"degrees": 7}', '{"degrees": 7}', False),
        ([1, 2], "[1, 2]", False),
        (None, "", False),
    ],
)
def test_results_in_the_wrappers_of_frameworks(value: Any, text: str, failed: bool) -> None:
    result = result_of(value, "output")
    assert (result.text, result.failed) == (text, failed)


@pytest.mark.parametrize("value", [CALL, '{"city": "Rome"}', "{'city': 'Rome'}", {"input": "{'city': 'Rome'}"}])
def test_arguments_in_every_notation(value: Any) -> None:
    assert arguments_of(value) == CALL


def test_arguments_of_a_traced_function() -> None:
    assert arguments_of({"args": [], "kwargs": CALL}) == CALL
    assert arguments_of({"args": ["x"], "kwargs": {}}) == {"args": ["x"]}


def test_what_the_user_asked() -> None:
    told = "system: Be kind.\nuser: Hello.\nassistant: Hi.\nuser: How are you?"
    messages = messages_of(told, Speaker.USER, "input")
    assert (asked(messages), asked(messages, first=True)) == ("How are you?", "Hello.")
    printed = {"messages": ["role='system' content='Be kind.' name=None", "role='user' content='It\\'s me.' name=None"]}
    assert asked(messages_of(printed, Speaker.USER, "input")) == "It's me."


@pytest.mark.parametrize("record", ['[{"role": "user", "con', '"{\\"messages\\": [', '{"unknown": {"a": 1}}'])
def test_a_damaged_or_unknown_record_is_no_task(record: str) -> None:
    assert asked(messages_of(record, Speaker.USER, "input")) is None


def test_a_task_may_begin_with_a_bracket() -> None:
    assert asked(messages_of("[urgent] Book it.", Speaker.USER, "input")) == "[urgent] Book it."


def test_texts_of_json_in_texts_are_opened() -> None:
    assert opened('"{\\"a\\": \\"[1]\\"}"') == {"a": "[1]"}
    assert opened('"words"') == "words"
    assert opened('"broken') == '"broken'
    assert (opened(""), opened(None)) == (None, None)
    assert parsed("[1, 'x']") == [1, "x"]
    assert parsed("{broken") == "{broken"


@pytest.mark.parametrize(
    "value",
    [
        "1790000000000000000",
        1790000000,
        1790000000000,
        1790000000000000,
        [1790000000, 0],
        "2026-09-21T14:13:20Z",
        "2026-09-21T14:13:20.000000",
    ],
)
def test_points_in_time(value: Any) -> None:
    assert iso(nanoseconds(value)) == "2026-09-21T14:13:20+00:00"


@pytest.mark.parametrize("value", [None, "soon", -1, 10**40, True, [1], {}, "9" * 30])
def test_what_is_no_point_in_time(value: Any) -> None:
    assert nanoseconds(value) is None


def test_endless_nesting_ends() -> None:
    value: Any = "x"
    for _ in range(300):
        value = [{"content": [value]}]
    assert messages_of(value, Speaker.AGENT, "output") is not None
    assert result_of(value, "output").text
