"""Trajectories of mini-swe-agent."""

import re
from collections.abc import Iterator
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.formats.swe_agent.endings import ended_by_agent
from tracewitness.intake.formats.swe_agent.instruction import issue_in
from tracewitness.intake.formats.swe_agent.told import SUBMIT, UNPARSED, Told
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import object_of, objects_of, text_of

_BLOCK = re.compile(r"```(?:bash|mswea_bash_command|sh)?[ \t]*\n")
_FENCE = "\n```"
_HANDS_IN = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_NOT_CARRIED_OUT = "action was not executed"
_PATCH = "diff --git "


def told_by_mini(document: dict[str, Any]) -> Told:
    """Return what a trajectory of mini-swe-agent tells."""
    told = Told(text_of(document.get("trajectory_format")))
    info = object_of(document.get("info"))
    told.exit_status = text_of(info.get("exit_status"))
    messages = objects_of(document.get("messages"))
    last = max((at for at, message in enumerate(messages) if message.get("role") == "assistant"), default=-1)
    pending: list[Call] = []
    acted = False  # what a user says behind the agent's first words is an answer, which may quote them
    for at, message in enumerate(messages):
        where = f"messages[{at}]"
        role = message.get("role")
        if role == "assistant":
            pending, acted = [], True
            told.turns += _of_agent(message, where, told, pending, last=at == last)
        elif role == "user" and not told.task and not acted:
            told.task = issue_in(_text(message.get("content")))
        elif role in ("user", "tool"):
            told.turns += _of_environment(message, where, told, pending)
        elif role == "system":
            told.turns.append(Turn(Speaker.SYSTEM, where, _text(message.get("content"))))
    told.stripped += _stripped(info, messages)
    _close(told, text_of(info.get("submission")))
    return told


def _text(content: Any) -> str:
    return text_of(content) or "\n".join(filter(None, (text_of(part.get("text")) for part in objects_of(content))))


def _of_agent(message: dict[str, Any], where: str, told: Told, pending: list[Call], *, last: bool) -> Iterator[Turn]:
    content = _text(message.get("content"))
    commands = [text_of(action.get("command")) for action in _actions(message)]
    words = content
    if not commands:
        commands, words = _commands_in(content)
    ids = [text_of(action.get("tool_call_id")) for action in _actions(message)]
    ends = last and ended_by_agent(told.exit_status)
    calls: list[Call] = []
    for at, command in enumerate(commands):
        call_id = (ids[at] if at < len(ids) else "") or f"{where}#{at}"
        handing_in = ends and any(mark in command for mark in _HANDS_IN)
        calls.append(Call(SUBMIT, {}, call_id) if handing_in else Call("bash", {"command": command}, call_id))
    calls = calls or [Call(UNPARSED, {}, f"{where}#0")]
    if calls[-1].name == SUBMIT:
        told.closing, words = (f"{where}.content", words.strip()), ""
    pending += calls
    reasoning = text_of(message.get("reasoning_content")) or text_of(message.get("thinking"))
    yield Turn(Speaker.AGENT, where, words, reasoning, tuple(calls))


def _actions(message: dict[str, Any]) -> list[dict[str, Any]]:
    return objects_of(object_of(message.get("extra")).get("actions"))


def _commands_in(content: str) -> tuple[list[str], str]:
    """Return the command of a message and the words around it; none unless there is just one, as the tool asks for."""
    openings = list(_BLOCK.finditer(content))
    if not openings:
        return [], content
    start = openings[0]
    end = content.find(_FENCE, start.end())
    if end < 0:
        return [], content
    rest = content[end + len(_FENCE) :]
    if _BLOCK.search(rest):
        return [], content
    return [content[start.end() : end].strip()], f"{content[: start.start()].strip()}\n{rest.strip()}".strip()


def commands_of(message: dict[str, Any]) -> list[str]:
    """Return the commands of a message of the agent."""
    listed = [text_of(action.get("command")) for action in _actions(message)]
    return listed or _commands_in(_text(message.get("content")))[0]


def fenced_part(content: Any) -> str:
    """Return the block of a content in which its one command stands, with its fences; empty where there is none."""
    text = _text(content)
    if not _commands_in(text)[0]:
        return ""
    start = next(_BLOCK.finditer(text))
    return text[start.start() : text.find(_FENCE, start.end()) + len(_FENCE)]


def _of_environment(message: dict[str, Any], where: str, told: Told, pending: list[Call]) -> Iterator[Turn]:
    extra = object_of(message.get("extra"))
    content = _text(message.get("content"))
    if extra.get("interrupt_type") or (pending and pending[0].name == UNPARSED):
        # what the tool says of a message without an action may quote that message
        told.stripped.append(Stripped(where, Plane.NARRATION, LeakRoute.ECHO, len(content)))
        return
    given = text_of(message.get("tool_call_id"))
    open_calls = [call for call in pending if not given or call.id == given]
    if not open_calls:
        yield Turn(Speaker.USER, where, content)
        return
    call = open_calls[0]
    pending.remove(call)
    failed = text_of(extra.get("exception_info")) == _NOT_CARRIED_OUT
    text = _NOT_CARRIED_OUT if failed else content.strip()
    yield Turn(Speaker.TOOL, where, results=(Result(text, call.id, failed, hidden=call.name == SUBMIT),))


def _close(told: Told, submission: str) -> None:
    """Add what was handed in to the last words, unless it is a patch, which says nothing."""
    where, words = told.closing
    if where and submission.strip() and not submission.lstrip().startswith(_PATCH):
        told.closing = (where, "\n\n".join(filter(None, (words, submission.strip()))))


def _stripped(info: dict[str, Any], messages: list[dict[str, Any]]) -> Iterator[Stripped]:
    if submission := text_of(info.get("submission")):
        yield Stripped("info.submission", Plane.REPORT, LeakRoute.FINAL_REPORT, len(submission))
    for at, message in enumerate(messages):
        if message.get("role") == "exit":
            size = size_of(message.get("content") or "")
            yield Stripped(f"messages[{at}]", Plane.REPORT, LeakRoute.FINAL_REPORT, size)
