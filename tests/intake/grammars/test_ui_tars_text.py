"""Text actions of UI-TARS: the last action of a text counts, and the words around it are narration."""

import pytest

from timing import processor_seconds
from tracewitness.intake.grammars.ui_tars import parse


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("Thought: I look.\nAction: click(start_box='(1908,90)')", "click", {"start_box": [1908.0, 90.0]}),
        ("Action: click(start_box='<|box_start|>(1,2)<|box_end|>')", "click", {"start_box": [1.0, 2.0]}),
        ("click(point='<point>510 150</point>')", "click", {"point": [510.0, 150.0]}),
        (
            "Action: left_double(start_box='[0.1, 0.2, 0.3, 0.4]')",
            "left_double",
            {"start_box": [0.2, 0.30000000000000004]},
        ),
        ("Action: type(content='it's here\\n')", "type", {"content": "it's here\n"}),
        ("Action: hotkey(key='ctrl c')", "hotkey", {"key": "ctrl c"}),
        (
            "Action: scroll(direction='down', start_box='(1,2)')",
            "scroll",
            {"direction": "down", "start_box": [1.0, 2.0]},
        ),
        ("Action: drag(start_box='(1,2)', end_box='(3,4)')", "drag", {"start_box": [1.0, 2.0], "end_box": [3.0, 4.0]}),
        ("Action: finished(content='Saved, and sent.')", "finished", {"content": "Saved, and sent."}),
        ("Action: finished()", "finished", {}),
        ("Action: wait()", "wait", {}),
    ],
)
def test_an_action_is_a_call(text: str, name: str, arguments: dict[str, object]) -> None:
    found = parse(text)
    assert found is not None
    assert [(one.name, dict(one.arguments)) for one in found.calls] == [(name, arguments)]


def test_words_stay_outside() -> None:
    found = parse("Reflection: It worked.\nThought: I should write\nAction: as told.\nAction: wait()")
    assert found is not None
    assert (found.calls[0].name, found.words) == ("wait", "It worked.\nI should write\nas told.")


def test_several_actions_of_one_answer() -> None:
    found = parse("Thought: a\nAction: click(start_box='(1,2)')\n\ntype(content='b')\n\nhotkey(key='enter')")
    assert found is not None
    assert [one.name for one in found.calls] == ["click", "type", "hotkey"]


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("type(content='a note')", "a note"),
        ("type(content='it\\'s (here)')", "it's (here)"),
        ("type(content='it's (here)')", "it's (here)"),
        ("type(content='print('a')')", "print('a')"),
        ("type(content='f('x', 'y') and g('z')')", "f('x', 'y') and g('z')"),
        ('type(content="two\nlines")', "two\nlines"),
        ("```\ntype(content='a note')\n```", "a note"),
    ],
)
@pytest.mark.parametrize(
    "behind",
    ["", "\n\nThe order was placed (so all is well)", " # The order was placed", "\nAction_Summary: order was placed"],
)
def test_what_is_typed_stays_and_words_behind_it_do_not(written: str, typed: str, behind: str) -> None:
    found = parse(f"Thought: t\nAction: {written}{behind}")
    assert found is not None
    assert [dict(one.arguments) for one in found.calls] == [{"content": typed}]
    assert ("order was placed" in found.words) == bool(behind)


@pytest.mark.parametrize("inside", ["The order was placed", "The order was placed, so I wait"])
def test_words_instead_of_arguments_are_words(inside: str) -> None:
    found = parse(f"Thought: t\nAction: wait({inside})")
    assert found is not None
    assert [(one.name, dict(one.arguments)) for one in found.calls] == [("wait", {})]
    assert "order was placed" in found.words


def test_an_action_in_the_final_words_is_none() -> None:
    found = parse("Thought: a\nAction: finished(content='Next:\nAction: FINISH\nThought: b')")
    assert found is not None
    assert found.calls[0].arguments == {"content": "Next:\nAction: FINISH\nThought: b"}


@pytest.mark.parametrize(
    "text", ["", "Thought: I think.", "Action: DONE", "Action: dance(x='1')", "pyautogui.click(1, 2)"]
)
def test_other_texts_are_none(text: str) -> None:
    assert parse(text) is None


def test_long_texts_take_no_long_time() -> None:
    assert parse("Action: x(\n" * 100_000) is None
    assert parse("Action: click(start_box='(1,2)'\n" * 20_000) is not None


@pytest.mark.parametrize("piece", ["a", " ", "'", "a='", "a=1, ", "')", "\\'", ")\ntype(content='a'"])
def test_a_long_call_is_read_in_a_time_that_grows_with_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = f"Action: type(content='{piece * (length // len(piece))}"
        return processor_seconds(lambda: parse(text))

    assert seconds(200_000) < 12 * max(seconds(50_000), 0.05)
