"""What a JSON text would weigh in memory, found out before it is parsed.

A few bytes of JSON stand for many of memory (an empty list takes two of them, and sixty of memory), so a text of
countless lists, objects or values is refused.
"""

import re

from tracewitness.intake.errors import TooLargeError
from tracewitness.intake.limits import MEBIBYTE

MOST_CONTAINERS = 4_000_000
MOST_VALUES = 16_000_000
_LIGHT = 8 * MEBIBYTE
"""A text of fewer characters is not looked at: whatever it holds, it weighs little enough."""

# One that nothing closes goes on to the end, so that no place is tried twice.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)


def refuse_countless(text: str) -> None:
    """Refuse JSON text with more lists, objects or values than memory is granted.

    Raises:
        TooLargeError: It has more.
    """
    if len(text) < _LIGHT or not _has_many(text):
        return
    if _has_many(_STRING.sub("", text)):  # what stands inside strings weighs nothing more
        problem = f"more than {MOST_CONTAINERS} lists and objects, or {MOST_VALUES} values, in one text"
        raise TooLargeError(problem, "split it")


def _has_many(text: str) -> bool:
    return text.count("[") + text.count("{") > MOST_CONTAINERS or text.count(",") > MOST_VALUES
