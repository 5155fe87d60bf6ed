"""The calls of models and tools in a trace, as turns in the order of time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.delegating import is_told
from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.nested_calls import told_beside, unfolded
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.roles import Role, role_of
from tracewitness.intake.spans.called import is_cut_off
from tracewitness.intake.spans.matching import Deed, Deeds, deed_of
from tracewitness.intake.spans.messages import Message, messages_of
from tracewitness.intake.spans.span import Span
from tracewitness.intake.spans.tree import Tree
from tracewitness.intake.turns import Result, Speaker, Turn


@dataclass(slots=True)
class _Event:
    """A turn, when it took place, and its rank among those of the same moment."""

    at: int
    rank: int
    turn: Turn


@dataclass(slots=True)
class Telling:
    """Puts turns together.

    Attributes:
        tree: The trace.
        kinds: The kinds of actions by which agents end a run.
        lost: What of the log is known to be missing.
        events: The turns so far.
        stripped: What was kept from the trace side.
        open_calls: Calls without a span of a tool, by id, that no result was met for.
        closing: The last words of a model, where the run ended with them.
        undone: How many calls left no span although tools leave spans.
        unanswered: How many spans of tools hold no result.
        shortened: How many of them hold arguments or a result without their end.
        cut: Whether the model was stopped in the midst of its last words, which are none about the outcome then.
    """

    tree: Tree
    kinds: frozenset[str]
    lost: tuple[Gap, ...] = ()
    events: list[_Event] = field(default_factory=list[_Event])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    open_calls: dict[str, Call] = field(default_factory=dict[str, Call])
    closing: str | None = None
    undone: int = 0
    unanswered: int = 0
    shortened: int = 0
    cut: bool = False

    def add_all(self, final: str | None, place: str) -> None:
        """Add all turns, and the words with which the run ended where they do not stand in the last of a model."""
        speaking = self.tree.speaking_tools(
            damaged=Gap.MISSING_STEPS in self.lost, cut_off=Gap.LOG_CUT_OFF in self.lost
        )
        deeds = Deeds((deed_of(one, speaks=one.id in speaking) for one in self.tree.tools()), self.tree)
        self.unanswered = sum(not _answered(one) for one in deeds.left)
        self.shortened = sum(is_cut_off(one.span.output) or is_cut_off(one.span.input) for one in deeds.left)
        traced = bool(deeds.left)
        models = self.tree.models()
        for at, model in enumerate(models):
            self._add_model(model, deeds, traced, last=at == len(models) - 1, final=final)
        for deed in deeds.left:
            self._add_deed(deed, "", "", 0)
        if final is not None and not self.cut:
            self._close(final, place)

    def _add_model(self, model: Span, deeds: Deeds, traced: bool, *, last: bool, final: str | None) -> None:
        began = self.tree.start(model)
        self._add_results(model, began)
        said = [one for one in _messages(model) if one.speaker is Speaker.AGENT]
        text = "\n".join(one.text for one in said if one.text)
        thoughts = "\n".join(one.reasoning for one in said if one.reasoning)
        calls = [call for one in said for call in one.calls]
        cut = model.cut or any(one.cut for one in said)
        if not calls and last and not self.tree.in_tool(model) and said:
            self._add_last_words(model, text, thoughts, final, cut=cut)
            return
        kept: list[tuple[Call, Deed | None]] = []
        for call, deed in self._taken(calls, model, deeds):
            if deed is not None or not traced or self._ends(call, last):
                kept.append((call, deed))
            else:
                self.undone += 1
                where = f"{model.where}.output.{call.name}"
                self._strip(where, dict(call.arguments), Plane.NARRATION, LeakRoute.THOUGHTS)
        self._add_calls(model, kept, text, thoughts, began)

    def _ends(self, call: Call, last: bool) -> bool:
        """Tell whether a call ends the run, for which tracers write no span of a tool."""
        role = role_of(call.name, call.arguments, self.kinds)
        return role in (Role.ENDS, Role.UNDECIDED) or (last and is_finish_like(call.name, self.kinds))

    def _taken(self, calls: Sequence[Call], model: Span, deeds: Deeds) -> Iterator[tuple[Call, Deed | None]]:
        """Yield the calls with their deeds; one that carries others as those others, where it has no deed itself."""
        for call in calls:
            deed = deeds.take(call, model)
            carried = [call] if deed is not None else list(unfolded([call]))
            if carried == [call]:
                yield call, deed
                continue
            for key, value in told_beside(call):
                self._strip(f"{model.where}.output.{call.name}.{key}", value, Plane.NARRATION, LeakRoute.THOUGHTS)
            # The id is that of the call around them; what carried out one of them has an id of its own.
            yield from ((one, deeds.take(replace(one, id=None), model)) for one in carried)

    def _add_last_words(self, model: Span, text: str, thoughts: str, final: str | None, *, cut: bool) -> None:
        self.cut = cut
        self.closing = None if cut else text
        if cut:
            if final is not None:
                self._strip(f"{model.where}.output", final, Plane.NARRATION, LeakRoute.FINAL_REPORT)
            turn = Turn(Speaker.AGENT, model.where, text, thoughts, time=model.time, spoke=True, cut=True)
        elif final is None:
            turn = Turn(Speaker.AGENT, model.where, text, thoughts, time=model.time, spoke=True)
        else:
            self._strip(f"{model.where}.output", text, Plane.REPORT, LeakRoute.ECHO)
            turn = Turn(Speaker.AGENT, model.where, reasoning=thoughts, time=model.time)
        self._put(self.tree.start(model), turn)

    def _add_calls(
        self, model: Span, calls: Sequence[tuple[Call, Deed | None]], text: str, thoughts: str, began: int
    ) -> None:
        if not calls:
            # Words of a planner or of a helper in the midst of a run: nobody but the program heard them.
            words = "\n".join(filter(None, (thoughts, text)))
            self._put(began, Turn(Speaker.AGENT, model.where, reasoning=words, time=model.time))
            return
        for call, deed in calls:
            if deed is not None:
                self._add_deed(deed, text, thoughts, began)
            else:
                self.open_calls |= {call.id: call} if call.id else {}
                turn = Turn(Speaker.AGENT, f"{model.where}.output", text, thoughts, (call,), time=model.time)
                self._put(began, turn)
            text = thoughts = ""

    def _add_deed(self, deed: Deed, text: str, thoughts: str, began: int) -> None:
        span = deed.span
        began = max(began, self.tree.start(span))
        told = {key: value for key, value in deed.call.arguments.items() if deed.result.inside and is_told(key)}
        for key, value in told.items():
            self._strip(f"{span.where}.input.{key}", value, Plane.NARRATION, LeakRoute.THOUGHTS)
        kept = {key: value for key, value in deed.call.arguments.items() if key not in told}
        call = Call(deed.call.name, kept, deed.result.call_id)
        self._put(began, Turn(Speaker.AGENT, span.where, text, thoughts, (call,), time=span.time))
        self._put(max(began, self.tree.end(span)), Turn(Speaker.TOOL, f"{span.where}.output", results=(deed.result,)))

    def _add_results(self, model: Span, began: int) -> None:
        """Add the results of tools that have no spans, which the next model was shown."""
        if not self.open_calls:
            return
        for result in _results(messages_of(model.input, Speaker.USER, f"{model.where}.input")):
            if result.call_id in self.open_calls:
                del self.open_calls[result.call_id]
                self._put(began, Turn(Speaker.TOOL, f"{model.where}.input", results=(result,)))

    def _close(self, final: str, place: str) -> None:
        acting = [one.turn for one in self._sorted() if one.turn.calls]
        if acting and all(self._only_says(call) for call in acting[-1].calls):
            self._strip(place, final, Plane.REPORT, LeakRoute.FINAL_REPORT)
            return  # a call that ends the run stands there already
        self._put(max((one.at for one in self.events), default=0), Turn(Speaker.AGENT, place, final, spoke=True))

    def _only_says(self, call: Call) -> bool:
        return role_of(call.name, call.arguments, self.kinds) is Role.ENDS

    def _put(self, at: int, turn: Turn) -> None:
        self.events.append(_Event(at, len(self.events), turn))

    def _strip(self, where: str, words: object, plane: Plane, route: LeakRoute) -> None:
        if words:
            self.stripped.append(Stripped(where, plane, route, size_of_any(words)))

    def in_order(self) -> Iterator[Turn]:
        """Yield the turns by time."""
        return (one.turn for one in self._sorted())

    def _sorted(self) -> list[_Event]:
        return sorted(self.events, key=lambda one: (one.at, one.rank))


def called_in(tree: Tree) -> Iterator[str]:
    """Yield the names of the tools that the models of a trace called."""
    return (call.name for model in tree.models() for one in _messages(model) for call in one.calls)


def _answered(deed: Deed) -> bool:
    """Tell whether a tool's span holds a result; where a result would be a model's words, none is missed."""
    if deed.span.output is not None or deed.span.failed or deed.result.hidden:
        return True
    return role_of(deed.call.name, deed.call.arguments) in (Role.NOTES, Role.DELEGATES, Role.ENDS, Role.UNDECIDED)


def _messages(model: Span) -> list[Message]:
    return messages_of(model.output, Speaker.AGENT, f"{model.where}.output")


def _results(messages: Iterable[Message]) -> Iterator[Result]:
    return (result for one in messages for result in one.results)


def size_of_any(value: object) -> int:
    """Return how many characters a value holds, whatever it is."""
    try:
        return size_of(value)
    except (TypeError, ValueError):
        return len(str(value))
