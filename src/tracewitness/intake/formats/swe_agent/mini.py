"""Trajectories of mini-swe-agent."""

import re
from collections.abc import Iterator
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.chats.content import Content, content_of
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.formats.swe_agent.endings import ended_by_agent
from tracewitness.intake.formats.swe_agent.instruction import issue_in
from tracewitness.intake.formats.swe_agent.told import NOT_DONE, SUBMIT, UNPARSED, Told, patch_in
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import object_of, objects_of, text_of

_BLOCK = re.compile(r"```(?:bash|mswea_bash_command|sh)?[ \t]*\n")
_FENCE = "\n```"
_HANDS_IN = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
MALFORMED = "FormatError"
_REFUSED = "Command not executed"
"""How the word of the first version begins that a user would not have a command carried out."""
_BREAKS = re.compile(r"&&|\|\||[;\n|]")
_SHOWING = frozenset({"echo", "cat", "true", "git"})
"""Commands by which an agent hands in; of git the agent needs ``add`` and ``diff``, which change no file."""


def told_by_mini(document: dict[str, Any], pictures: ChatPictures) -> Told:
    """Return what a trajectory of mini-swe-agent tells."""
    told = Told(text_of(document.get("trajectory_format")))
    info = object_of(document.get("info"))
    told.exit_status = text_of(info.get("exit_status"))
    messages = [_as_message(one) for one in objects_of(document.get("messages"))]
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
            told.turns += _of_environment(message, where, told, pending, pictures)
        elif role == "exit":
            told.turns += _handed_in(message, where)
        elif role == "system":
            told.turns.append(Turn(Speaker.SYSTEM, where, _text(message.get("content"))))
    told.gaps += pictures.gaps()
    told.notices += pictures.notices()
    told.stripped += _stripped(info, messages)
    _close(told, text_of(info.get("submission")))
    return told


def _as_message(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message; what models of the Responses interface leave is given the form of the others."""
    if message.get("type") == "function_call_output":
        return {**message, "role": "tool", "tool_call_id": message.get("call_id"), "content": message.get("output")}
    if message.get("object") != "response":
        return message
    items = objects_of(message.get("output"))
    said = [part for one in items if one.get("type") == "message" for part in objects_of(one.get("content"))]
    thought = [part for one in items for key in ("summary",) for part in objects_of(one.get(key))]
    return {
        **message,
        "role": "assistant",
        "content": said,
        "reasoning_content": _text(thought),
    }


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
        if not handing_in or not _only_hands_in(command):
            calls.append(Call("bash", {"command": command}, call_id))
        if handing_in:
            calls.append(Call(SUBMIT, {}, f"{where}#handed in"))
    calls = calls or [Call(UNPARSED, {}, f"{where}#0")]
    if calls[-1].name == SUBMIT:
        told.closing, words = (f"{where}.content", words.strip()), ""
    pending += calls
    reasoning = text_of(message.get("reasoning_content")) or text_of(message.get("thinking"))
    yield Turn(Speaker.AGENT, where, words, reasoning, tuple(calls))


def _only_hands_in(command: str) -> bool:
    """Tell whether a command does nothing besides handing in: it prints the mark, and shows what is handed in."""
    return all(part.split()[0] in _SHOWING for part in _BREAKS.split(command) if part.split())


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


def _of_environment(
    message: dict[str, Any], where: str, told: Told, pending: list[Call], pictures: ChatPictures
) -> Iterator[Turn]:
    extra = object_of(message.get("extra"))
    content = content_of(message.get("content"), f"{where}.content", pictures, shown_by_tool=True)
    stepped_in = text_of(extra.get("interrupt_type"))
    if stepped_in == MALFORMED or (pending and pending[0].name == UNPARSED):
        # what the tool says of a message without an action may quote that message
        told.stripped.append(Stripped(where, Plane.NARRATION, LeakRoute.ECHO, len(content.text)))
        if pending:
            yield Turn(Speaker.TOOL, where, results=(Result("", pending.pop(0).id),))
        return
    if stepped_in:
        yield Turn(Speaker.USER, where, content.text)
        return
    if _actions(message):
        yield Turn(Speaker.TOOL, where, f"the user ran a command. {content.text}")
        return
    given = text_of(message.get("tool_call_id"))
    open_calls = [call for call in pending if not given or call.id == given]
    if not open_calls:
        ran = "returncode" in extra
        yield Turn(Speaker.TOOL if ran else Speaker.USER, where, content.text, screenshot=content.screenshot)
        return
    # A command that hands in besides what it does is answered by what was handed in.
    call = next((one for one in pending if one.name == SUBMIT), open_calls[0])
    yield from _answered(message, where, content, call, pending)


def _answered(message: dict[str, Any], where: str, content: Content, call: Call, pending: list[Call]) -> Iterator[Turn]:
    pending.remove(call)
    text = content.text.strip()
    if call.name == SUBMIT:
        patch = patch_in(text)
        yield Turn(Speaker.TOOL, where, results=(Result("" if patch else text, call.id, hidden=True),))
        if patch:
            yield Turn(Speaker.TOOL, where, patch)
        return
    refused = text.startswith(_REFUSED)
    failed = refused or text_of(object_of(message.get("extra")).get("exception_info")) == NOT_DONE
    shown = Result(NOT_DONE if failed else text, call.id, failed, content.screenshot)
    yield Turn(Speaker.TOOL, where, results=(shown,))
    if refused:
        yield Turn(Speaker.USER, where, text)


def _handed_in(message: dict[str, Any], where: str) -> Iterator[Turn]:
    """Yield the patch that was handed in: it is what the environment says was changed."""
    patch = patch_in(_text(message.get("content")))
    if patch:
        yield Turn(Speaker.TOOL, where, patch)


def _close(told: Told, submission: str) -> None:
    """Add what was handed in to the last words, unless it is a patch, which says nothing."""
    where, words = told.closing
    if where and submission.strip() and not patch_in(submission):
        told.closing = (where, "\n\n".join(filter(None, (words, submission.strip()))))


def _stripped(info: dict[str, Any], messages: list[dict[str, Any]]) -> Iterator[Stripped]:
    if submission := text_of(info.get("submission")):
        yield Stripped("info.submission", Plane.REPORT, LeakRoute.FINAL_REPORT, len(submission))
    for at, message in enumerate(messages):
        if message.get("role") == "exit":
            size = size_of(message.get("content") or "")
            yield Stripped(f"messages[{at}]", Plane.REPORT, LeakRoute.FINAL_REPORT, size)
