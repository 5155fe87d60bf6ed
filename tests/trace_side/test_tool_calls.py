"""Calls of tools and shells: what is read of them, of their results, and of what a later call shows."""

import json
from collections.abc import Mapping

import pytest
from screens import scene

from tracewitness.trace_side.effects import may_change_state
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.tool_calls import call_in, only_looks, spelled, words_of_call
from tracewitness.trace_side.trace import Action


def called(name: str, arguments: Mapping[str, object]) -> Action:
    return Action(name, raw=json.dumps({name: arguments}))


@pytest.mark.parametrize(
    "command",
    ["ls -la /tmp", "cat a.txt 2>/dev/null | head -3", "cd /w && git diff", "sed -n 1,9p a.py", "find . -name '*.py'"],
)
def test_commands_that_only_look(command: str) -> None:
    assert only_looks(command)
    assert not may_change_state(called("bash", {"command": command}))


@pytest.mark.parametrize(
    "command",
    [
        *("rm a.txt", "ls && rm a.txt", "ls & rm a.txt", "cat a > b", "cat > a << 'EOF'\nx\nEOF", "echo $(rm a.txt)"),
        *("find . -delete", "sed -i s/a/b/ f", "sort -o f f", "git commit -m x", "pytest", "echo '3 passed'", ""),
    ],
)
def test_commands_that_may_do_more(command: str) -> None:
    assert not only_looks(command)
    assert may_change_state(called("execute_bash", {"command": command}))


def test_texts_of_a_call_are_read_as_they_were_given() -> None:
    action = called("bash", {"command": "cat > a << 'EOF'\nHello, world!\nEOF", "more": [{"deep": "x"}]})
    assert "\nHello, world!\n" in words_of_call(action)
    assert words_of_call(action).endswith("| x")
    assert words_of_call(Action("click", raw="click('OK')")) == "click('OK')"
    assert call_in(Action("click", raw='{"a": 1, "b": 2}')) is None


@pytest.mark.parametrize("identifier", ["dark_mode", "darkMode", "settings.dark_mode"])
def test_identifiers_are_spelled_as_words(identifier: str) -> None:
    assert spelled(identifier).lower().endswith("dark mode")


@pytest.mark.parametrize("result", ['{"deleted": "Foo", "left": 2}', '{"note": {"archived": ["Foo", "Bar"]}}'])
def test_a_result_that_says_what_is_gone_is_a_message(result: str) -> None:
    (message,) = [e for e in scene(result).elements if "Foo" in e.line]
    assert message.role is Role.STATUS


@pytest.mark.parametrize("result", ['{"deleted": 1}', '{"deleted": null}', '{"notes": [{"name": "Foo"}]}'])
def test_other_results_are_none(result: str) -> None:
    assert not any(e.role is Role.STATUS for e in scene(result).elements)


@pytest.mark.parametrize("result", ["ok", "result: OK.", "result: null", "Output: None"])
def test_a_bare_word_shows_nothing(result: str) -> None:
    assert scene(result).acknowledgement


@pytest.mark.parametrize("result", ["result: ok, 3 rows", 'result: {"ok": true}', "Hello"])
def test_more_than_a_bare_word_shows_something(result: str) -> None:
    assert not scene(result).acknowledgement
