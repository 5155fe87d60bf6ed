"""Batches of terminal commands that an agent writes as its whole message, as JSON or between tags.

JSON is ``{"analysis", "plan", "commands": [{"keystrokes", "duration"}], "task_complete"}``; tags are ``<response>``
with ``<analysis>``, ``<plan>``, ``<commands><keystrokes duration="0.1">...</keystrokes></commands>`` and
``<task_complete>true</task_complete>``. Words around either are tolerated, as the tool that runs them does.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.grammars.parsed import Parsed
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.untyped import object_of, objects_of, text_of

COMMAND = "bash_command"
COMPLETE = "mark_task_complete"

_KEYS = frozenset({"analysis", "plan", "commands"})
_KEYSTROKES = re.compile(r'<keystrokes(?:\s+duration="([0-9.]{1,12})")?\s*>')
_CLOSING = "</keystrokes>"
_COMPLETE_TAG = re.compile(r"<task_complete>\s{0,100}true\s{0,100}</task_complete>", re.IGNORECASE)


def parse(text: str) -> Parsed | None:
    """Return the commands of a message and the words around them; None where it is no batch."""
    return _of_json(text) or _of_tags(text)


def retold(text: str, words: str) -> str:
    """Return a message with the same commands in other words."""
    parsed = _of_json(text)
    value = _json_object(text) if parsed else {}
    if parsed is not None:
        return json.dumps({**value, **{key: words for key in ("analysis", "plan") if key in value}})
    if _of_tags(text) is None:
        return words
    start = text.find("<commands>")
    end = text.find("</commands>", start)
    commands = text[start : end + len("</commands>")] if 0 <= start < end else ""
    complete = "<task_complete>true</task_complete>" if _COMPLETE_TAG.search(text) else ""
    return f"<response>\n<analysis>{words}</analysis>\n<plan>{words}</plan>\n{commands}\n{complete}</response>"


def _json_object(text: str) -> dict[str, Any]:
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end:
        return {}
    try:
        return object_of(parse_json(text[start : end + 1]))
    except IntakeError:
        return {}


def _of_json(text: str) -> Parsed | None:
    value = _json_object(text)
    if not value.keys() >= {"commands"} or len(_KEYS & value.keys()) < 2:
        return None
    calls = [Call(COMMAND, _command(item)) for item in objects_of(value["commands"])]
    if value.get("task_complete") in (True, "true", "True"):
        calls.append(Call(COMPLETE, {"completed": True}))
    words = "\n".join(filter(None, (text_of(value.get(key)).strip() for key in ("analysis", "plan"))))
    return Parsed(tuple(calls), words)


def _command(item: dict[str, Any]) -> dict[str, Any]:
    return {key: item[key] for key in ("keystrokes", "duration") if key in item}


def _of_tags(text: str) -> Parsed | None:
    if "<response>" not in text or ("<commands>" not in text and not _COMPLETE_TAG.search(text)):
        return None
    commands = _between(text, "commands")
    calls = [Call(COMMAND, arguments) for arguments in _keystrokes(commands)]
    if _COMPLETE_TAG.search(text):
        calls.append(Call(COMPLETE, {"completed": True}))
    words = "\n".join(filter(None, (_between(text, name).strip() for name in ("analysis", "plan"))))
    return Parsed(tuple(calls), words)


def _between(text: str, name: str) -> str:
    _, _, after = text.partition(f"<{name}>")
    return after.partition(f"</{name}>")[0]


def _keystrokes(commands: str) -> Iterator[dict[str, Any]]:
    at = 0
    while opening := _KEYSTROKES.search(commands, at):
        end = commands.find(_CLOSING, opening.end())
        keys = commands[opening.end() : end if end >= 0 else len(commands)]
        duration = {"duration": opening.group(1)} if opening.group(1) else {}
        yield {"keystrokes": keys, **duration}
        at = end + len(_CLOSING) if end >= 0 else len(commands)
