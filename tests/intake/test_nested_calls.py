"""Calls that carry calls, and answers that quote a call or hold a record of what was said."""

import json
import time
from typing import Any

import pytest

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import UNREADABLE, Call, action_of
from tracewitness.intake.histories import answer_in, is_message, recorded, without_records
from tracewitness.intake.nested_calls import told_beside, unfolded
from tracewitness.intake.quoting import without_quotes, without_refused_arguments, worth_quoting
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.turns import Result, Speaker, Turn

SAID = "I have placed the order already."
CLICK = {"recipient_name": "functions.click", "parameters": {"element": "OK"}}
DONE = {"recipient_name": "functions.done", "parameters": {"text": SAID}}


def parallel(*uses: dict[str, Any]) -> Call:
    return Call("multi_tool_use.parallel", {"tool_uses": list(uses)}, "1")


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (parallel(CLICK, DONE), ["click", "done"]),
        (parallel({"recipient_name": "x.parallel", "parameters": {"tool_uses": [CLICK, DONE]}}), ["click", "done"]),
        (Call("batch", {"tool_calls": [{"tool": "look", "parameters": {}}]}), ["look"]),
        (Call("batch", {"invocations": [{"name": "look", "arguments": '{"a": 1}'}]}), ["look"]),
        (Call("any", {"tool_calls": [{"function": {"name": "look", "arguments": "{}"}}]}), ["look"]),
        (Call("AgentOutput", {"action": [{"click": {"index": 1}}, {"done": {"text": SAID}}]}), ["click", "done"]),
        (Call("act", {"memory": SAID, "action": [{"click": {"index": 1}, "done": None}]}), ["click"]),
        (Call("use_mcp_tool", {"server_name": "s", "tool_name": "done", "arguments": {"text": SAID}}), ["done"]),
        (Call("make_workflow", {"actions": [{"name": "send", "parameters": {}}]}), ["make_workflow"]),
        (Call("batch_update", {"requests": [{"insert": {"text": "x"}}]}), ["batch_update"]),
        (Call("drag", {"action": [{"move": {"x": 1}}, "up"], "thought": SAID}), ["drag"]),
        (Call("parallel", {"tool_uses": []}), ["parallel"]),
        (Call("call_tool", {"tool_name": "look", "arguments": {}, "amount": 5}), ["call_tool"]),
    ],
)
def test_calls_within_a_call_are_calls(call: Call, names: list[str]) -> None:
    found = list(unfolded([call]))
    assert [one.name for one in found] == names
    assert {one.id for one in found} == {call.id}


def test_what_is_nested_without_end_is_a_call_whose_arguments_are_hidden() -> None:
    call = parallel(DONE)
    for _ in range(50):
        call = parallel({"recipient_name": "functions.parallel", "parameters": dict(call.arguments)})
    (one,) = unfolded([call])
    assert set(one.arguments) == {UNREADABLE}
    action, hidden = action_of(one)
    assert SAID not in repr(action) and hidden


def test_many_calls_in_one_take_time_in_proportion() -> None:
    started = time.perf_counter()
    told = split_turns([Turn(Speaker.USER, "u", "T"), Turn(Speaker.AGENT, "a", calls=(parallel(*[CLICK] * 20_000),))])
    assert time.perf_counter() - started < 10
    assert len(told.steps) == 20_000


def test_many_explanations_take_time_in_proportion() -> None:
    said = [{"recipient_name": "click", "parameters": {"x": at, "reason": f"{SAID} {at}"}} for at in range(20_000)]
    calls = tuple(Call("click", {"x": at, "reason": f"{SAID} {at}"}, "1") for at in range(20_000))
    started = time.perf_counter()
    for turn in (Turn(Speaker.AGENT, "a", calls=(parallel(*said),)), Turn(Speaker.AGENT, "a", calls=calls)):
        told = split_turns([Turn(Speaker.USER, "u", "T"), turn, Turn(Speaker.TOOL, "t", results=(Result(SAID, "1"),))])
        assert SAID not in repr(told.steps)
        assert Gap.UNREADABLE_OBSERVATION in told.gaps
    assert time.perf_counter() - started < 20


