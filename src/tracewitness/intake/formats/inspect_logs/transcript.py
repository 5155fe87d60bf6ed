"""The transcript of a sample as turns: what models said and called, what tools and sandboxes answered."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.finishing import bare
from tracewitness.intake.formats.inspect_logs.content import Contents, parts_of, thoughts_of
from tracewitness.intake.formats.inspect_logs.spans import Spans
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import object_of
from tracewitness.trace_side.trace import Screenshot

SUBMIT = "submit_answer"
"""What the tool ``submit`` of agents of Inspect is called here: it hands in the answer and acts on nothing."""

NOT_CARRIED_OUT = "the log holds no event of a tool for this call"
"""What is said of a call that was asked for and never made."""
_NEVER_MADE = frozenset({"approval", "parsing"})
"""Kinds of errors of calls that were turned down before anything was done."""

ANSWER_KEYS = frozenset({"answer"})

OPERATOR = "operator"
"""The source of messages of a person who stepped in while the agent ran."""


@dataclass(slots=True)
class Answered:
    """What came back from one call, gathered over the whole transcript."""

    text: str = ""
    failed: bool = False
    screenshot: Screenshot | None = None
    hidden: bool = False
    ran: list[str] = field(default_factory=list[str])
    error: str = ""
    made: bool = True

    def results(self, call_id: str) -> Iterator[Result]:
        """Yield it as results: the error of a call that failed, and what came back all the same."""
        text = "\n".join(filter(None, [self.text.strip(), *(ran for ran in self.ran if not self.hidden)]))
        if self.failed:
            yield Result(self.error, call_id, True, self.screenshot, self.hidden, inside=self.hidden)
        if not self.failed or text:
            yield Result(text, call_id, False, self.screenshot, self.hidden, inside=self.hidden)


@dataclass(slots=True)
class Transcript:
    """Reads the events of one sample.

    Attributes:
        contents: Reads messages and results.
        spans: Where the events stand.
        asked: The calls that a model asked for, by their ids in the log, each with the key that stands for it here.
        answers: What came back, by key.
        bridged: Whether calls were answered outside Inspect, so that only the next model event shows it.
        heard: Messages of persons who stepped in that were met already.
    """

    contents: Contents
    spans: Spans = field(default_factory=Spans)
    asked: dict[str, str] = field(default_factory=dict[str, str])
    answers: dict[str, Answered] = field(default_factory=dict[str, Answered])
    bridged: bool = False
    heard: set[str] = field(default_factory=set[str])

    def turns(self, events: list[Any]) -> list[Turn]:
        """Return the turns; results are put in when all of them are known, for a tool may end after others began."""
        told = [turn for at, event in enumerate(events) for turn in self._turns_of(event, f"events[{at}]")]
        told += [Turn(Speaker.TOOL, key) for key in self._not_carried_out()]
        return [self.with_results(turn) for turn in told]

    def _not_carried_out(self) -> Iterator[str]:
        """Yield the calls that a model asked for and no tool took up; they are answered by that.

        Agents behind a bridge run their tools themselves, without an event: of them nobody can tell.
        """
        for key in () if self.bridged else self.asked.values():
            self.answers[key] = Answered(failed=True, error=NOT_CARRIED_OUT, made=False)
            yield key

    def _turns_of(self, event: Any, where: str) -> Iterator[Turn]:
        self.spans.note(event, where)
        if self.spans.is_scoring(event):
            return
        if event.event == "model":
            yield from self._of_model(event, where)
        elif event.event == "tool":
            yield from self._of_tool(event, where)
        elif event.event == "sandbox":
            self._of_sandbox(event)

    def _of_model(self, event: Any, where: str) -> Iterator[Turn]:
        around = self.spans.call_around(event)
        if around is not None:
            self.answers.setdefault(around, Answered()).hidden = True
        for message in event.input:
            if message.role == "tool" and message.tool_call_id in self.asked:
                self.bridged = True
                yield self.of_answer(message)
                del self.asked[message.tool_call_id]
            elif message.role == "user" and message.source == OPERATOR:
                yield from self.of_operator(message, where)
        if event.output is None or not event.output.choices or event.error:
            return
        yield from self.of_message(event.output.choices[0].message, where, _time(event.timestamp))

    def of_operator(self, message: Any, where: str) -> Iterator[Turn]:
        """Yield the turn of a person who stepped in, once however often the message is told again."""
        text = self.contents.text(message.content)
        if (key := message.id or text) not in self.heard:
            self.heard.add(key)
            yield Turn(Speaker.USER, where, text)

    def of_message(self, message: Any, where: str, time: str | None = None) -> Iterator[Turn]:
        """Yield the turns of a message of a model: what its provider did for it, then what it says and calls."""
        for at, part in enumerate(one for one in parts_of(message.content) if one.type == "tool_use"):
            key = f"{where}#used {at}"
            yield Turn(Speaker.AGENT, where, calls=(_call(part.name, part.arguments, key),), time=time)
            self.answers[key] = Answered(part.result, bool(part.error), error=part.error or "")
            yield Turn(Speaker.TOOL, key)
        calls = tuple(self._asked(call, f"{where}#{at}") for at, call in enumerate(message.tool_calls or []))
        thoughts = thoughts_of(message.content)
        words = self.contents.text(message.content)
        yield Turn(Speaker.AGENT, where, words, thoughts, calls, time=time, spoke=not calls)

    def _asked(self, call: Any, key: str) -> Call:
        self.asked[call.id] = key
        return _call(call.function, call.arguments, key)

    def _of_tool(self, event: Any, where: str) -> Iterator[Turn]:
        key = self.asked.pop(event.id, None)
        if key is None:  # called by a solver, or within another call
            key = where
            yield Turn(Speaker.AGENT, where, calls=(_call(event.function, event.arguments, key),))
        for span, call in self.spans.calls.items():
            if call == where:
                self.spans.calls[span] = key
        answered = self.answers.setdefault(key, Answered())
        answered.text = self.contents.shown(event.result)
        answered.failed = event.error is not None
        answered.error = event.error.message if event.error else ""
        answered.made = event.error is None or event.error.type not in _NEVER_MADE
        answered.screenshot = self.contents.screenshot(event.result)
        answered.hidden = answered.hidden or bool(event.agent) or _holds_a_model(event)
        yield Turn(Speaker.TOOL, key)

    def of_answer(self, message: Any) -> Turn:
        """Return the turn of a message of a tool."""
        key = self.asked.get(message.tool_call_id or "", message.tool_call_id or "")
        text, error = self.contents.shown(message.content), message.error
        if error is not None and text.strip() == error.message.strip():
            text = ""
        picture = self.contents.screenshot(message.content)
        made = error is None or error.type not in _NEVER_MADE
        self.answers[key] = Answered(text, error is not None, picture, error=error.message if error else "", made=made)
        return Turn(Speaker.TOOL, key)

    def _of_sandbox(self, event: Any) -> None:
        around = self.spans.call_around(event)
        if around is None:
            return
        answered = self.answers.setdefault(around, Answered())
        if event.action == "exec" and event.result is not None:
            answered.ran.append(f"exit code {event.result}")
        output = (event.output or "").strip()
        if event.action in ("exec", "read_file") and output and output not in answered.text:
            answered.ran.append(output)
        if event.action == "write_file" and event.file:
            answered.ran.append(f"wrote {event.file}")

    def with_results(self, turn: Turn) -> Turn:
        """Return a turn of a tool with what is known of its answer by now."""
        if turn.speaker is not Speaker.TOOL:
            return turn
        return replace(turn, results=tuple(self.answers[turn.where].results(turn.where)))

    def never_made(self) -> frozenset[str]:
        """Return the errors of the calls that nothing was done for."""
        return frozenset(one.error.strip() for one in self.answers.values() if not one.made)


def _call(name: str, arguments: Any, key: str) -> Call:
    call = call_of(name, arguments, key)
    return replace(call, name=SUBMIT) if bare(name) == "submit" and set(call.arguments) <= ANSWER_KEYS else call


def _holds_a_model(event: Any) -> bool:
    """Tell whether a model spoke within a call, in logs that nest the events of a call in it."""
    return any(object_of(nested).get("event") == "model" for nested in event.events)


def _time(stamp: Any) -> str | None:
    return stamp.isoformat() if isinstance(stamp, datetime) else None
