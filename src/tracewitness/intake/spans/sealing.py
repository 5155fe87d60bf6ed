"""The sealed run of a trace of spans."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.finishing import bare
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.spans.sorting import told_by
from tracewitness.intake.spans.span import Span
from tracewitness.intake.spans.telling import called_in
from tracewitness.intake.spans.tree import Tree, with_called_tools
from tracewitness.intake.turn_split import split_turns

_OUTPUT_TOOLS = frozenset({bare("final_result")})
"""Tools by which a framework has the model hand over its answer, beside the known kinds."""
_LIMIT = re.compile(r"recursion ?limit|graphrecursion|max(imum)?[ _]?(turns|steps|iterations)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Traced:
    """A trace as a log holds it.

    Attributes:
        run_id: Its id.
        spans: Its spans.
        asked: The input of the whole trace, where it stands apart from the spans.
        answered: The output of the whole trace, where it stands apart from the spans.
        where: The place of these two.
        task: The instruction from a file beside the log.
        stripped: What the reader kept from the trace side besides.
        gaps: What the reader knows to be missing.
        lost: What of the file itself is missing: its end, or parts in its midst.
        notices: What a person should know.
    """

    run_id: str
    spans: tuple[Span, ...]
    asked: object = None
    answered: object = None
    where: str = "trace"
    task: str | None = None
    stripped: tuple[Stripped, ...] = ()
    gaps: tuple[Gap, ...] = ()
    lost: tuple[Gap, ...] = ()
    notices: tuple[str, ...] = ()


def seal_trace(traced: Traced, origin: Origin, options: ReadOptions) -> SealedRun:
    """Return the run of a trace.

    Raises:
        BadRunError: It holds no words of an agent, or more steps than are read.
        NoTaskError: Nobody says what the task was.
    """
    tree = Tree.of(with_called_tools(traced.spans, called_in(Tree.of(traced.spans))))
    kinds = options.finish_kinds | _OUTPUT_TOOLS
    told = told_by(tree, kinds, asked=traced.asked, answered=traced.answered, where=traced.where, lost=traced.lost)
    instruction = told.task or traced.task
    split = split_turns(told.turns, task=instruction or "", finish_kinds=kinds)
    if told.final is not None:
        split.report = replace(split.report, text=told.final)
    return seal_conversation(
        split,
        traced.run_id,
        origin,
        options,
        task=instruction,
        harness=_harness(tree.roots),
        gaps=(*told.gaps, *traced.gaps),
        stripped=(*told.stripped, *traced.stripped),
        notices=(*traced.notices, *told.notices),
    )


def _harness(roots: Iterable[Span]) -> HarnessStatus | None:
    """Return how the program around the agent ended, where its outermost span says that it failed."""
    failed = [one for one in roots if one.failed and not one.parent]
    if not failed:
        return None
    return HarnessStatus.STEP_LIMIT if any(_LIMIT.search(one.error[:2000]) for one in failed) else HarnessStatus.ERROR