def test_an_end_within_a_call_is_the_report_and_the_answer_is_that_of_the_act() -> None:
    schema = Call("AgentOutput", {"memory": SAID, "action": [{"click": {"index": 1}}, {"done": {"text": "Bought."}}]})
    turns = [Turn(Speaker.USER, "u", "T"), Turn(Speaker.AGENT, "a", calls=(schema,))]
    told = split_turns([*turns, Turn(Speaker.TOOL, "t", results=(Result("page 2 (Bought.)"),))])
    assert [step.action.kind for step in told.steps] == ["click", "finish"]
    assert told.report.text == "Bought."
    assert SAID not in repr(told.steps)
    assert [key for key, _ in told_beside(schema)] == ["memory"]
    assert any(one.where.endswith("calls[0].memory") for one in told.stripped)


def test_one_answer_to_several_calls_is_that_of_those_that_act_without_what_the_others_said() -> None:
    note = {"recipient_name": "functions.note", "parameters": {"text": SAID}}
    turns = [Turn(Speaker.USER, "u", "T"), Turn(Speaker.AGENT, "a", calls=(parallel(CLICK, note),))]
    told = split_turns([*turns, Turn(Speaker.TOOL, "t", results=(Result(f"clicked; noted: {SAID}", "1"),))])
    assert told.steps[0].after is not None and told.steps[0].after.text == "result: clicked; noted:"


def test_an_id_that_two_calls_of_one_turn_share_shows_no_echo_of_the_note() -> None:
    calls = (Call("click", {"element": "OK"}, "1"), Call("think", {"thought": SAID}, "1"))
    for answers in ((Result("clicked", "1"), Result("thought about it", "1")), (Result(SAID, "1"), Result("ok", "1"))):
        told = split_turns(
            [
                Turn(Speaker.USER, "u", "T"),
                Turn(Speaker.AGENT, "a", calls=calls),
                Turn(Speaker.TOOL, "t", results=answers),
            ]
        )
        assert SAID not in repr(told.steps) and "about" not in repr(told.steps)


def test_an_answer_ahead_of_its_call_is_brought_to_it() -> None:
    turns = [
        Turn(Speaker.USER, "u", "T"),
        Turn(Speaker.TOOL, "t", results=(Result("clicked", "1"),)),
        Turn(Speaker.AGENT, "a", calls=(Call("click", {"element": "OK"}, "1"),)),
    ]
    (step,) = split_turns(turns).steps
    assert step.after is not None and step.after.text == "result: clicked"
    (note,) = split_turns([*turns[:2], Turn(Speaker.AGENT, "a", calls=(Call("think", {"thought": "x"}, "1"),))]).steps
    assert note.after is None


# Records of what was said, in arguments and in answers.

AI = {"type": "ai", "content": SAID}
OWN = {"type": "tool", "content": "page 2", "tool_call_id": "1"}
SERIALISED = {"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": SAID}}


@pytest.mark.parametrize(
    "held", [AI, SERIALISED, {"role": "assistant", "content": SAID}, {"role": "model", "parts": []}]
)
def test_messages_among_arguments_are_no_act(held: dict[str, Any]) -> None:
    assert is_message(held)
    for arguments in (
        {"x": 1, "state": {"messages": [held]}},
        {"x": 1, "more": [{"deep": held}]},
        {"x": 1, "runtime": {"state": {"messages": [held], "plan": SAID}}},
    ):
        action, hidden = action_of(Call("click", arguments))
        assert SAID not in repr(action) and hidden
        assert '"x": 1' in (action.raw or "")


