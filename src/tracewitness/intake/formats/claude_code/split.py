"""The lines of a session as turns.

A subagent is started by a tool; what it did is evidence as well, and all that it says is narration, its answer too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.chats.anthropic_blocks import turns_of as block_turns
from tracewitness.intake.chats.content import words_of
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.formats.claude_code.lines import SessionLine, asked, ordered, ran_by_user
from tracewitness.intake.formats.claude_code.lines import words_of as words_in
from tracewitness.intake.model_made import is_told_model
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import object_of, objects_of, text_of

EXPLAINED = {
    "task": ("description", "prompt"),
    "agent": ("description", "prompt"),
    "bash": ("description",),
    "monitor": ("description",),
    "webfetch": ("prompt",),
    "skill": ("args",),
    "sendmessage": ("message", "summary", "content"),
}
"""Arguments of its tools in which the agent speaks, to a subagent or to whoever watches."""

MODEL_MADE = frozenset(
    {
        *("task", "agent", "taskoutput", "agentoutputtool", "webfetch", "exitplanmode"),
        *("enterplanmode", "skill", "sendmessage"),
    }
)
"""Tools whose answer is a model's, or repeats what the agent said."""

_SUBAGENTS = frozenset({"task", "agent"})
_ASKS = "askuserquestion"
_ATTACHED = frozenset(
    {
        *("edited_text_file", "file", "directory", "mcp_resource", "diagnostics"),
        *("selected_lines_in_ide", "opened_file_in_ide"),
    }
)
"""Kinds of attachments that show the environment; others remind the agent of its own words, or instruct it."""
_QUEUED = "queued_command"

Subagent = Callable[[str], Sequence[SessionLine]]


