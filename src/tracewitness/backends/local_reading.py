"""What a local model wrote: the answer's object, or why there is none."""

from dataclasses import dataclass
from typing import Any

from tracewitness.asking.port import Unavailable
from tracewitness.backends.answers import Unusable, read_answer
from tracewitness.backends.local_engine import Written
from tracewitness.backends.thinking import without_thinking
from tracewitness.findings.causes import UnavailableCause


@dataclass(frozen=True, slots=True)
class Usable:
    """An answer: its text without what was thought aloud, and its object."""

    raw: str
    value: dict[str, Any]


def read_written(written: Written, schema: str) -> Usable | Unavailable:
    """Read what a model wrote.

    Args:
        written: What it wrote.
        schema: The JSON Schema that the answer has to match, as text.
    """
    if written.stopped:
        return _unavailable(UnavailableCause.TIMEOUT, "no answer within the time allowed for one", written)
    raw = without_thinking(written.text)
    outcome = read_answer(raw, schema)
    if not isinstance(outcome, Unusable):
        return Usable(raw, outcome)
    if written.cut:
        return _unavailable(UnavailableCause.ANSWER_CUT, "the answer was cut off before its end", written)
    return _unavailable(outcome.cause, outcome.detail, written)


def _unavailable(cause: UnavailableCause, detail: str, written: Written) -> Unavailable:
    return Unavailable(cause, detail, written.input_tokens, written.output_tokens, microusd=0)
