"""What the sorting of conversations promises to every reader of chats, tool calls and spans."""

import string
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.finishing import FINISH
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.turn_split import RESPOND, Conversation, split_turns
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Screenshot


def user(text: str = "", **more: object) -> Turn:
    return replace(Turn(Speaker.USER, "user", text), **more)  # type: ignore[arg-type]


def agent(text: str = "", *calls: Call, **more: object) -> Turn:
    return replace(Turn(Speaker.AGENT, "agent", text, calls=calls), **more)  # type: ignore[arg-type]


def tool(*results: Result) -> Turn:
    return Turn(Speaker.TOOL, "tool", results=results)


def click(name: str = "OK", call_id: str | None = None) -> Call:
    return Call("click", {"element": name}, call_id)


def kinds(told: Conversation) -> list[str]:
    return [step.action.kind for step in told.steps]


def after(told: Conversation, at: int) -> str | None:
    seen = told.steps[at].after
    return None if seen is None else seen.text


def test_task_calls_results_and_report() -> None:
    told = split_turns(
        [
            Turn(Speaker.SYSTEM, "system", "You are helpful."),
            user("Save it."),
            agent("I click.", click("Save", "a")),
            tool(Result("page saved", "a")),
            agent("It is saved."),
        ]
    )
    assert told.task == "Save it."
    assert kinds(told) == ["click", FINISH]
    assert told.steps[0].action.target == "Save"
    assert after(told, 0) == "result: page saved"
    assert told.report == Report("It is saved.")
    assert [one.text for one in told.narration] == ["I click."]
    assert told.ended
    assert not told.gaps
    assert {(one.plane, one.route) for one in told.stripped} == {
        (Plane.TASK, LeakRoute.NONE),
        (Plane.NARRATION, LeakRoute.THOUGHTS),
        (Plane.REPORT, LeakRoute.FINAL_REPORT),
    }


def test_results_find_their_calls_by_id_in_any_order() -> None:
    told = split_turns(
        [user("T"), agent("", click("A", "a"), click("B", "b")), tool(Result("of b", "b"), Result("of a", "a"))]
    )
    assert [after(told, 0), after(told, 1)] == ["result: of a", "result: of b"]


def test_an_id_that_is_used_again_names_the_later_call() -> None:
    told = split_turns(
        [
            user("T"),
            agent("", click("A", "x")),
            tool(Result("first", "x")),
            agent("", click("B", "x")),
            tool(Result("second", "x")),
        ]
    )
    assert [after(told, 0), after(told, 1)] == ["result: first", "result: second"]
    assert not told.gaps


def test_results_without_ids_answer_the_calls_of_the_turn_before_in_order() -> None:
    told = split_turns(
        [
            user("T"),
            agent("", click("never answered")),
            agent("", click("A"), click("B")),
            tool(Result("of a"), Result("of b")),
        ]
    )
    assert [after(told, at) for at in range(3)] == [None, "result: of a", "result: of b"]


def test_one_screen_for_several_actions_of_one_call_is_seen_after_the_last() -> None:
    calls = [Call("click", {"x": 1, "y": 2}, "c"), Call("type", {"text": "hi"}, "c")]
    screen = Screenshot("s.png")
    told = split_turns([user("T"), agent("", *calls), tool(Result(call_id="c", screenshot=screen)), agent("Done.")])
    assert told.steps[0].after is None
    assert told.steps[1].after is not None
    assert told.steps[1].after.screenshot == screen
    assert not told.gaps


def test_a_result_of_a_call_that_is_not_there_is_a_gap_and_its_words_stay_out() -> None:
    """The call that is lost may have been one for notes, which is answered with the notes."""
    lost = Result("noted: all well", "z", screenshot=Screenshot("s.png"))
    told = split_turns([user("T"), agent("", click("A", "a")), tool(Result("ok", "a"), lost)])
    assert after(told, 0) == "result: ok"
    assert told.steps[0].after is not None
    assert told.gaps == (Gap.MISSING_STEPS,)
    told = split_turns([user("T"), tool(lost), agent("", click())])
    assert "well" not in repr(told.steps)
    assert told.steps[0].before is not None
    assert told.steps[0].before.screenshot == Screenshot("s.png")
    assert Gap.MISSING_STEPS in told.gaps


def test_a_result_without_an_id_ahead_of_all_calls_is_seen_before_them() -> None:
    told = split_turns([user("T"), tool(Result("home page")), agent("", click())])
    assert told.steps[0].before is not None
    assert told.steps[0].before.text == "result: home page"
    assert told.gaps == (Gap.MISSING_STEPS, Gap.LOG_CUT_OFF)


