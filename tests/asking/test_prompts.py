import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.asking.fences import fence, fence_mark
from tracewitness.asking.prompts import PromptError, load_prompt, parse_prompt

TEXT = 'id = "claim/1"\nsystem = "Read the report."\nuser = "The report:\\n$report"\n'


@given(st.text(max_size=200), st.sampled_from(["report", "trace"]))
def test_nothing_inside_a_fence_can_close_it(text: str, label: str) -> None:
    fenced = fence(text, label)
    mark = fence_mark(text, label)
    assert mark not in text
    assert fenced.count(mark) == 2
    assert fenced == fence(text, label)


def test_a_fence_that_quotes_another_fence_gets_another_mark() -> None:
    inner = fence("hello", "report")
    assert fence_mark(inner, "report") != fence_mark("hello", "report")


def test_a_placeholder_inside_a_log_is_not_expanded() -> None:
    prompt = parse_prompt(TEXT, "claim.toml")
    assert prompt.fill(report="$report $task") == "The report:\n$report $task"


def test_the_digest_follows_the_file() -> None:
    assert parse_prompt(TEXT, "a").digest == parse_prompt(TEXT, "b").digest
    assert parse_prompt(TEXT + "# note\n", "a").digest != parse_prompt(TEXT, "a").digest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id = ", "not a TOML file"),
        ('id = "a"\nsystem = "b"\n', "expected exactly the texts id, system and user"),
        ('id = "a"\nsystem = "b"\nuser = 3\n', "expected exactly"),
    ],
)
def test_a_prompt_file_out_of_order_is_named(text: str, message: str) -> None:
    with pytest.raises(PromptError, match=message) as caught:
        parse_prompt(text, "claim.toml")
    assert str(caught.value).startswith("claim.toml: ")


def test_a_missing_text_is_named() -> None:
    with pytest.raises(PromptError, match="takes the texts report"):
        parse_prompt(TEXT, "a").fill(trace="x")


def test_a_missing_prompt_file_is_named() -> None:
    with pytest.raises(PromptError, match="no such prompt file"):
        load_prompt("tracewitness.report_side", "nothing.toml")
