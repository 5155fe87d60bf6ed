"""Spans of a trace as turns of a conversation, so that they are sorted into planes as any conversation is.

What a model said becomes a turn of the agent; the spans of tools are what was carried out and what came back. The
inputs of models and agents repeat all that went before, so nothing is taken from them but the task, and results of
tools that have no span of their own. Only the words with which the whole run ended are said to the user.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError
from tracewitness.intake.finishing import bare
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.spans.asking import task_in
from tracewitness.intake.spans.called import parsed
from tracewitness.intake.spans.messages import last_words, messages_of
from tracewitness.intake.spans.span import SpanKind
from tracewitness.intake.spans.telling import Telling, size_of_any
from tracewitness.intake.spans.tree import Tree
from tracewitness.intake.turns import Speaker, Turn
from tracewitness.values.plurals import plural

_TELLING = (SpanKind.AGENT, SpanKind.MODEL, SpanKind.TOOL)


@dataclass(frozen=True, slots=True)
class Told:
    """A trace as turns.

    Attributes:
        turns: The turns in order.
        task: The instruction; None where the trace does not hold it.
        final: The words with which the run ended; None where it has none.
        stripped: What was kept from the trace side.
        gaps: What is missing.
        notices: What a person should know.
    """

    turns: tuple[Turn, ...]
    task: str | None
    final: str | None
    stripped: tuple[Stripped, ...]
    gaps: tuple[Gap, ...]
    notices: tuple[str, ...]


def told_by(
    tree: Tree,
    kinds: frozenset[str],
    *,
    asked: object = None,
    answered: object = None,
    where: str = "trace",
    lost: tuple[Gap, ...] = (),
) -> Told:
    """Return a trace as turns.

    Args:
        tree: The spans.
        kinds: The kinds of actions by which agents end a run.
        asked: The input of the whole trace, where the log holds it apart from the spans.
        answered: The output of the whole trace, where the log holds it apart from the spans.
        where: The place of these two.
        lost: What of the log is known to be missing.

    Raises:
        BadRunError: No span is one of an agent, or the log holds none of their words.
    """
    telling = [one for one in tree.spans if one.kind in _TELLING and not tree.graded(one)]
    if not telling:
        problem = "no span in it is one of an agent, a model or a tool"
        raise BadRunError(problem, "name traces that an agent's tracer wrote")
    if all(one.input is None and one.output is None for one in telling) and asked is None and answered is None:
        problem = "its spans hold no messages, arguments or results: the capture of content was switched off"
        raise BadRunError(problem, "switch the capture of content on in the tracer and record the run again")
    final, place = _final(tree, answered, where)
    telling_run = Telling(tree, kinds, lost)
    telling_run.add_all(final, place)
    stripped = (*telling_run.stripped, *_kept_back(tree, final))
    task = task_in(tree, asked, partial=bool(lost))
    gaps, notices = _missing(tree, telling_run)
    said = None if telling_run.cut else final or telling_run.closing
    return Told(tuple(telling_run.in_order()), task, said, stripped, gaps, notices)


def _final(tree: Tree, answered: object, where: str) -> tuple[str | None, str]:
    """Return the words with which the whole run ended, and their place; a run that is still open has none."""
    roots = [one for one in tree.roots if not one.parent and one.kind is SpanKind.AGENT]
    given = [(answered, f"{where}.output"), *((root.output, f"{root.where}.output") for root in reversed(roots))]
    found = [(told, place) for value, place in given if (told := _words(value, place)) is not None]
    return next((one for one in found if one[0]), found[0] if found else (None, ""))


def _words(value: object, where: str) -> str | None:
    opened = parsed(value) if isinstance(value, str) else value
    return last_words(messages_of(opened, Speaker.AGENT, where)) if opened is not None else None


def _kept_back(tree: Tree, final: str | None) -> Iterator[Stripped]:
    """Yield what stays hidden of every span: what it was shown, what it handed up, what graded it."""
    for span in tree.spans:
        graded = tree.graded(span)
        plane, route = (Plane.GRADING, LeakRoute.GRADING_ECHO) if graded else (Plane.NARRATION, LeakRoute.ECHO)
        shown = [] if span.kind is SpanKind.TOOL and not graded else [("input", span.input)]
        if graded or span.kind in (SpanKind.AGENT, SpanKind.OTHER):
            shown.append(("output", span.output))
        for key, value in shown:
            if value not in (None, "", [], {}):
                yield Stripped(f"{span.where}.{key}", plane, route, size_of_any(value))
        if span.graded:
            yield Stripped(f"{span.where}.attributes", Plane.GRADING, LeakRoute.GRADING_ECHO, span.graded)


def _missing(tree: Tree, told: Telling) -> tuple[tuple[Gap, ...], tuple[str, ...]]:
    gaps: list[Gap] = []
    notices: list[str] = []
    if orphans := tree.orphans:
        gaps.append(Gap.MISSING_STEPS)
        notices.append(f"{plural(len(orphans), 'span')} ran in a span that the log does not hold")
    if told.undone:
        gaps.append(Gap.MISSING_STEPS)
        calls = plural(told.undone, "call")
        notices.append(f"{calls} of the model left no span of a tool: not known to have been carried out")
    if unmet := _unmet(tree):
        gaps.append(Gap.MISSING_STEPS)
        notices.append(f"calls of {', '.join(unmet)[:80]} are mentioned, and no span of a tool records them")
    if told.unanswered:
        gaps.append(Gap.UNREADABLE_OBSERVATION)
        notices.append(f"{plural(told.unanswered, 'span')} of tools hold no result")
    if told.shortened:
        gaps.append(Gap.UNREADABLE_OBSERVATION)
        notices.append(f"arguments or results of {plural(told.shortened, 'call')} of tools are cut off in the trace")
    if any(one.opened for one in tree.spans):
        gaps.append(Gap.LOG_CUT_OFF)
        notices.append("the trace was exported before the run had ended")
    return tuple(gaps), tuple(notices)


def _unmet(tree: Tree) -> list[str]:
    """Return the tools that spans of other kinds mention and that no span of a tool is of."""
    known = [bare(one.name) for one in tree.tools()]
    named = dict.fromkeys(one.mentions for one in tree.spans if one.mentions and not tree.graded(one))
    return [name for name in named if not any(bare(name) in one or one in bare(name) for one in known)]