def test_a_call_at_the_end_without_an_answer_is_a_log_that_is_cut_off() -> None:
    told = split_turns([user("T"), agent("", click("A", "a")), tool(Result("ok", "a")), agent("", click("B", "b"))])
    assert told.gaps == (Gap.LOG_CUT_OFF,)
    assert told.steps[1].after is None
    assert told.report == Report(None)
    assert not told.ended


def test_a_call_in_the_midst_without_its_answer_is_a_gap() -> None:
    told = split_turns(
        [user("T"), agent("", click("A", "a"), click("B", "b")), tool(Result("ok", "a")), agent("Done.")]
    )
    assert told.gaps == (Gap.UNREADABLE_OBSERVATION,)


def test_actions_in_text_are_answered_by_what_the_user_shows() -> None:
    """Conversations without tools: every later turn of the user is what the environment showed."""
    told = split_turns([user("T"), agent("", click("A")), user("screen 2"), agent("", click("B")), user("screen 3")])
    assert [step.action.executed for step in told.steps] == [True, True]
    assert [after(told, 0), after(told, 1)] == ["user: screen 2", "user: screen 3"]
    assert not told.gaps
    assert told.report == Report(None)


def test_a_picture_beside_the_task_is_seen_before_the_first_step() -> None:
    told = split_turns([user("T", screenshot=Screenshot("1.png")), agent("", click())])
    assert told.task == "T"
    assert told.steps[0].before is not None
    assert told.steps[0].before.screenshot == Screenshot("1.png")
    assert told.steps[0].before.text is None


def test_words_that_the_user_answers_are_a_step_and_no_report() -> None:
    told = split_turns([user("Book it."), agent("Which day?"), user("Monday."), agent("Booked.")])
    assert kinds(told) == [RESPOND, FINISH]
    assert after(told, 0) == "user says: Monday."
    assert told.report == Report("Booked.")


def test_every_line_of_a_user_is_marked_as_such() -> None:
    words = "Great!\n\n  ABC123 is cancelled.\nuser says: page 'Cancelled'"
    told = split_turns([user("Cancel ABC123."), agent("It is cancelled."), user(words), agent("Bye.")])
    lines = (after(told, 0) or "").split("\n")
    assert lines == [
        "user says: Great!",
        "user says: ABC123 is cancelled.",
        "user says: user says: page 'Cancelled'",
    ]


def test_where_tools_answer_words_of_a_user_are_not_what_a_call_led_to() -> None:
    calls = [agent("", click("A", "a")), tool(Result("page A", "a")), agent("", click("B", "b")), user("B worked!")]
    told = split_turns([user("T"), *calls, agent("Done.")])
    assert after(told, 1) == "user says: B worked!"


def test_a_log_that_ends_with_the_user_has_no_report() -> None:
    """A dump of requests lacks the last answer, so the words before it are none about the outcome."""
    turns = [user("Book it."), agent("Which day?"), user("Monday.")]
    told = split_turns(turns)
    assert told.report == Report(None)
    assert kinds(told) == [RESPOND]
    assert not told.ended


def test_what_the_user_says_behind_a_result_stands_before_the_next_step() -> None:
    """So that a result in JSON stays JSON."""
    turns = [user("T"), agent("", click("A", "a")), tool(Result('{"a": 1}', "a")), user("go on")]
    told = split_turns([*turns, agent("", click("B", "b")), tool(Result("ok", "b"))])
    assert after(told, 0) == 'result: {"a": 1}'
    assert told.steps[1].before is not None
    assert told.steps[1].before.text == "user says: go on"
    assert after(split_turns(turns), 0) == 'result: {"a": 1}\nuser says: go on'


def test_a_user_who_ends_the_conversation_leaves_the_agent_its_last_words() -> None:
    told = split_turns([user("Book it."), agent("Booked."), user("Thanks, bye")], user_ends=True)
    assert told.report == Report("Booked.")
    assert kinds(told) == [FINISH]


def test_words_that_nobody_answers_are_narration_and_no_step() -> None:
    told = split_turns([user("T"), agent("First I look."), agent("", click("A", "a")), tool(Result("ok", "a"))])
    assert kinds(told) == ["click"]
    assert [(one.step, one.text) for one in told.narration] == [(1, "First I look.")]


def test_the_last_words_may_stand_in_several_turns() -> None:
    told = split_turns(
        [user("T"), agent("", click("A", "a")), tool(Result("ok", "a")), agent("It failed."), agent("Sorry.")]
    )
    assert told.report == Report("It failed.\n\nSorry.")
    assert kinds(told) == ["click", FINISH]


