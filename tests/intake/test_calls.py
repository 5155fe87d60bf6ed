"""Calls as actions: what is acted, what is typed, and which words are the agent's own."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.intake.action_kinds import is_known, kind_of
from tracewitness.intake.calls import (
    Call,
    action_of,
    call_of,
    declared_by,
    declared_status,
    final_words,
    own_arguments,
    point_of,
)
from tracewitness.intake.own_words import asks, explained, explains, is_narrating, size_of, without_explanations
from tracewitness.intake.planes import Plane
from tracewitness.report_side.report import DeclaredStatus


@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        ("click", '{"x": 1}', Call("click", {"x": 1})),
        ("computer", {"action": "left_click", "coordinate": [1, 2]}, Call("left_click", {"coordinate": [1, 2]})),
        ("computer", {"action": {"type": "click", "x": 1}}, Call("click", {"x": 1})),
        ("mobile_use", {"action": "type", "text": "a"}, Call("type", {"text": "a"})),
        ("computer", {"coordinate": [1, 2]}, Call("computer", {"coordinate": [1, 2]})),
        ("run", "not json", Call("run", {"input": "not json"})),
        ("run", "", Call("run", {})),
        ("run", None, Call("run", {})),
        ("run", "[1]", Call("run", {"input": [1]})),
        ("run", 5, Call("run", {"input": 5})),
    ],
)
def test_call_of(name: str, arguments: Any, found: Call) -> None:
    assert call_of(name, arguments) == found


def test_action_of_a_click_and_of_typing() -> None:
    action, hidden = action_of(call_of("computer", {"action": "left_click", "coordinate": [10, 20.5]}))
    assert (action.kind, action.target, action.text) == ("click", "(10, 20.5)", None)
    assert action.raw == '{"left_click": {"coordinate": [10, 20.5]}}'
    assert hidden == ()
    action, _ = action_of(call_of("input_text", {"index": 3, "text": "Ana"}))
    assert (action.kind, action.text) == ("type", "Ana")
    action, _ = action_of(call_of("keypress", {"keys": ["CTRL", "A"]}))
    assert (action.kind, action.text) == ("press_key", "CTRL+A")
    action, _ = action_of(call_of("type", {"text": 5}))
    assert action.text == "5"


def test_explanations_are_left_out_wherever_they_stand() -> None:
    call = call_of("click", {"element": "OK", "thought": "it worked", "more": [{"reasoning": "because", "x": 1}]})
    action, hidden = action_of(call)
    assert "worked" not in repr(action)
    assert "because" not in repr(action)
    assert json.loads(action.raw or "") == {"click": {"element": "OK", "more": [{"x": 1}]}}
    assert [(one.key, one.plane) for one in hidden] == [
        ("thought", Plane.NARRATION),
        ("more.0.reasoning", Plane.NARRATION),
    ]


def test_a_call_that_only_says_keeps_nothing() -> None:
    for name, plane in (("think", Plane.NARRATION), ("done", Plane.REPORT), ("TodoWrite", Plane.NARRATION)):
        action, hidden = action_of(call_of(name, {"text": "it worked", "n": 5}))
        assert (action.target, action.text, action.raw) == (None, None, None)
        assert [(one.key, one.plane, one.characters) for one in hidden] == [("text", plane, 9), ("n", plane, 1)]


def test_final_words() -> None:
    assert final_words(Call("done", {"text": "Bought.", "success": True})) == "Bought."
    assert final_words(Call("done", {"success": True})) is None
    assert final_words(Call("done", {})) is None
    assert final_words(Call("finish", {"input": "said"})) == "said"
    assert final_words(Call("done", {"data": {"price": 5}, "success": True})) == '{"data": {"price": 5}}'
    assert final_words(Call("finish", {"answer": "42", "reason": "not verified"})) == "42\n\nnot verified"
    assert final_words(Call("finish", {"message": "Done.", "task_completed": "true"})) == "Done."
    assert final_words(Call("finish", {"message": "Done.", "thought": "hm"})) == "Done."
    assert final_words(Call("finish", {"message": "Done.", "answer": "Done."})) == "Done."


@pytest.mark.parametrize(
    ("arguments", "flag"),
    [
        ({"success": True}, DeclaredStatus.SUCCESS),
        ({"success": False}, DeclaredStatus.FAILURE),
        ({"status": "Infeasible"}, DeclaredStatus.FAILURE),
        ({"task_completed": "partial"}, DeclaredStatus.FAILURE),
        ({"status": "odd"}, None),
        ({"success": 1}, None),
        ({}, None),
    ],
)
def test_declared_status(arguments: dict[str, Any], flag: DeclaredStatus | None) -> None:
    assert declared_status(arguments) is flag


def test_the_flag_in_the_name_of_a_call() -> None:
    assert declared_by(Call("report_infeasible", {})) is DeclaredStatus.FAILURE
    assert declared_by(Call("fail", {})) is DeclaredStatus.FAILURE
    assert declared_by(Call("done", {})) is None
    assert declared_by(Call("fail", {"success": True})) is DeclaredStatus.SUCCESS


def test_points() -> None:
    assert point_of({"coordinate": [1, 2]}) == (1, 2)
    assert point_of({"x": 1, "y": 2}) == (1, 2)
    assert point_of({"x": True, "y": 2}) is None
    assert point_of({"coordinate": "1, 2"}) is None
    assert point_of({}) is None


def test_kinds() -> None:
    assert kind_of("left_click") == "click"
    assert kind_of("clickElementByIndex") == "click"
    assert kind_of("get_order") == "get_order"
    assert is_known("Type")
    assert not is_known("get_order")


def test_own_words() -> None:
    assert is_narrating("update_plan")
    assert not is_narrating("click")
    assert asks("ask_user")
    assert asks("send_msg_to_user")
    assert not asks("think")
    assert explains("next-goal")
    assert not explains("text")
    assert list(explained({"a": {"why": "x"}})) == [("a.why", "x")]
    assert size_of("abc") == 3
    assert size_of({"a": 1}) == 8


def test_endless_nesting_is_borne() -> None:
    value: Any = {"thought": "it worked"}
    for _ in range(3000):
        value = {"a": [value]}
    action, _ = action_of(Call("click", {"element": "OK", "deep": value}))
    assert "worked" not in repr(action)
    assert action.target == "OK"
    assert size_of(value) > 0
    final_words(Call("done", {"data": value}))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "why", "a"]), inner),
    max_leaves=10,
)


@given(st.sampled_from(["click", "type", "done", "think", "computer", "submit"]), VALUES)
@settings(max_examples=300, deadline=None)
def test_no_value_is_too_odd(name: str, arguments: Any) -> None:
    call = call_of(name, arguments)
    action, hidden = action_of(call)
    assert action.kind
    assert action.raw is None or json.loads(action.raw) is not None
    assert all(one.characters >= 0 for one in hidden)
    final_words(call)
    declared_by(call)
    assert not list(explained(without_explanations(arguments)))


@pytest.mark.parametrize("key", ["purpose", "objetivo", "objective", "motivation", "expected_outcome"])
@pytest.mark.parametrize(
    ("name", "hides"),
    [
        ("get_order_details", True),
        ("searchFlights", True),
        ("click", True),
        ("bash", True),
        ("transfer_money", False),
        ("buscar_producto", True),
    ],
)
def test_what_a_look_up_is_for_explains_and_what_a_payment_is_for_does_not(name: str, hides: bool, key: str) -> None:
    kept, lost = own_arguments(Call(name, {"id": "A1", key: "Rent of March, as agreed"}))
    assert (key in kept) is not hides
    assert any(place == key for place, _ in lost) is hides


@pytest.mark.parametrize("name", ["Sleep", "wait", "Tap", "scroll"])
def test_a_message_of_an_action_on_a_screen_is_the_agents(name: str) -> None:
    assert own_arguments(Call(name, {"timeMs": 3, "message": "The order is placed."}))[0] == {"timeMs": 3}


def test_what_a_person_is_sent_stays() -> None:
    assert own_arguments(Call("send_sms", {"to": "Anna", "message": "On my way"}))[1] == []
