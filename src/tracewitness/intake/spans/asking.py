"""What a trace was asked to do."""

from typing import Any, cast

from tracewitness.intake.spans.called import parsed
from tracewitness.intake.spans.messages import asked as asked_in
from tracewitness.intake.spans.messages import messages_of
from tracewitness.intake.spans.span import SpanKind
from tracewitness.intake.spans.tree import Tree
from tracewitness.intake.turns import Speaker
from tracewitness.intake.untyped import object_of


def task_in(tree: Tree, asked: object = None, *, partial: bool = False) -> str | None:
    """Return the user's words: those of the whole trace, else of its outermost span, else those the first model got.

    Where there are none, it is the longest text among the arguments of the function that was traced.

    Args:
        tree: The trace.
        asked: The input of the whole trace, where the log holds it apart from the spans.
        partial: Whether parts of the trace are lost: then the first model that is known may be one in the midst of the
            run, and the user's words stand at the beginning of what it was shown.
    """
    outer = [one for one in tree.roots if not one.parent and one.kind is SpanKind.AGENT]
    given = [value for value in (asked, *(one.input for one in outer)) if value is not None]
    models = [one.input for one in tree.models() if not tree.in_tool(one)][:1]
    first = partial or bool(tree.orphans)
    for value, at_first in (*((one, False) for one in given), *((one, first) for one in models)):
        words = _asked(value, at_first)
        if words is not None:
            return words
    return next((words for value in given if (words := _longest_argument(value))), None)


def _asked(value: object, first: bool) -> str | None:
    opened = parsed(value) if isinstance(value, str) else value
    return asked_in(messages_of(opened, Speaker.USER, "input"), first=first)


def _longest_argument(value: object) -> str | None:
    opened = object_of(parsed(value) if isinstance(value, str) else value)
    named = object_of(opened.get("kwargs")).values()
    listed: Any = opened.get("args")
    texts = [one for one in (*(cast(list[Any], listed) if isinstance(listed, list) else ()), *named)]
    return max((one.strip() for one in texts if isinstance(one, str)), key=len, default="") or None
