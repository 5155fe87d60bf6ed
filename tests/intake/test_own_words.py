"""Names by which agents end, note and explain, in every spelling and behind any name space; and names that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.intake.calls import Call, action_of, call_of
from tracewitness.intake.finishing import is_finish_like, only_says
from tracewitness.intake.formats.appagent.elements import MIN_DIST, tagged_elements
from tracewitness.intake.machine_words import without_machine_words
from tracewitness.intake.own_words import explains, is_narrating
from tracewitness.intake.planes import LeakRoute
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.ui_dump import Box, Node

ENDING = "finish done answer attempt_completion final_result set_model_response provide_final_answer StructuredOutput"
NOTING = (
    "think write_todos todo_write TodoWrite core_memory_append archival_memory_insert pause_and_memorize_fact "
    "message_notify_user task_tracker scratchpad updateTodoList call_user report_progress"
)
EXPLAINING = "thought thought_process innerThoughts reasoning_summary next_step status_update taskProgress hypothesis"
SPACES = st.sampled_from(["", "functions.", "default_api:", "mcp__agent__", "browser.", "server/"])


@given(SPACES, st.sampled_from(ENDING.split()))
def test_a_name_space_does_not_hide_an_end(space: str, name: str) -> None:
    assert is_finish_like(space + name) and only_says(space + name)


@given(SPACES, st.sampled_from(NOTING.split()))
def test_tools_for_notes_and_for_the_user_are_known(space: str, name: str) -> None:
    assert is_narrating(space + name)


@pytest.mark.parametrize("key", EXPLAINING.split())
def test_arguments_that_explain_are_known(key: str) -> None:
    assert explains(key)


@pytest.mark.parametrize("name", "click create_event send_email device.stop rm media__stop update_reservation".split())
def test_actions_are_no_words(name: str) -> None:
    assert not is_narrating(name) and not only_says(name)


@pytest.mark.parametrize("key", "text title to subject url path command description index coordinate".split())
def test_arguments_that_act_are_kept(key: str) -> None:
    assert not explains(key)


def test_the_words_of_a_hidden_result_are_no_error_either() -> None:
    turns = [
        Turn(Speaker.USER, "m[0]", "Save it."),
        Turn(Speaker.AGENT, "m[1]", calls=(Call("save", {}, "1"),)),
        Turn(Speaker.TOOL, "m[2]", results=(Result("The helper says it is saved.", "1", failed=True, hidden=True),)),
    ]
    (step,) = split_turns(turns).steps
    assert step.error == "the log says that it failed"


CENTRES = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200), st.booleans()), max_size=40)


@given(CENTRES)
def test_tags_are_those_of_comparing_all_with_all(centres: list[tuple[int, int, bool]]) -> None:
    def node(x: int, y: int, clickable: bool) -> Node:
        name = "clickable" if clickable else "focusable"
        return Node({name: "true"}, Box(x - 1, y - 1, x + 1, y + 1))

    nodes = [node(*one) for one in centres]

    def near(one: Node, other: Node) -> bool:
        assert one.box is not None and other.box is not None
        (x, y), (a, b) = one.box.centre, other.box.centre
        return (x - a) ** 2 + (y - b) ** 2 <= MIN_DIST**2

    def spread(some: list[Node]) -> list[Node]:
        kept: list[Node] = []
        for one in some:
            if not any(near(one, other) for other in kept):
                kept.append(one)
        return kept

    clickable = spread([one for one in nodes if "clickable" in one.attributes])
    focusable = spread([one for one in nodes if "focusable" in one.attributes])
    expected = clickable + [one for one in focusable if not any(near(one, other) for other in clickable)]
    assert [one.node for one in tagged_elements(Node({}, None, nodes))] == expected


REMINDER = "<system-reminder>Your todo list: 1. [done] Saved it.</system-reminder>"


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("Save it.", "Save it."),
        (f"Save it.{REMINDER}", "Save it."),
        (f"{REMINDER}Save it.", "Save it."),
        ("<system-reminder>a</system-reminder> I saved it </system-reminder>Save it.", "Save it."),
        ("Save it. <task-notification><result>I saved it.</result>", "Save it. "),
        ("<TEAMMATE-MESSAGE from='x'>Saved.</TEAMMATE-MESSAGE>Save it.", "Save it."),
        ("a < b and <b>bold</b>", "a < b and <b>bold</b>"),
    ],
)
def test_what_a_program_puts_in_between_is_left_out(given_text: str, kept: str) -> None:
    assert without_machine_words(given_text) == kept


@pytest.mark.parametrize(
    "opening",
    [
        "This session is being continued from a previous conversation that ran out of context. It was saved.",
        "Here is a summary of the conversation to date:\n\nThe file was saved.",
        "Another language model started to solve this problem and produced a summary: it is saved.",
    ],
)
def test_a_summary_of_the_past_is_neither_task_nor_evidence(opening: str) -> None:
    call = Turn(Speaker.AGENT, "m[2]", calls=(Call("save", {}, "1"),))
    answer = Turn(Speaker.TOOL, "m[3]", results=(Result("ok", "1"),))
    for turns in (
        [Turn(Speaker.USER, "m[0]", opening), Turn(Speaker.USER, "m[1]", "Save it."), call, answer],
        [Turn(Speaker.USER, "m[1]", "Save it."), call, answer, Turn(Speaker.USER, "m[4]", opening)],
    ):
        told = split_turns(turns)
        assert told.task == "Save it."
        assert "saved" not in repr(told.steps)
        assert any(one.route is LeakRoute.CARRIED_MEMORY for one in told.stripped)


def test_a_reminder_in_a_result_is_left_out() -> None:
    turns = [
        Turn(Speaker.USER, "m[0]", "Save it."),
        Turn(Speaker.AGENT, "m[1]", calls=(Call("save", {}, "1"),)),
        Turn(Speaker.TOOL, "m[2]", results=(Result(f"ok {REMINDER}", "1"),)),
    ]
    (step,) = split_turns(turns).steps
    assert step.after is not None and step.after.text == "result: ok"


@pytest.mark.parametrize(
    ("arguments", "shown", "hidden"),
    [
        ('{"x": 1, "reason": "I saw it."}', "1", "I saw it"),
        ("{'x': 1, 'reason': 'I saw it.'}", "1", "I saw it"),
        ('"{\\"x\\": 1, \\"reason\\": \\"I saw it.\\"}"', "1", "I saw it"),
        ('{"x": 1, "reason": "I saw it.', "click", "I saw it"),
        ("ls -la", "ls -la", "I saw it"),
    ],
)
def test_arguments_that_are_no_json_show_no_explanation(arguments: str, shown: str, hidden: str) -> None:
    action, lost = action_of(call_of("click", arguments))
    assert shown in repr(action) and hidden not in (action.raw or "")
    assert lost or arguments == "ls -la"


@pytest.mark.parametrize("name", ["submit", "terminate", "complete", "stop"])
def test_what_a_refused_end_says_is_no_evidence(name: str) -> None:
    call = call_of(name, {"answer": "It is saved.", "status": "success", "element": "Save"})
    action, lost = action_of(call)
    assert "saved" not in repr(action) and "success" not in repr(action) and action.target == "Save"
    assert {one.key for one in lost} == {"answer", "status"}


@pytest.mark.parametrize("key", ["description", "comment"])
@pytest.mark.parametrize("name", ["click", "tap", "scroll", "Bash", "execute_bash", "run_python"])
def test_what_describes_a_tap_or_a_command_is_the_agents_own_word(name: str, key: str) -> None:
    action, lost = action_of(call_of(name, {"index": 1, key: "The order was placed"}))
    assert "order" not in repr(action)
    assert {one.key for one in lost} == {key}


def test_what_describes_an_entry_is_written_into_it() -> None:
    action, _ = action_of(call_of("create_event", {"title": "Call", "description": "Ring the bank"}))
    assert "Ring the bank" in repr(action)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("python", {"code": "print('The order was placed')\nclick(1)"}),
        ("bash", {"command": "echo 'The order was placed'; ls"}),
        ("evaluate", {"script": "go(); return 'The order was placed'"}),
    ],
)
def test_neither_code_nor_its_output_says_what_the_agent_made_it_say(name: str, arguments: dict[str, str]) -> None:
    turns = [
        Turn(Speaker.USER, "m[0]", "Order it."),
        Turn(Speaker.AGENT, "m[1]", calls=(Call(name, arguments, "1"),)),
        Turn(Speaker.TOOL, "m[2]", results=(Result("The order was placed\na.txt", "1"),)),
    ]
    told = split_turns(turns)
    assert "placed" not in repr(told.steps)
    assert "a.txt" in repr(told.steps)
    assert [one.where for one in told.stripped] == ["m[1].calls[0]." + next(iter(arguments)), "m[2].result"]
