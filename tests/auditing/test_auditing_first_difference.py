"""Where two values differ is said in words that can be looked up, without the values."""

from typing import Any

import pytest

from tracewitness.auditing.first_difference import first_difference

STEP = {"index": 3, "action": {"kind": "click", "raw": "tap(1)"}}


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ({"a": 1}, {"a": 1}, ""),
        ({"task": {"instruction": "x"}}, {"task": {"instruction": "y"}}, "task, instruction"),
        ({"steps": [STEP]}, {"steps": [{**STEP, "action": {"kind": "click", "raw": "SECRET"}}]}, "step 3, action, raw"),
        ({"steps": [STEP]}, {"steps": [STEP, STEP]}, "step 2 (1 before the change, 2 after it)"),
        ({"steps": [STEP]}, {"steps": [{**STEP, "error": "no"}]}, "step 3, error (only after the change)"),
        ({"gaps": ["a"]}, {}, "gaps (only before the change)"),
        ("one\ntwo", "one\nSECRET", "line 2"),
        ("one", "two", "the value"),
        ({"declared_status": "success"}, {"declared_status": None}, "declared status"),
        ({"a": {"b" * 500: 1}}, {"a": {"b" * 500: 2}}, None),
    ],
)
def test_the_first_difference_is_named(before: Any, after: Any, place: str | None) -> None:
    told = first_difference(before, after)
    assert "SECRET" not in told
    assert len(told) <= 120
    if place is not None:
        assert told == place
