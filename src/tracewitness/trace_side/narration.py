"""The agent's own words, where a user admits them: shown after the trace, fenced apart from it, and never a support."""

from collections.abc import Mapping, Sequence

from tracewitness.asking.fences import fence
from tracewitness.trace_side.exhibits import Told
from tracewitness.trace_side.window import TokenCounter
from tracewitness.trace_side.window_blocks import one_line
from tracewitness.values.redaction import redact

_LINE_LIMIT = 600


def redact_narration(narration: Sequence[Told], known: tuple[str, ...]) -> dict[int, str]:
    """Return the agent's own words by step, without secrets; what was told at one step is joined."""
    told: dict[int, str] = {}
    for one in narration:
        words = redact(one.text, known).text
        told[one.step] = f"{told[one.step]}\n{words}" if one.step in told else words
    return told


def narration_block(narration: Mapping[int, str], most_tokens: int, count: TokenCounter) -> str:
    """Return the agent's own words as a block for a model; empty where there are none.

    The latest are kept where not all fit, and how many were left out is said.
    """
    lines = [f"step {step}: {one_line(words, _LINE_LIMIT)}" for step, words in narration.items()]
    kept: list[str] = []
    left = most_tokens
    for text in reversed(lines):
        left -= count(text)
        if left < 0:
            break
        kept.append(text)
    if not lines:
        return ""
    lost = [f"({len(lines) - len(kept)} earlier steps left out)"] if len(kept) < len(lines) else []
    return "told by the agent:\n" + fence("\n".join((*lost, *reversed(kept))), "narration")
