"""Who called whom in a trace, and which of its spans count."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.intake.finishing import bare
from tracewitness.intake.spans.span import Span, SpanKind

_DEEPEST = 200
"""Spans above a span that are looked at."""


@dataclass(slots=True)
class Tree:
    """The spans of one trace, each once, with the ways between them."""

    spans: tuple[Span, ...]
    by_id: dict[str, Span] = field(default_factory=dict[str, Span])
    _graded: dict[str, bool] = field(default_factory=dict[str, bool])

    @classmethod
    def of(cls, spans: Iterable[Span]) -> "Tree":
        """Return the tree of spans; of two with one id the first one that ended counts."""
        by_id: dict[str, Span] = {}
        for span in spans:
            known = by_id.get(span.id)
            if known is None or (known.end is None and span.end is not None):
                by_id[span.id] = span
        tops = [one for one in by_id.values() if not one.parent or one.parent not in by_id]
        if len(tops) == 1 and tops[0].kind is SpanKind.AGENT:
            # What stands above an agent alone is the request that started it, which another program records.
            by_id[tops[0].id] = replace(tops[0], parent=None)
        tree = cls((), by_id)
        tree.spans = tuple(sorted(by_id.values(), key=tree.start))
        return tree

    def above(self, span: Span) -> Iterator[Span]:
        """Yield the spans that a span ran in, nearest first; no trace is nested endlessly."""
        at = self.by_id.get(span.parent or "")
        for _ in range(_DEEPEST):
            if at is None or at is span:
                return
            yield at
            at = self.by_id.get(at.parent or "")

    def start(self, span: Span) -> int:
        """Return when a span began, as far as the log tells: else when what it ran in began."""
        if span.start is not None:
            return span.start
        return next((one.start for one in self.above(span) if one.start is not None), 0)

    def end(self, span: Span) -> int:
        """Return when a span ended, never before it began."""
        return max(self.start(span), span.end or 0)

    @property
    def roots(self) -> list[Span]:
        """The outermost spans."""
        return [one for one in self.spans if not one.parent or one.parent not in self.by_id]

    @property
    def orphans(self) -> list[Span]:
        """The spans that ran in one that the log does not hold."""
        return [one for one in self.spans if one.parent and one.parent not in self.by_id]

    def graded(self, span: Span) -> bool:
        """Tell whether a span is a grader's, or ran in one."""
        known = self._graded.get(span.id)
        if known is None:
            known = any(one.kind is SpanKind.GRADER for one in (span, *self.above(span)))
            self._graded[span.id] = known
        return known

    def models(self) -> list[Span]:
        """Return one span for every call of a model; a wrapper and what it wraps are one call."""
        groups: dict[str, list[Span]] = {}
        for span in self.spans:
            if span.kind is SpanKind.MODEL and not self.graded(span):
                groups.setdefault(self._outermost_model(span).id, []).append(span)
        return [_telling(group) for group in groups.values()]

    def _outermost_model(self, span: Span) -> Span:
        outermost = span
        for one in self.above(span):
            if one.kind in (SpanKind.AGENT, SpanKind.TOOL):
                break
            outermost = one if one.kind is SpanKind.MODEL else outermost
        return outermost

    def tools(self) -> list[Span]:
        """Return one span for every call of a tool; a span in another one of the same tool is the same call."""
        found = (one for one in self.spans if one.kind is SpanKind.TOOL and not self.graded(one))
        return [one for one in found if not any(_same_tool(one, above) for above in self.above(one))]

    def speaking_tools(self, *, damaged: bool, cut_off: bool) -> frozenset[str]:
        """Return the ids of the tools in which a model ran or may have run, so that their results may be its words.

        Args:
            damaged: Whether spans are lost in the midst of the log: then any tool may have been one of a model.
            cut_off: Whether the end of the log is lost: then a tool may be that had not ended when the last known
                span began.
        """
        inner = [one for one in self.spans if one.kind is SpanKind.MODEL or one.lost_inner]
        found = {above.id for one in inner for above in (one, *self.above(one)) if above.kind is SpanKind.TOOL}
        tools = [one for one in self.spans if one.kind is SpanKind.TOOL]
        if damaged:
            return frozenset(found | {one.id for one in tools})
        if cut_off or self.orphans or any(one.opened for one in self.spans):
            latest = max((self.start(one) for one in self.spans), default=0)
            found |= {one.id for one in tools if self.end(one) >= latest}
        return frozenset(found)

    def in_tool(self, span: Span) -> bool:
        """Tell whether a span ran in a tool: then what it says is not said to the user."""
        return any(one.kind is SpanKind.TOOL for one in self.above(span))


def with_called_tools(spans: Sequence[Span], called: Iterable[str]) -> tuple[Span, ...]:
    """Return spans with those as tools that are called as a tool which a model called, and of which none is recorded.

    Decorators that trace any function write the function of a tool down as a mere span.

    Args:
        spans: The spans of a trace.
        called: The tools that its models called.
    """
    known = {bare(one.name) for one in spans if one.kind is SpanKind.TOOL}
    names = {bare(name) for name in called} - known
    return tuple(
        replace(one, kind=SpanKind.TOOL)
        if one.kind is SpanKind.AGENT and one.parent and bare(one.name) in names
        else one
        for one in spans
    )


def _telling(group: list[Span]) -> Span:
    """Return the outermost span of a group that holds an output, else one with an input, else the outermost."""
    with_words = [one for one in group if one.output not in (None, "")]
    with_output = [one for one in group if one.output is not None]
    with_input = [one for one in group if one.input is not None]
    return next(iter((*with_words, *with_output, *with_input, *group)))


def _same_tool(one: Span, above: Span) -> bool:
    return above.kind is SpanKind.TOOL and bare(above.name) == bare(one.name)
