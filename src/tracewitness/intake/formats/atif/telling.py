"""The steps of a trajectory as turns of a conversation."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.finishing import bare, is_finish_like
from tracewitness.intake.formats.atif.acting import REFUSED, UNPARSED, acted, addressees, log_ids
from tracewitness.intake.formats.atif.content import Contents
from tracewitness.intake.formats.atif.instruction import asked, hands_on
from tracewitness.intake.formats.atif.others import Other, Others
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import object_of, objects_of, text_of

_ENDS_AT_TERMINAL = "marktaskcomplete"
_DECLARING = frozenset({"marktaskcomplete", "taskcomplete", "completetask"})
"""Calls that say by their name alone that the task was done."""


@dataclass(slots=True)
class Telling:
    """Turns the steps into turns, one after the other.

    Attributes:
        contents: Reads messages and results.
        kinds: The kinds by which agents end a run.
        ids: The calls met so far, by the id that the log gives them.
        started: Whether the user has asked for something.
        handed_on: Whether the context was summed up just before, so that what a user says is the summary.
        closing: The place of the words beside the calls of the last step that may end the run, and the words.
        declared: Whether one of these calls says by its name that the task was done.
        unparsed: How many messages act in a way that is not read.
        delegated: How many results point to trajectories of other agents that are not read.
        others: The trajectories of other agents that stand in the document.
        stripped: What was kept from the trace side besides the turns.
        terminal: Whether the agent works at a terminal alone, so that all that answers it is the screen.
    """

    contents: Contents
    kinds: frozenset[str]
    ids: dict[str, str] = field(default_factory=dict[str, str])
    started: bool = False
    handed_on: bool = False
    closing: tuple[str, str] = ("", "")
    declared: bool = False
    unparsed: int = 0
    delegated: int = 0
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    terminal: bool = False
    others: Others = field(default_factory=Others)
    _met: list[Other] = field(default_factory=list[Other])

    def turns(self, steps: list[tuple[str, dict[str, Any]]]) -> Iterator[Turn]:
        """Yield the turns of all steps."""
        last = max((at for at, (_, step) in enumerate(steps) if _is_agents(step)), default=-1)
        for at, (where, step) in enumerate(steps):
            self._set_aside(where, step)
            yield from self._turns_of(where, step, last=at == last)

    def _set_aside(self, where: str, step: dict[str, Any]) -> None:
        for held, place in _holders(step, where):
            if held.get("extra"):
                size = size_of(held["extra"])
                self.stripped.append(Stripped(f"{place}.extra", Plane.GRADING, LeakRoute.GRADING_ECHO, size))

    def _turns_of(self, where: str, step: dict[str, Any], *, last: bool) -> Iterator[Turn]:
        source = step.get("source")
        if step.get("is_copied_context") is True:
            yield self._copied(where, step)
        elif source == "agent":
            self.handed_on = False
            yield from self._of_agent(where, step, last=last)
        elif source == "user":
            yield from self._of_user(where, step)
        else:
            yield from self._of_system(where, step)

    def _copied(self, where: str, step: dict[str, Any]) -> Turn:
        told = [self.contents.text(step.get("message")), text_of(step.get("reasoning_content"))]
        told += [self.contents.text(result.get("content")) for result in _results(step)]
        return Turn(Speaker.USER, where, "\n".join(filter(None, told)), copied=True)

    def _of_system(self, where: str, step: dict[str, Any]) -> Iterator[Turn]:
        yield Turn(Speaker.SYSTEM, where, self.contents.text(step.get("message")))
        context = object_of(object_of(step.get("extra")).get("context_management"))
        results = _results(step)
        delegated = any(result.get("subagent_trajectory_ref") for result in results)
        self.handed_on = self.handed_on or delegated or context.get("type") == "compaction"
        for at, result in enumerate(results):
            text, picture = self.contents.text(result.get("content")), self.contents.screenshot(result.get("content"))
            if (text or picture) and not self.handed_on:
                yield Turn(Speaker.TOOL, f"{where}.observation.results[{at}]", text, screenshot=picture)
            elif text:
                yield Turn(Speaker.TOOL, f"{where}.observation.results[{at}]", text, copied=True)

    def _of_user(self, where: str, step: dict[str, Any]) -> Iterator[Turn]:
        message = self.contents.text(step.get("message"))
        if self.started and (self.handed_on or hands_on(message)):
            yield Turn(Speaker.USER, where, message, copied=True)
            return
        wanted = asked(message) if not self.started else None
        self.started = self.started or bool(message.strip())
        picture = self.contents.screenshot(step.get("message"))
        time = text_of(step.get("timestamp")) or None
        if wanted is None:
            yield Turn(Speaker.USER, where, message, screenshot=picture, time=time)
            return
        yield Turn(Speaker.USER, where, wanted.instruction, screenshot=picture, time=time)
        if wanted.shown.strip():
            yield Turn(Speaker.TOOL, where, wanted.shown.strip())

    def _of_agent(self, where: str, step: dict[str, Any], *, last: bool) -> Iterator[Turn]:
        results = _results(step)
        answers = [self.contents.text(result.get("content")) for result in results]
        done = acted(step, self.contents.text(step.get("message")), where, answers)
        self.ids |= log_ids(step, where)
        self._count(done.calls, answers)
        words = done.words
        if last and any(is_finish_like(call.name, self.kinds) for call in done.calls):
            self.closing, words = (f"{where}.message", words.strip()), ""
            self.declared = any(bare(call.name) in _DECLARING for call in done.calls)
        yield Turn(
            Speaker.AGENT,
            where,
            words,
            text_of(step.get("reasoning_content")),
            done.calls,
            time=text_of(step.get("timestamp")) or None,
            spoke=not done.calls and isinstance(step.get("message"), str | list),
        )
        answered = tuple(self._answers(results, answers, done.calls))
        if answered and done.calls:
            yield from self._of_others()
            screens = self._screens(answered, done.calls)
            kept = tuple(replace(one, text="") if one in screens else one for one in answered)
            yield Turn(Speaker.TOOL, f"{where}.observation", results=kept)
            yield from (Turn(Speaker.TOOL, f"{where}.observation", one.text) for one in screens)

    def _screens(self, answered: tuple[Result, ...], calls: tuple[Call, ...]) -> list[Result]:
        """Return the results that show the terminal when the agent says that it is done, and none of its words."""
        ends = {call.id for call in calls if bare(call.name) == _ENDS_AT_TERMINAL and not call.arguments}
        return [one for one in answered if self.terminal and one.call_id in ends and one.text.strip()]

    def _count(self, calls: tuple[Call, ...], answers: list[str]) -> None:
        if calls and calls[0].name == UNPARSED and not answers[0].startswith(REFUSED):
            self.unparsed += 1

    def _answers(self, results: list[dict[str, Any]], answers: list[str], calls: tuple[Call, ...]) -> Iterator[Result]:
        unaddressed = sum(not text_of(result.get("source_call_id")) for result in results)
        rest = iter(addressees(calls, unaddressed, self.kinds))
        for result, text in zip(results, answers, strict=True):
            given = text_of(result.get("source_call_id"))
            delegated = bool(result.get("subagent_trajectory_ref"))
            found = self.others.take(result)
            self._met += found
            self.delegated += delegated and not found
            picture = self.contents.screenshot(result.get("content"))
            call_id = self.ids.get(given, given) if given else next(rest)
            yield Result(text, call_id, text.startswith(REFUSED), picture, delegated, inside=bool(found))

    def _of_others(self) -> Iterator[Turn]:
        """Yield the turns of agents that were met: what they did is evidence, and all that they say is narration."""
        while self._met:
            other = self._met.pop(0)
            ids = dict(self.ids)
            for at, step in enumerate(objects_of(other.document.get("steps"))):
                where = f"{other.where}.steps[{at}]"
                if _is_agents(step):
                    yield from self._of_other(where, step)
                elif words := self.contents.text(step.get("message")):
                    self.stripped.append(Stripped(where, Plane.NARRATION, LeakRoute.ECHO, len(words)))
            self.ids = ids

    def _of_other(self, where: str, step: dict[str, Any]) -> Iterator[Turn]:
        results = _results(step)
        answers = [self.contents.text(result.get("content")) for result in results]
        done = acted(step, self.contents.text(step.get("message")), where, answers)
        self.ids |= log_ids(step, where)
        self._count(done.calls, answers)
        calls = tuple(call for call in done.calls if not is_finish_like(call.name, self.kinds))
        for at, call in enumerate(done.calls):
            if call not in calls and call.arguments:
                size = size_of(dict(call.arguments))
                self.stripped.append(
                    Stripped(f"{where}.calls[{at}]", Plane.NARRATION, LeakRoute.FINISH_ARGUMENTS, size)
                )
        said = "\n".join(filter(None, (text_of(step.get("reasoning_content")), done.words)))
        yield Turn(Speaker.AGENT, where, reasoning=said, calls=calls, time=text_of(step.get("timestamp")) or None)
        kept = {call.id for call in calls}
        answered = tuple(one for one in self._answers(results, answers, done.calls) if one.call_id in kept)
        yield from self._of_others()
        if answered:
            yield Turn(Speaker.TOOL, f"{where}.observation", results=answered)


def _is_agents(step: dict[str, Any]) -> bool:
    return step.get("source") == "agent" and step.get("is_copied_context") is not True


def _results(step: dict[str, Any]) -> list[dict[str, Any]]:
    return objects_of(object_of(step.get("observation")).get("results"))


def _holders(step: dict[str, Any], where: str) -> Iterator[tuple[dict[str, Any], str]]:
    yield step, where
    yield from ((call, f"{where}.tool_calls[{at}]") for at, call in enumerate(objects_of(step.get("tool_calls"))))
    yield from ((result, f"{where}.observation.results[{at}]") for at, result in enumerate(_results(step)))
