"""What an expression cannot do without."""

import re

import pytest

from tracewitness.language.expressions import needed_text
from tracewitness.trace_side.interface_words import lexicon

EXPRESSIONS = [entry.pattern.removeprefix("re:") for entry in lexicon().entries if entry.pattern.startswith("re:")]


@pytest.mark.parametrize(
    ("expression", "needed"),
    [
        ("abc", "abc"),
        ("ab?cd", "cd"),
        ("ab{2}c", "a"),
        (r"\bpage \d+ of", "page "),
        ("a[]b]cde", "cde"),
        ("[^]x]yy", "yy"),
        (r"[\]x]yy", "yy"),
        (r"(a(b|c)d)efg?hi", "ef"),
        (r"(?<![^\W_])pdf(?![^\W_])", "pdf"),
        ("(?:a)*b.cd", "cd"),
        ("x|y", ""),
        (r"\.", ""),
        ("", ""),
    ],
)
def test_what_stands_in_every_match_is_told(expression: str, needed: str) -> None:
    assert needed_text(expression) == needed


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize(
    "text", ["page 2 of 12", "1 - 10 of 40", "no items yet", "sending 3", "第 1 页 共 3 页", "a.pdf"]
)
def test_no_match_is_lost(expression: str, text: str) -> None:
    assert re.search(expression, text) is None or needed_text(expression) in text
