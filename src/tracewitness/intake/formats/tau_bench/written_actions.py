"""The actions of agents that write them as text: the strategies ``act`` and ``react`` of tau-bench.

A message of the agent is ``Thought: ...`` (react alone) and then ``Action: {"name": ..., "arguments": {...}}``; what is
no JSON is said to the user. An action called ``respond`` is said to the user as well. What a tool answers comes back in
the user's name, behind ``API output: ``.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import object_of, text_of

_ACTION, _THOUGHT, OUTPUT = "Action:", "Thought:", "API output: "
_RESPOND, _CONTENT = "respond", "content"
_MOST = 20
"""Labels of a message that are tried; an agent may write the label in a thought or within an argument."""


@dataclass(frozen=True, slots=True)
class Written:
    """A message of the agent taken apart.

    Attributes:
        thought: What it thinks.
        name: What it calls; empty where it speaks to the user.
        arguments: With which arguments.
        said: What it says to the user.
        in_form: Whether it is written as the tool asks for it.
    """

    thought: str
    name: str = ""
    arguments: Mapping[str, Any] | None = None
    said: str = ""
    in_form: bool = True


def written(text: str) -> Written:
    """Return a message of the agent taken apart: what stands behind the last label that JSON follows, else the last."""
    last = None
    end = len(text)
    for _ in range(_MOST):
        at = text.rfind(_ACTION, 0, end)
        one = _taken_apart(text[: max(at, 0)], text[at + len(_ACTION) :] if at >= 0 else text)
        if one.in_form:
            return one
        last, end = last or one, at
        if at <= 0:
            break
    return last or Written("", said=text, in_form=False)


def _taken_apart(ahead: str, action: str) -> Written:
    thought = ahead.strip().removeprefix(_THOUGHT).strip()
    called = _object(action.strip())
    name, arguments = text_of(called.get("name")), object_of(called.get("arguments"))
    if not name or "arguments" not in called:
        return Written(thought, said=action.strip(), in_form=False)
    if name == _RESPOND and _CONTENT in arguments:
        return Written(thought, said=text_of(arguments[_CONTENT]))
    return Written(thought, name, arguments)


def _object(text: str) -> dict[str, Any]:
    try:
        return object_of(parse_json(text)) if text.startswith("{") else {}
    except IntakeError:
        return {}


def are_written(turns: Sequence[Turn]) -> bool:
    """Tell whether the agent of a conversation writes its actions: it calls no tool, and its texts have that form."""
    if any(turn.calls or turn.results for turn in turns):
        return False
    return any(turn.speaker is Speaker.AGENT and written(turn.text).in_form for turn in turns)


def with_calls(turns: Sequence[Turn]) -> list[Turn]:
    """Return turns with the written actions as calls, and what answers them as results."""
    told, called = list[Turn](), False
    for at, turn in enumerate(turns):
        following = turns[at + 1] if at + 1 < len(turns) else None
        if turn.speaker is Speaker.AGENT:
            one = _acted(turn, following is None or following.text.startswith(OUTPUT))
            called = bool(one.calls)
            told.append(one)
        elif turn.speaker is Speaker.USER and called and turn.text.startswith(OUTPUT):
            result = Result(turn.text.removeprefix(OUTPUT))
            told.append(replace(turn, speaker=Speaker.TOOL, text="", results=(result,)))
        else:
            told.append(turn)
    return told


def _acted(turn: Turn, answered: bool) -> Turn:
    """Return a turn with its call. One that is answered as words are was taken for words by the tool."""
    one = written(turn.text)
    if one.name and not answered:
        one = Written(one.thought, said=turn.text.rpartition(_ACTION)[2].strip())
    reasoning = "\n".join(filter(None, (turn.reasoning, one.thought)))
    if not one.name:
        return replace(turn, text=one.said, reasoning=reasoning, spoke=True)
    return replace(turn, text="", reasoning=reasoning, calls=(Call(one.name, one.arguments or {}),))


def rewritten(thought: str, name: str, arguments: Mapping[str, Any]) -> str:
    """Return a message that calls something, as the tool wants it."""
    call = json.dumps({"name": name, "arguments": dict(arguments)}, ensure_ascii=False)
    return f"{_THOUGHT}\n{thought}\n{_ACTION}\n{call}" if thought else f"{_ACTION}\n{call}"


def said_to_user(thought: str, words: str) -> str:
    """Return a message that says something to the user."""
    return rewritten(thought, _RESPOND, {_CONTENT: words})