def test_a_greeting_does_not_hide_the_task() -> None:
    told = split_turns([agent("How can I help?"), user("Cancel my order."), agent("Cancelled.")])
    assert told.task == "Cancel my order."
    assert told.report == Report("Cancelled.")


def test_a_task_that_stands_elsewhere_leaves_the_first_words_of_the_user_an_observation() -> None:
    told = split_turns([user("Hi!"), agent("", click())], task="the brief")
    assert told.task == "the brief"
    assert told.steps[0].before is not None
    assert told.steps[0].before.text == "user says: Hi!"


def test_the_arguments_of_the_call_that_ends_are_the_report() -> None:
    done = Call("done", {"text": "Bought it.", "success": True}, "d")
    told = split_turns(
        [user("T"), agent("", click("A", "a")), tool(Result("ok", "a")), agent("So.", done), tool(Result("x", "d"))]
    )
    assert told.report == Report("Bought it.", DeclaredStatus.SUCCESS)
    assert told.steps[1].action.kind == FINISH
    assert told.steps[1].after is None
    assert not told.gaps


def test_words_beside_a_call_that_ends_and_says_nothing_are_the_report() -> None:
    told = split_turns([user("T"), agent("", click("A")), tool(Result("ok")), agent("All done.", Call("finish", {}))])
    assert told.report == Report("All done.")
    assert not told.narration


def test_what_a_tool_echoes_of_the_end_stays_out() -> None:
    """Submitting tools answer with what was submitted."""
    submit = Call("submit", {"answer": "42 is the answer"}, "s")
    told = split_turns([user("T"), agent("", submit), tool(Result("42 is the answer", "s"))])
    assert told.report.text == "42 is the answer"
    assert "42" not in repr(told.steps)
    assert any(one.route is LeakRoute.ECHO and one.plane is Plane.REPORT for one in told.stripped)


def test_a_form_that_is_submitted_in_the_midst_is_an_action() -> None:
    told = split_turns(
        [
            user("T"),
            agent("", Call("submit", {"form": "#order"}, "s")),
            tool(Result("Order 17 placed", "s")),
            agent("", click("A", "a")),
            tool(Result("ok", "a")),
        ]
    )
    assert after(told, 0) == "result: Order 17 placed"
    assert told.steps[0].action.raw == '{"submit": {"form": "#order"}}'


def test_what_a_tool_for_notes_answers_stays_out_and_its_picture_does_not() -> None:
    think = Call("think", {"thought": "it worked"}, "t")
    shown = Result("noted: it worked", "t", screenshot=Screenshot("s.png"))
    told = split_turns([user("T"), agent("", think), tool(shown), agent("Done.")])
    assert "worked" not in repr(told.steps)
    assert told.steps[0].after is not None
    assert told.steps[0].after.screenshot == Screenshot("s.png")


def test_what_a_user_answers_to_a_tool_that_asks_is_seen() -> None:
    ask = Call("ask_user", {"question": "Which of the colours do you like?"}, "q")
    told = split_turns([user("T"), agent("", ask), tool(Result("Blue", "q")), agent("Done.")])
    assert after(told, 0) == "user says: Blue"
    assert "colours" not in repr(told.steps)
    echo = Result("You asked: Which of the colours do you like?", "q")
    assert "colours" not in repr(split_turns([user("T"), agent("", ask), tool(echo), agent("Done.")]).steps)


def test_a_reply_to_a_message_in_the_midst_is_seen() -> None:
    said = Call("send_msg_to_user", {"text": "Shall I go on with it?"}, "m")
    told = split_turns(
        [user("T"), agent("", said), tool(Result("Yes", "m")), agent("", click("A", "a")), tool(Result("ok", "a"))]
    )
    assert after(told, 0) == "result: Yes"
    assert "Shall" not in repr(told.steps)


def test_a_failed_call_has_its_words_as_error() -> None:
    told = split_turns([user("T"), agent("", click("A", "a")), tool(Result("no such element", "a", failed=True))])
    assert told.steps[0].error == "no such element"
    assert told.steps[0].after is None
    told = split_turns([user("T"), agent("", click("A", "a")), tool(Result("", "a", failed=True))])
    assert told.steps[0].error


def test_words_of_a_model_in_a_result_stay_out() -> None:
    result = Result("the page says all is well", "a", hidden=True, url="http://x.test/")
    told = split_turns([user("T"), agent("", click("A", "a")), tool(result)])
    assert "well" not in repr(told.steps)
    assert told.steps[0].after is not None
    assert told.steps[0].after.url == "http://x.test/"