@dataclass(slots=True)
class SessionTurns:
    """The turns of a session.

    Attributes:
        subagent: Returns the lines of a subagent by its id; none where its file is not there.
        pictures: The pictures of the log.
        turns: The turns so far.
        asked: What the user asked for, in order.
        stripped: What was kept from the trace side ahead of the turns.
    """

    subagent: Subagent
    pictures: ChatPictures
    turns: list[Turn] = field(default_factory=list[Turn])
    asked: list[str] = field(default_factory=list[str])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    _tools: dict[str, str] = field(default_factory=dict[str, str])
    _joined: set[str] = field(default_factory=set[str])
    _inside: bool = False
    _ordered: bool = False
    _heard: str = ""

    def add(self, line: SessionLine) -> None:
        """Add a line."""
        kind = text_of(line.value.get("type"))
        if kind == "assistant" and line.value.get("isApiErrorMessage") is True:
            self._strip(line.where, line.message.get("content"), LeakRoute.NONE)
            self.turns.append(Turn(Speaker.AGENT, line.where, cut=True))
            return
        if kind == "attachment":
            self._add_attachment(line)
            return
        if self._ordered and line.value.get("isMeta") is True and kind == "user":
            self._ordered = False
            self._add_prompt(line)
            return
        if not line.speaks:
            told = line.value.get("summary") or line.value.get("content") or line.message.get("content")
            if told and (kind == "summary" or "message" in line.value):
                self._strip(line.where, told, LeakRoute.CARRIED_MEMORY)
            return
        if line.value.get("isCompactSummary") is True:
            self.turns.append(Turn(Speaker.USER, line.where, str(line.message.get("content")), copied=True))
            return
        self._ordered = self._ordered and kind == "user"
        returned = object_of(line.value.get("toolUseResult"))
        self._add_subagent(text_of(returned.get("agentId")))
        self._heard = answers_of(returned)
        aside = line.value.get("isSidechain") is True or bool(line.value.get("parent_tool_use_id"))
        message = {**line.message, "role": kind if kind in ("user", "assistant") else line.message.get("role")}
        for turn in block_turns(message, line.where, self.pictures, text_of(line.value.get("timestamp")) or None):
            self.turns.append(self._aside(turn) if aside else self._own(turn))

    def _add_attachment(self, line: SessionLine) -> None:
        """Add what the program put beside the conversation: what the user says meanwhile, and what it shows."""
        held = object_of(line.value.get("attachment"))
        kind, time = text_of(held.get("type")), text_of(line.value.get("timestamp")) or None
        if kind == _QUEUED and held.get("commandMode", "prompt") == "prompt":
            if words := asked(text_of(held.get("prompt"))):
                self.asked.append(words)
                self.turns.append(Turn(Speaker.USER, line.where, words, time=time))
        elif kind in _ATTACHED:
            shown = "\n".join(words_of({key: one for key, one in held.items() if key != "type"}))
            self.turns.append(Turn(Speaker.TOOL, line.where, f"shown beside the conversation: {shown}", time=time))
        elif held:
            self._strip(line.where, held, LeakRoute.CARRIED_MEMORY)

    def _add_prompt(self, line: SessionLine) -> None:
        """Add the prompt that a command of the user stands for."""
        words = asked(words_in(line.message))
        if words:
            self.asked.append(words)
            self.turns.append(Turn(Speaker.USER, line.where, words))

    def _add_subagent(self, agent_id: str) -> None:
        if agent_id and agent_id not in self._joined:
            self._joined.add(agent_id)
            for line in self.subagent(agent_id):
                self._inside = True
                self.add(replace(line, value={**line.value, "isSidechain": True}))

    def _own(self, turn: Turn) -> Turn:
        if turn.speaker is Speaker.USER:
            given, ran = ordered(turn.text), ran_by_user(turn.text)
            words = asked(turn.text) if given is None else given
            self._ordered = given is not None
            if words:
                self.asked.append(words)
            if len(words) < len(turn.text.strip()):
                self._strip(turn.where, turn.text, LeakRoute.CARRIED_MEMORY)
            if ran:
                self.turns.append(Turn(Speaker.TOOL, turn.where, f"the user ran a command: {ran}"))
            return replace(turn, text=words, results=tuple(self._answer(one) for one in turn.results))
        return self._with_calls(turn)

    def _aside(self, turn: Turn) -> Turn:
        """Return a turn of a subagent: what it was told and what it says are words of agents."""
        self._inside = self._inside or bool(turn.calls)
        if turn.speaker is Speaker.AGENT:
            said = "\n".join((turn.reasoning, turn.text)).strip()
            return replace(self._with_calls(turn), text="", reasoning=said, spoke=False)
        if turn.text:
            self._strip(turn.where, turn.text, LeakRoute.THOUGHTS)
        return replace(turn, text="", results=tuple(self._answer(one) for one in turn.results))

    def _with_calls(self, turn: Turn) -> Turn:
        calls = tuple(self._bare(call, f"{turn.where}.calls[{at}]") for at, call in enumerate(turn.calls))
        return replace(turn, calls=calls)

    def _bare(self, call: Call, where: str) -> Call:
        name = call.name.casefold()
        self._tools[call.id or ""] = name
        explained = (key for key in EXPLAINED.get(name, ()) if key in call.arguments)
        hidden = [key for key in explained if not is_told_model(name, key)]
        for key in hidden:
            self._strip(f"{where}.{key}", call.arguments[key], LeakRoute.THOUGHTS)
        return Call(call.name, {key: value for key, value in call.arguments.items() if key not in hidden}, call.id)

    def _answer(self, result: Result) -> Result:
        tool = self._tools.get(result.call_id or "")
        if tool in _SUBAGENTS:
            result, self._inside = replace(result, inside=self._inside), False
        if tool == _ASKS:
            return replace(result, text=self._heard, hidden=not self._heard)
        return replace(result, hidden=True) if tool in MODEL_MADE else result

    def _strip(self, where: str, words: object, route: LeakRoute) -> None:
        self.stripped.append(Stripped(where, Plane.NARRATION, route, size_of(words)))


def answers_of(returned: dict[str, Any]) -> str:
    """Return what the user answered to questions; of a choice its number, for the words of it are an agent's."""
    answers = object_of(returned.get("answers"))
    found: list[str] = []
    for question, answer in answers.items():
        questions = objects_of(returned.get("questions"))
        asked_for = next((one for one in questions if one.get("question") == question), object_of(None))
        labels = [text_of(one.get("label")) for one in objects_of(asked_for.get("options"))]
        said = text_of(answer).strip()
        chosen = [at for at, label in enumerate(labels, 1) if label and (label == said or label in said.split(", "))]
        found.append(f"chose option {', '.join(map(str, chosen))}" if chosen else said)
    return "\n".join(filter(None, found))


def session_turns(lines: Sequence[SessionLine], subagent: Subagent, pictures: ChatPictures) -> SessionTurns:
    """Return the turns of lines."""
    told = SessionTurns(subagent, pictures)
    for line in lines:
        told.add(line)
    return told
