"""Grounding: whether what a citation says stands in the trace."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldValue, StepPart
from tracewitness.findings.records import Citation, FieldFinding
from tracewitness.trace_side.scenes import read_scene
from tracewitness.trace_side.trace import Observation, Step, Trace
from tracewitness.trace_side.window_blocks import element_line, error_line, head_line, url_line
from tracewitness.values.digests import Digest
from tracewitness.values.folding import fold_spaces

_NO_NARRATION: Mapping[int, str] = {}


class Ungrounded(StrEnum):
    """Why a citation does not hold."""

    NO_SUCH_STEP = "no_such_step"
    NO_SUCH_PART = "no_such_part"
    QUOTE_NOT_FOUND = "quote_not_found"
    QUOTE_MISSING = "quote_missing"


_UNTOLD = Ungrounded.QUOTE_NOT_FOUND


def ground(
    trace: Trace, citation: Citation, quote: str | None = None, narration: Mapping[int, str] = _NO_NARRATION
) -> Ungrounded | None:
    """Return why a citation does not hold, or None where it holds.

    The step must exist, the cited part must be recorded, and the quote, if there is one, must occur in that part: for
    an action in its kind, target, text or raw form; for an observation in its text, UI tree, URL or the one-line
    renderings of its elements; for an error in the error; for each of them in its lines of a window. Compared after
    NFKC with white space folded, case kept. A screen with a picture may be cited without a quote; the agent's own words
    must be quoted.

    Args:
        trace: The trace.
        citation: The citation. Its step is an index as in the source.
        quote: The quoted text behind ``citation.quote``; None where nothing is quoted.
        narration: The agent's own words by step, where they were admitted.
    """
    step = _step_at(trace, citation.step)
    if step is None:
        return Ungrounded.NO_SUCH_STEP
    if citation.part is StepPart.NARRATION:
        told = _folded(quote or "")
        return None if told and told in _folded(narration.get(step.index, "")) else _UNTOLD
    if quote is None and citation.quote is None and _is_pictured(step, citation.part):
        return None
    texts = _texts_of(step, citation.part)
    if not any(text.strip() for text in texts):
        return Ungrounded.NO_SUCH_PART
    if quote is None:
        return Ungrounded.QUOTE_MISSING if citation.quote is not None else None
    wanted = _folded(quote)
    if not wanted:
        return Ungrounded.QUOTE_MISSING
    if any(wanted in _folded(text) for text in texts) or wanted in _rendered(step, citation.part):
        return None
    return Ungrounded.QUOTE_NOT_FOUND


def ground_field(
    trace: Trace,
    finding: FieldFinding,
    prose: Mapping[Digest, str],
    narration: Mapping[int, str] = _NO_NARRATION,
) -> FieldFinding:
    """Return a field finding as it is where all its citations hold, else degraded to UNKNOWN with cause UNGROUNDED.

    The citations are kept either way, so that a person sees which one failed.

    Args:
        trace: The trace.
        finding: The finding.
        prose: Quoted texts by digest.
        narration: The agent's own words by step, where they were admitted.
    """
    for citation in finding.citations:
        quote = None if citation.quote is None else prose.get(citation.quote)
        if ground(trace, citation, quote, narration) is not None:
            return degrade(finding)
    return finding


def degrade(finding: FieldFinding) -> FieldFinding:
    """Return a finding as UNKNOWN with cause UNGROUNDED, its citations kept."""
    return replace(finding, value=FieldValue.UNKNOWN, cause=EvidenceCause.UNGROUNDED)


def _step_at(trace: Trace, index: int) -> Step | None:
    place = bisect_left(trace.steps, index, key=lambda step: step.index)
    found = place < len(trace.steps) and trace.steps[place].index == index
    return trace.steps[place] if found else None


def _texts_of(step: Step, part: StepPart) -> tuple[str, ...]:
    if part is StepPart.ACTION:
        action = step.action
        return (action.kind, action.target or "", action.text or "", action.raw or "", head_line(step.index, action))
    if part is StepPart.ERROR:
        return (step.error, error_line(step.error)) if step.error else ()
    observation = step.before if part in {StepPart.BEFORE, StepPart.URL_BEFORE} else step.after
    if observation is None:
        return ()
    if part in {StepPart.URL_BEFORE, StepPart.URL_AFTER}:
        return (observation.url or "",)
    return _shown(observation)


def _is_pictured(step: Step, part: StepPart) -> bool:
    """Return whether a part is a screen with a picture: a picture has no words to quote."""
    shown = {StepPart.BEFORE: step.before, StepPart.AFTER: step.after}.get(part)
    return shown is not None and shown.screenshot is not None and shown.screenshot.digest is not None


def _shown(observation: Observation) -> tuple[str, ...]:
    return (observation.text or "", observation.ui_tree or "", observation.url or "")


def _rendered(step: Step, part: StepPart) -> str:
    if part not in {StepPart.BEFORE, StepPart.AFTER}:
        return ""
    scene = read_scene(step, part)
    if scene is None:
        return ""
    whole = [element.line for element in scene.elements]
    written = [element_line(element) for element in scene.elements]
    address = [url_line(scene.url)] if scene.url else []
    return _folded("\n".join((*whole, *address, *(written if written != whole else ()))))


@lru_cache(maxsize=512)
def _folded(text: str) -> str:
    return " ".join(text.split()) if text.isascii() else fold_spaces(text)
