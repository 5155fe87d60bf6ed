"""Which span of a tool carried out which call of a model."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.finishing import bare
from tracewitness.intake.spans.called import arguments_of
from tracewitness.intake.spans.parts import result_of
from tracewitness.intake.spans.span import Span
from tracewitness.intake.spans.tree import Tree
from tracewitness.intake.turns import Result

_LOOKED_AT = 50
"""Deeds of a tool among which that of a call is looked for."""


@dataclass(frozen=True, slots=True)
class Deed:
    """A call that was carried out: the span of the tool, the call, and what came back."""

    span: Span
    call: Call
    result: Result


def deed_of(span: Span, *, speaks: bool) -> Deed:
    """Return what a tool's span records.

    Args:
        span: The span.
        speaks: Whether a model ran in it, so that its result may be the words of that model.
    """
    result = result_of(span.output, f"{span.where}.output", failed=span.failed)
    call_id = span.call_id or result.call_id
    text = result.text or (span.error if result.failed else "")
    call = call_of(span.name, arguments_of(span.input), call_id)
    # The id of the span pairs the two from here on: ids of calls may repeat, or be missing.
    answer = replace(result, text=text, call_id=f"span {span.id}", hidden=speaks, inside=speaks)
    return Deed(span, call, answer)


class Deeds:
    """The deeds of a trace, each to be taken once.

    Args:
        deeds: The deeds in the order of their beginning.
        tree: The trace.
    """

    def __init__(self, deeds: Iterable[Deed], tree: Tree) -> None:
        self._all = tuple(deeds)
        self._tree = tree
        self._taken: set[str] = set()
        self._by_id: dict[str, list[Deed]] = {}
        self._by_name: dict[str, list[Deed]] = {}
        for one in self._all:
            self._by_name.setdefault(bare(one.call.name), []).append(one)
            if one.call.id:
                self._by_id.setdefault(one.call.id, []).append(one)

    @property
    def left(self) -> tuple[Deed, ...]:
        """Those that no call took."""
        return tuple(one for one in self._all if one.span.id not in self._taken)

    def take(self, call: Call, model: Span) -> Deed | None:
        """Return the deed of a call that a model made; None where the trace has none.

        It is told by the id of the call; where the log has none, it is the first later one of the tool, with the same
        arguments where there is one.
        """
        began = self._tree.start(model)
        found = next(self._untaken(self._by_id.get(call.id or "", [])), None)
        if found is None:
            named = islice(self._untaken(self._by_name.get(bare(call.name), [])), _LOOKED_AT)
            later = [one for one in named if self._tree.start(one.span) >= began and not (call.id and one.call.id)]
            found = next((one for one in later if one.call.arguments == call.arguments), next(iter(later), None))
        if found is not None:
            self._taken.add(found.span.id)
        return found

    def _untaken(self, deeds: list[Deed]) -> Iterator[Deed]:
        while deeds and deeds[0].span.id in self._taken:
            deeds.pop(0)
        return (one for one in deeds if one.span.id not in self._taken)
