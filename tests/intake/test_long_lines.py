"""No pattern of intake takes longer than its line is long: logs are hostile, and one line may be of any size."""

import importlib
import pkgutil
import re
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tracewitness.intake
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.appagent.response import sort_response
from tracewitness.intake.formats.browser_use.actions import listed_label, sort_result
from tracewitness.intake.reading_files import parse_json

SHORT_LINE, SUSPICIOUS = 1_000, 0.001
"""Every pattern is tried on short lines; one that takes longer than it should on one, on a long line as well."""
LONG = 40_000
SECONDS = 1.0
"""A pattern that tries every part of such a line anew takes many times as long."""
AHEAD = ("", '"', "|", "<", "[1]<a ", "[1]<a b=", "element ", "text(", "tap(1,", "Action: ", "</a")
ONE = ("a", "1", " ", "\t", "\n", ".", "-", "=", "|", '"', "'", "\\", "<", "(", ",", "*", "中", "“", "「")
REPEATED = (*ONE, "a-", "a=", " a=", 'a="', "a='", '\\"', "</a", "[1]<", "text(", "tap(1,", "- ", "*#", "{[")


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    # Readers are loaded with their first log, so each module is named here.
    for module in pkgutil.walk_packages(tracewitness.intake.__path__, "tracewitness.intake."):
        importlib.import_module(module.name)  # noqa: TID251
    for module in sorted(name for name in sys.modules if name.startswith("tracewitness.intake.")):
        for name, value in vars(sys.modules[module]).items():
            for at, one in enumerate(flat(value)):
                yield f"{module}.{name}[{at}]", one


def flat(value: Any) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield cast("re.Pattern[Any]", value)
    elif isinstance(value, tuple):
        for item in cast("tuple[Any, ...]", value):
            yield from flat(item)


PATTERNS = dict(patterns())
# Tried only on lines that end with a bracket, where the first place it tries fits.
GUARDED = {name for name, one in PATTERNS.items() if one.pattern == r"\btext\((.*)\)$"}
# Matched at one place of a text and never searched for.
ANCHORED = {
    name
    for name in PATTERNS
    if name.split(".", 2)[2].startswith(
        (
            "grammars.ui_tars._OPENING",
            "grammars.ui_tars._STRICT",
            "long_texts._WHOLE_STRINGS",
            "report_pages._PAGE",
            "retelling_files.",
        )
    )
}
# Tried only on names of files, which are short.
SHORT = {name for name in PATTERNS if "detect." in name}


def took(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


@pytest.mark.parametrize("name", sorted(PATTERNS.keys() - GUARDED - SHORT - ANCHORED))
def test_a_pattern_is_done_with_a_long_line_at_once(name: str) -> None:
    pattern = PATTERNS[name]

    def seconds(length: int) -> float:
        text: Any = ahead + repeated * (length // len(repeated))
        text = text.encode() if isinstance(pattern.pattern, bytes) else text
        return took(lambda: len(pattern.findall(text)))

    for ahead, repeated in product(AHEAD, REPEATED):
        if seconds(SHORT_LINE) > SUSPICIOUS:
            assert seconds(LONG) < SECONDS, (ahead, repeated)


def parsed(text: str) -> None:
    with pytest.raises(IntakeError):
        parse_json(text, strict=True)


@pytest.mark.parametrize("ahead", AHEAD)
def test_readers_of_long_lines_are_done_at_once(ahead: str) -> None:
    for repeated, ending in product(REPEATED, ("", '>)"')):
        text = ahead + repeated * (LONG // len(repeated)) + ending
        assert took(lambda: listed_label(text, 1)) < SECONDS  # noqa: B023
        assert took(lambda: sort_response(f"Action: {text}")) < SECONDS  # noqa: B023
        assert took(lambda: sort_result("click", {"extracted_content": text})) < SECONDS  # noqa: B023


@pytest.mark.parametrize("tag", ["a-", "a", "a=", "a ", "a=' "])
def test_an_element_with_a_tag_of_any_length_is_named_at_once(tag: str) -> None:
    assert took(lambda: listed_label(f"[1]<a {tag * LONG}>", 1)) < SECONDS


def test_damage_behind_many_escapes_is_placed_at_once() -> None:
    escapes = '\\"' * LONG
    for text in (f'{{"a": "{escapes}\x01"}}', f'{{"a": "{escapes}', f'{{"a": NaN, "b": "{escapes}'):
        assert took(lambda: parsed(text)) < SECONDS  # noqa: B023


def naive(text: str) -> dict[str, str]:
    """The attributes of a tag, by a pattern that says what they are and is slow on long lines."""
    found = re.findall(r"([\w-]+)=(\"[^\"]*\"|'[^']*'|.*?(?=\s[\w-]+=|$))", text)
    return {key: value.strip("\"' ") for key, value in found}


@given(st.lists(st.sampled_from(["a", "aria-label", "title", "=", " ", '"', "'", "Save", "-", "."]), max_size=14))
def test_attributes_are_read_as_the_slow_pattern_reads_them(parts: list[str]) -> None:
    text = "".join(parts)
    named = naive(text)
    wanted = next((named[key] for key in ("aria-label", "title") if named.get(key)), "a")
    assert listed_label(f"[1]<a {text}>", 1) == wanted
