"""Chats whose agent writes its actions as text."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import the_run, write_json

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars import autoglm, qwen, webvoyager
from tracewitness.intake.grammars.choosing import chosen, with_grammar
from tracewitness.intake.grammars.grammar import GRAMMARS
from tracewitness.intake.planes import LeakRoute
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.turns import Speaker, Turn
from tracewitness.report_side.report import DeclaredStatus, Report


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ('<answer>do(action="Tap", element=[500,100])</answer>', Call("tap", {"coordinate": [500, 100]})),
        ('do(action="Tap", element=[0,0,10,20])', Call("tap", {"coordinate": [5, 10]})),
        ('<think>a</think><answer>do(action="Type", text="hi")</answer>', Call("type", {"text": "hi"})),
        ('do(action="Type", text="she said "hi"\nthen left")', Call("type", {"text": 'she said "hi"\nthen left'})),
        ('I open it. do(action="Launch", app="Settings")', Call("launch", {"app": "Settings"})),
        ('do(action="Swipe", start=[1,2], end=[3,4])', Call("swipe", {"start_coordinate": [1, 2], "end": [3, 4]})),
        ('do(action="Take_over", message="log in")', Call("ask_user", {"agent_note": "log in"})),
        ('<answer>finish(message="All "done"")</answer>', Call("finish", {"message": 'All "done"'})),
    ],
)
def test_autoglm(text: str, call: Call) -> None:
    parsed = autoglm.parse(text)
    assert parsed is not None
    assert parsed.calls == (call,)


@pytest.mark.parametrize(
    "text", ["", "do", "do(", "do(x)", "done(message=1)", "I do (mostly)", 'do(action=__import__("os"))']
)
def test_no_autoglm(text: str) -> None:
    assert autoglm.parse(text) is None


def test_calls_between_tags() -> None:
    written = '{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [9, 4]}}'
    text = f"<thinking>I tap.</thinking><tool_call>\n{written}\n</tool_call>ok"
    parsed = qwen.parse(text)
    assert parsed is not None
    assert parsed.calls == (Call("click", {"coordinate": [9, 4]}),)
    assert parsed.words == "<thinking>I tap.</thinking>\nok"
    assert qwen.parse("<tool_call>nothing</tool_call>") is None
    assert qwen.parse("words") is None


def test_words_of_the_user_with_the_past_of_the_agent() -> None:
    found = qwen.opening("The user query: Open it\nTask progress (You have done the following): Step 1: I tapped; ")
    assert found is not None
    assert found.task == "Open it"
    assert "I tapped" in found.past
    found = qwen.opening("Please move on.\n\nInstruction: Open it\n\nPrevious actions:\nStep 1: tapped")
    assert found is not None
    assert (found.task, "tapped" in found.past) == ("Open it", True)
    assert qwen.opening("Open it") is None


@pytest.mark.parametrize(
    ("action", "call"),
    [
        ("Click [8]", Call("click", {"label": "8"})),
        ("Type [9]; [Smart Folio]", Call("type", {"label": "9", "text": "Smart Folio"})),
        ("Type [9]; Smart Folio", Call("type", {"label": "9", "text": "Smart Folio"})),
        ("Scroll [WINDOW]; [down]", Call("scroll", {"label": "WINDOW", "direction": "down"})),
        ("Wait", Call("wait", {})),
        ("GoBack", Call("go_back", {})),
        ("Google", Call("google", {})),
        ("ANSWER; [It costs $5.]", Call("answer", {"text": "It costs $5."})),
        ("ANSWER; Click [5] to buy", Call("answer", {"text": "Click [5] to buy"})),
    ],
)
def test_webvoyager(action: str, call: Call) -> None:
    parsed = webvoyager.parse(f"Thought: I see it.\n\nAction: {action}")
    assert parsed is not None
    assert parsed.calls == (call,)
    assert parsed.words == "I see it."


def test_no_webvoyager() -> None:
    assert webvoyager.parse("Action: Click [8]") is None
    assert webvoyager.parse("Thought: I wait.\n\nAction: Jump") is None


def agent(text: str) -> Turn:
    return Turn(Speaker.AGENT, "agent", text)


def test_the_grammar_of_most_turns_counts() -> None:
    tap, tars = '<answer>do(action="Back")</answer>', "Thought: hm\nAction: wait()"
    assert chosen([agent(tap), agent(tap), agent(tars)], GRAMMARS).name == "AutoGLM"  # type: ignore[union-attr]
    assert chosen([agent(tars), agent(tars)], GRAMMARS).name == "UI-TARS"  # type: ignore[union-attr]
    assert chosen([agent("words"), agent("words"), agent(tap)], GRAMMARS) is None
    assert chosen([], GRAMMARS) is None


def test_an_agent_that_calls_tools_is_never_read_by_a_grammar() -> None:
    turns = [Turn(Speaker.AGENT, "agent", "Thought: x\nAction: wait()", calls=(Call("click", {}),))]
    assert with_grammar(turns).turns == turns


def test_words_that_are_no_action_are_thoughts_unless_they_end_the_log() -> None:
    back = '<answer>do(action="Back")</answer>'
    turns = with_grammar([agent(back), agent("hm"), agent(back), agent(back), agent("I give up.")]).turns
    assert (turns[1].text, turns[1].reasoning) == ("", "hm")
    assert turns[4].text == "I give up."


def test_a_run_of_a_phone_agent(tmp_path: Path) -> None:
    def said(action: str) -> dict[str, Any]:
        return {"role": "assistant", "content": f"<think>It worked.</think><answer>{action}</answer>"}

    messages = [
        {"role": "system", "content": "x"},
        {"role": "user", "content": 'Open Wi-Fi\n\n{"current_app": "Home"}'},
        said('do(action="Launch", app="Settings")'),
        {"role": "user", "content": '** Screen Info **\n\n{"current_app": "Settings"}'},
        said('finish(message="Wi-Fi is open.")'),
    ]
    run = the_run(write_json(tmp_path / "context.json", messages))
    assert run.task.instruction == "Open Wi-Fi"
    launch, finish = run.trace.steps
    assert (launch.action.kind, launch.action.target) == ("open_app", "Settings")
    assert launch.before is not None and launch.before.text == '{"current_app": "Home"}'
    assert launch.after is not None and launch.after.text == '{"current_app": "Settings"}'
    assert finish.action.kind == "finish"
    assert run.report.text == "Wi-Fi is open."
    assert "worked" not in repr(run.trace)


def test_a_declared_failure_and_the_past_in_every_prompt(tmp_path: Path) -> None:
    def asked(past: str) -> dict[str, Any]:
        return {"role": "user", "content": f"The user query: Open it\nTask progress (You have done this): {past}"}

    def said(arguments: str) -> dict[str, Any]:
        return {
            "role": "assistant",
            "content": f'<tool_call>{{"name": "mobile_use", "arguments": {arguments}}}</tool_call>',
        }

    messages = [
        asked("None"),
        said('{"action": "click", "coordinate": [1, 2]}'),
        asked("Step 1: I opened it; "),
        said('{"action": "terminate", "status": "failure"}'),
    ]
    run = the_run(write_json(tmp_path / "messages.json", messages))
    assert run.task.instruction == "Open it"
    assert run.report.declared_status is DeclaredStatus.FAILURE
    assert "opened" not in repr((run.task, run.trace))
    assert any(one.route is LeakRoute.ECHO for one in run.stripped)


@pytest.mark.parametrize("action", ["interact", "call_user", "calluser"])
def test_a_question_to_the_user_is_no_action_on_the_screen(action: str) -> None:
    called = json.dumps({"name": "mobile_use", "arguments": {"action": action, "text": "The order was placed"}})
    turns = [
        Turn(Speaker.USER, "m[0]", "Order it"),
        Turn(Speaker.AGENT, "m[1]", f"<tool_call>{called}</tool_call>"),
        Turn(Speaker.AGENT, "m[2]", '<tool_call>{"name": "mobile_use", "arguments": {"action": "wait"}}</tool_call>'),
    ]
    assert "placed" not in repr(split_turns(with_grammar(turns).turns).steps)


REACT = {
    "brackets": ("Thought: I look.\nAction: search[Wi-Fi]", "Thought: It is on.\nAction: finish[Wi-Fi is on.]"),
    "numbered": ("Thought 1: I look.\nAction 1: Search[Wi-Fi]", "Thought 2: Seen.\nAction 2: Finish[Wi-Fi is on.]"),
    "labels": (
        'Thought: I look.\nAction: search\nAction Input: {"query": "Wi-Fi"}\nObservation: It is on already.',
        "Thought: I now know the final answer.\nFinal Answer: Wi-Fi is on.",
    ),
    "plain input": (
        "Thought: I look.\nAction: search\nAction Input: Wi-Fi",
        "Thought: Seen.\nFinal Answer: Wi-Fi is on.",
    ),
    "objects": (
        '{"thought": "I look.", "action": "search", "action_input": {"query": "Wi-Fi"}}',
        '{"thought": "Seen.", "action": "Final Answer", "action_input": "Wi-Fi is on."}',
    ),
    "fences": (
        'I look.\n```json\n{"action": "search", "action_input": "Wi-Fi"}\n```',
        'Seen.\n```\n{"action": "Final Answer", "action_input": "Wi-Fi is on."}\n```',
    ),
}


@pytest.mark.parametrize("form", REACT)
def test_agents_that_reason_and_act_in_text(tmp_path: Path, form: str) -> None:
    first, last = REACT[form]
    messages = [
        {"role": "user", "content": "Is Wi-Fi on?"},
        {"role": "assistant", "content": first},
        {"role": "user", "content": "Observation: switch on"},
        {"role": "assistant", "content": last},
    ]
    run = the_run(write_json(tmp_path / "chat.json", messages))
    looked, ended = run.trace.steps
    assert looked.action.kind.casefold() == "search"
    assert "Wi-Fi" in (looked.action.raw or "")
    assert looked.after is not None and looked.after.text == "switch on"
    assert ended.action.kind == "finish"
    assert run.report == Report("Wi-Fi is on.")
    assert "I look" not in repr(run.trace)
    assert "on already" not in repr(run.trace)


def test_words_that_only_speak_of_actions_are_no_actions(tmp_path: Path) -> None:
    said = [{"role": "assistant", "content": "My next action: look [at it]."}, {"role": "user", "content": "Yes"}]
    messages = [{"role": "user", "content": "Is it on?"}, *said, {"role": "assistant", "content": "It is on."}]
    run = the_run(write_json(tmp_path / "chat.json", messages))
    assert [step.action.kind for step in run.trace.steps] == ["speak", "finish"]
