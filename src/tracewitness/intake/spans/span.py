"""A span: one call of an agent, a model or a tool, whatever exported it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class SpanKind(StrEnum):
    """What a span is one of.

    ``AGENT`` also stands for chains, workflows and nodes of a graph: what only holds other spans.
    """

    AGENT = "agent"
    MODEL = "model"
    TOOL = "tool"
    GRADER = "grader"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Span:
    """One span.

    Attributes:
        id: Its id.
        parent: The id of the span that it ran in; None for the outermost.
        kind: What it is one of.
        name: The name of the tool for a tool, else that of the span.
        where: Its place in the log.
        input: A tool's arguments, a model's messages, what an agent was asked; None where the log does not hold it.
        output: What came back; None where the log does not hold it.
        start: When it began, in nanoseconds since 1970; None where the log does not say.
        end: When it ended; None where the log does not say, or where it had not ended.
        time: When it began, in ISO 8601.
        call_id: The id of the call that a tool answers.
        failed: Whether it ended with an error.
        error: The words of the error.
        graded: Characters of scores and evaluations that stand in it.
        mentions: A tool that a span of another kind says was called.
        lost_inner: Whether spans that ran in it are known to be missing.
        opened: Whether the log says that it had not ended yet.
        cut: Whether the log says that the model was stopped in the midst of its answer.
    """

    id: str
    parent: str | None
    kind: SpanKind
    name: str
    where: str
    input: Any = None
    output: Any = None
    start: int | None = None
    end: int | None = None
    time: str | None = None
    call_id: str | None = None
    failed: bool = False
    error: str = ""
    graded: int = 0
    mentions: str = ""
    lost_inner: bool = False
    opened: bool = False
    cut: bool = False
