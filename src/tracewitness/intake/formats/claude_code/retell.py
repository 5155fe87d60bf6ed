"""Retelling session files of Claude Code, with the files of their subagents."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.retelling_chats import RetoldMessages
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.claude_code.lines import CLEAR, SessionLine, ordered, subagent_names, words_of
from tracewitness.intake.formats.claude_code.read import read
from tracewitness.intake.formats.claude_code.split import EXPLAINED, MODEL_MADE
from tracewitness.intake.own_words import is_narrating
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.retelling_files import reports_of, write_lines
from tracewitness.intake.untyped import list_of, object_of, text_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the session and those of its subagents with what agents say, summaries and answers to it in other words."""
    session = _Session(RetoldMessages(say, flag, reports_of(read, candidate)))
    told = folder / candidate.path.name.removesuffix(".gz")
    write_lines(candidate.path, told, candidate.limits, session.told)
    beside = RunFolder(candidate.path.parent, candidate.limits)
    session.aside = True
    written = set[str]()
    while session.agents:
        for name in subagent_names(candidate.path, session.agents.pop()):
            if name in written:
                continue
            written.add(name)
            try:
                source = beside.locate(name)
            except IntakeError:
                continue
            if source.is_file():
                write_lines(source, folder / name, candidate.limits, session.told)
    return told


@dataclass(slots=True)
class _Session:
    """Puts other words for those of the agents, line by line.

    Attributes:
        messages: The words.
        aside: Whether the lines are those of a subagent, whose user is an agent as well.
        tools: The tools that were called, by the ids of the calls.
        agents: Subagents that were met and whose files are not written yet.
        ordered: Whether the user gave a command just before.
    """

    messages: RetoldMessages
    aside: bool = False
    tools: dict[str, str] = field(default_factory=dict[str, str])
    agents: list[str] = field(default_factory=list[str])
    ordered: bool = False

    def told(self, value: Any) -> Any:
        """Return a line in other words."""
        line = SessionLine("", object_of(value))
        if not line.value:
            return value
        told = {key: self._said(item) if key == "summary" else item for key, item in line.value.items()}
        if not line.message:
            return told
        if agent := text_of(object_of(line.value.get("toolUseResult")).get("agentId")):
            self.agents.append(agent)
            told["toolUseResult"] = {**self._hidden(line.value["toolUseResult"]), "agentId": agent}
        told["message"] = self._message(line)
        return told

    def _message(self, line: SessionLine) -> Any:
        message, content = line.message, line.message.get("content")
        if line.value.get("type") == "assistant":
            self.ordered = False
            told = object_of(self.messages.told({**message, "role": "assistant"}))
            told["role"] = message.get("role")
            blocks = told.get("content")
            return {
                **told,
                "content": [self._called(object_of(one)) for one in list_of(blocks)]
                if blocks and isinstance(blocks, list)
                else blocks,
            }
        before, self.ordered = self.ordered, False
        if before and line.value.get("isMeta") is True:
            return message  # the prompt that a command of the user stands for
        self.ordered = ordered(words_of(message)) is not None
        by_program = line.value.get("isMeta") is True or line.value.get("isCompactSummary") is True
        if by_program and CLEAR not in words_of(message):
            return {**message, "content": self._hidden(content)}
        aside = self.aside or line.value.get("isSidechain") is True or bool(line.value.get("parent_tool_use_id"))
        if isinstance(content, str):
            return {**message, "content": self._said(content) if aside else content}
        return {**message, "content": [self._shown(object_of(one), aside) for one in list_of(content)]}

    def _called(self, block: dict[str, Any]) -> dict[str, Any]:
        if block.get("type") != "tool_use":
            return block
        name = text_of(block.get("name")).casefold()
        self.tools[text_of(block.get("id"))] = name
        given = object_of(block.get("input"))
        said = {key: self._said(given[key]) for key in EXPLAINED.get(name, ()) if key in given}
        return {**block, "input": {**given, **said}} if said else block

    def _shown(self, block: dict[str, Any], aside: bool) -> dict[str, Any]:
        tool = self.tools.get(text_of(block.get("tool_use_id")), "")
        if block.get("type") == "tool_result" and (tool in MODEL_MADE or is_narrating(tool)):
            return {**block, "content": self._hidden(block.get("content"))}
        if block.get("type") == "tool_result":
            return {**block, "content": self.messages.calls.answered(block.get("content"))}
        return {**block, "text": self._said(block["text"])} if aside and "text" in block else block

    def _hidden(self, value: Any) -> Any:
        """Return a value with every text in it in other words, but for what tells the kinds of its parts."""
        if isinstance(value, Mapping):
            keys = object_of(value)
            return {key: item if key in ("type", "data") else self._hidden(item) for key, item in keys.items()}
        return [self._hidden(one) for one in list_of(value)] if isinstance(value, list) else self._said(value)

    def _said(self, value: Any) -> Any:
        return self.messages.say(Plane.NARRATION) if isinstance(value, str) else value