def test_a_copied_turn_is_narration() -> None:
    told = split_turns([user("T"), user("So far all went well.", copied=True), agent("", click())])
    assert "well" not in repr((told.task, told.steps, told.report))
    assert any(one.route is LeakRoute.ECHO for one in told.stripped)


def test_an_own_flag_by_the_name_of_the_call() -> None:
    told = split_turns([user("T"), agent("", Call("report_infeasible", {"reason": "There is no such shop."}))])
    assert told.report == Report("There is no such shop.", DeclaredStatus.FAILURE)


def test_a_message_without_words_is_a_message() -> None:
    """So that whether the agent found words decides nothing about the steps."""
    told = split_turns([user("T"), agent("", spoke=True), user("go on"), agent("", spoke=True)])
    assert kinds(told) == [RESPOND, FINISH]
    assert told.report == Report(None)
    assert told.ended


def test_many_results_of_one_step_take_time_in_proportion() -> None:
    turns = [user("T"), agent("", click("A", "a")), *[user("x" * 200)] * 50_000]
    assert len(after(split_turns(turns), 0) or "") > 10_000_000


# Properties: over conversations of any shape.

TEXT = st.text(string.ascii_lowercase + " ", max_size=8)
IDS = st.sampled_from(["a", "b", None])
NAMES = st.sampled_from(["click", "type", "think", "ask_user", "done", "submit", "send_msg_to_user", "get_order"])


@st.composite
def conversations(draw: st.DrawFn) -> list[Turn]:
    turns: list[Turn] = []
    for at in range(draw(st.integers(0, 8))):
        speaker = draw(st.sampled_from(list(Speaker)))
        calls, results = (), ()
        if speaker is Speaker.AGENT:
            arguments = st.dictionaries(st.sampled_from(["text", "element", "thought"]), TEXT, max_size=2)
            calls = tuple(draw(st.lists(st.builds(Call, NAMES, arguments, IDS), max_size=2)))
        if speaker in (Speaker.TOOL, Speaker.USER):
            results = tuple(draw(st.lists(st.builds(Result, TEXT, IDS, st.booleans()), max_size=2)))
        text = f"{speaker} {at}" if draw(st.booleans()) else ""
        turns.append(Turn(speaker, f"turns[{at}]", text, "", calls, results, copied=draw(st.integers(0, 9)) == 0))
    return turns


@given(conversations())
@settings(max_examples=300, deadline=None)
def test_steps_are_numbered_and_nothing_is_lost(turns: list[Turn]) -> None:
    told = split_turns(turns)
    assert [step.index for step in told.steps] == list(range(1, len(told.steps) + 1))
    calls = sum(len(turn.calls) for turn in turns if turn.speaker is Speaker.AGENT and not turn.copied)
    assert len([step for step in told.steps if step.action.kind not in (RESPOND, FINISH)]) <= calls
    assert len(told.steps) >= calls
    seen = repr((told.task, told.steps))
    for turn in turns:
        if turn.speaker is Speaker.USER and turn.text and not turn.copied and told.steps:
            assert turn.text in seen
    assert all(1 <= one.step <= max(len(told.steps), 1) for one in told.narration)


@given(conversations())
@settings(max_examples=300, deadline=None)
def test_other_words_of_the_agent_leave_task_and_steps_alone(turns: list[Turn]) -> None:
    def told(turn: Turn, words: str) -> Turn:
        if turn.speaker is not Speaker.AGENT or not turn.text:
            return turn
        return replace(turn, text=words, reasoning=words)

    first, second = (
        split_turns([told(turn, words) for turn in turns]) for words in ("QQQ all done", 'WWW"}]\nAction: FINISH')
    )
    assert (first.task, first.steps, first.gaps) == (second.task, second.steps, second.gaps)
    assert "QQQ" not in repr((first.task, first.steps))


@given(conversations(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_log_that_breaks_off_has_the_steps_of_the_whole_one(turns: list[Turn], user_ends: bool) -> None:
    """What was acted stays the same; only the end may turn from words into a finish."""
    whole = split_turns(turns, user_ends=user_ends)
    acted = [step.action.kind for step in whole.steps if step.action.kind in ("click", "type", "get_order")]
    for end in range(len(turns)):
        part = split_turns(turns[:end], user_ends=user_ends)
        found = [step.action.kind for step in part.steps if step.action.kind in ("click", "type", "get_order")]
        assert found == acted[: len(found)]
