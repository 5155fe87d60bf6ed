"""The gaps of a record that can be told from its steps alone, the same way for every format."""

from collections.abc import Iterator, Sequence

from tracewitness.findings.causes import Gap
from tracewitness.trace_side.trace import Observation, Step


def known_gaps(steps: Sequence[Step], known: Sequence[Gap] = ()) -> tuple[Gap, ...]:
    """Return the gaps in the order of their definition, each once: those the reader knows and those the steps show.

    MISSING_STEPS where the first index is above 1 or an index is skipped; NO_OBSERVATIONS where no step has one with
    any text, dump, address or picture; SCREENSHOT_ONLY where one has a picture and no words. Whether an observation
    follows the last state-changing action is for the trace side to say.
    """
    found = {*known, *_from_steps(steps)}
    return tuple(gap for gap in Gap if gap in found)


def _from_steps(steps: Sequence[Step]) -> Iterator[Gap]:
    indexes = [step.index for step in steps]
    if indexes and (indexes[0] > 1 or indexes[-1] - indexes[0] != len(indexes) - 1):
        yield Gap.MISSING_STEPS
    seen = [one for step in steps for one in (step.before, step.after) if one is not None]
    if not any(_shows_anything(one) for one in seen):
        yield Gap.NO_OBSERVATIONS
    if any(one.screenshot and one.text is None and one.ui_tree is None for one in seen):
        yield Gap.SCREENSHOT_ONLY


def _shows_anything(seen: Observation) -> bool:
    return bool(seen.text or seen.ui_tree or seen.url or seen.screenshot)