@pytest.mark.parametrize(
    "arguments",
    [
        {"state": "on"},
        {"state": {"power": "on"}},
        {"config": {"theme": "dark"}},
        {"messages": [{"sender": "bob", "text": "hi"}]},
        {"user": {"role": "admin", "name": "x"}},
        {"note": {"type": "system", "content": "kept"}, "kind": 1},
    ],
)
def test_what_an_app_calls_state_or_messages_is_kept(arguments: dict[str, Any]) -> None:
    assert not list(recorded(arguments)) and without_records(arguments) == arguments


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (json.dumps({"update": {"messages": [OWN, AI], "todos": [SAID]}, "goto": "x"}), "page 2"),
        (json.dumps({"update": {"messages": [AI]}}), ""),
        (json.dumps([AI, {"hit": "page 2"}]), '[{"hit": "page 2"}]'),
        (json.dumps(AI), ""),
        (json.dumps(OWN), "page 2"),
        (f"Command(update={{'messages': [AIMessage(content='{SAID}', id='1'), 'page 2']}})", "page 2"),
        ('{"content": "page 2", "a":  1}', '{"content": "page 2", "a":  1}'),
        ("no JSON {'content'", "no JSON {'content'"),
    ],
)
def test_messages_in_an_answer_are_no_evidence(text: str, kept: str) -> None:
    assert SAID not in answer_in(text)
    assert kept in answer_in(text) if kept == "page 2" else answer_in(text) == kept


# Quotes.


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            f"1 validation error for click\n [input_value={{'reason': '{SAID}'}}, input_type=dict] x",
            "input_type=dict] x",
        ),
        (f"Error invoking tool 'click' with kwargs {{'reason': '{SAID}'}} with error: id is missing", "id is missing"),
        (
            f"Error parsing the following tool call arguments:\n\n{{'r': '{SAID}'\n\nError details: x",
            "Error details: x",
        ),
        (f"1 validation error: input_value={SAID}", "input_value="),
    ],
)
def test_an_error_shows_no_arguments(text: str, kept: str) -> None:
    found = without_refused_arguments(text, failed=False)
    assert SAID not in found and found.endswith(kept)


def test_what_a_program_of_the_environment_prints_is_left_alone() -> None:
    text = "FAILED test_x: assert input_value=5, input_type=int"
    assert without_refused_arguments(text, failed=False) == text


@pytest.mark.parametrize("form", ["{}", "{!r}", "<{}>", "said: {}."])
def test_an_answer_loses_the_words_of_its_call_and_nothing_else(form: str) -> None:
    said = worth_quoting([SAID, "short"], ["typed"])
    assert without_quotes(form.format(SAID), said) == form.format(SAID).replace(SAID, "")
    assert without_quotes("short page of the environment", said) == "short page of the environment"
    for written in (json.dumps("a\n" + SAID), repr("a\n" + SAID), json.dumps("ä" + SAID)):
        assert SAID not in without_quotes(written, worth_quoting(["a\n" + SAID, "ä" + SAID, SAID], ()))


def test_what_was_typed_as_well_is_evidence() -> None:
    call = Call("fill", {"selector": "#q", "value": SAID, "reason": SAID}, "1")
    turns = [Turn(Speaker.USER, "u", "T"), Turn(Speaker.AGENT, "a", calls=(call,))]
    told = split_turns([*turns, Turn(Speaker.TOOL, "t", results=(Result(f"field shows {SAID}", "1"),))])
    assert told.steps[0].after is not None and SAID in (told.steps[0].after.text or "")


def test_a_program_that_quotes_what_it_cannot_read_shows_none_of_it() -> None:
    turns = [
        Turn(Speaker.USER, "u", "T"),
        Turn(Speaker.AGENT, "a", SAID),
        Turn(Speaker.USER, "u", f"No tool in: {SAID}"),
    ]
    told = split_turns([*turns, Turn(Speaker.AGENT, "a", "Bye.")])
    assert SAID not in repr(told.steps) and "No tool in" in repr(told.steps)


def test_hostile_answers_are_read_at_once() -> None:
    started = time.perf_counter()
    without_refused_arguments("validation error " + "input_value=" * 300_000, failed=True)
    answer_in("AIMessage(content='" * 100_000)
    answer_in("[" * 200_000 + '"content"')
    without_quotes("x" * 1_000_000, worth_quoting([f"{at} {SAID}" for at in range(50)], ()))
    assert without_quotes(SAID, tuple(f"{at} {SAID}" for at in range(100))) == ""
    assert time.perf_counter() - started < 10
