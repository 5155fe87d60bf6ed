"""Calls as JSON between ``<tool_call>`` tags, as GUI-Owl, Qwen and others write them.

The user's words of these agents are ``The user query: ...`` with what the agent did so far behind it.
"""

import re
from dataclasses import replace

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.grammars.opening import Opening
from tracewitness.intake.grammars.parsed import Parsed
from tracewitness.intake.untyped import text_of
from tracewitness.intake.written_objects import written_object

NAMES = {"interact": "ask_user", "calluser": "ask_user"}
"""What agents of this kind call the question that they put to their user."""
_BEGIN, _END = "<tool_call>", "</tool_call>"
_QUERY = re.compile(
    r"\s{0,20}The user query:\s{0,5}(.*?)"
    r"(\n\s{0,20}(?:Task progress\b|History:|Previous actions:|Current step query:|Before answering)|\Z)",
    re.DOTALL,
)
_INSTRUCTION = re.compile(r"Instruction:\s{0,5}(.*?)(\n\s{0,20}(?:Previous actions|History|Task progress):)", re.DOTALL)


def parse(text: str) -> Parsed | None:
    """Return the calls of a text and the words around them; None where it holds none."""
    calls: list[Call] = []
    words: list[str] = []
    at = 0
    while (start := text.find(_BEGIN, at)) >= 0:
        words.append(text[at:start])
        end = text.find(_END, start)
        end = end if end >= 0 else len(text)
        written = written_object(text[start + len(_BEGIN) : end]) or {}
        if text_of(written.get("name")):
            call = call_of(text_of(written.get("name")), written.get("arguments", written.get("parameters")))
            calls.append(replace(call, name=NAMES.get(call.name, call.name)))
        else:
            words.append(text[start + len(_BEGIN) : end])
        at = end + len(_END)
    words.append(text[at:])
    return Parsed(tuple(calls), "\n".join(filter(None, map(str.strip, words)))) if calls else None


def opening(text: str) -> Opening | None:
    """Return the task apart from what the agent did before, which stands beside it in every turn."""
    found = _QUERY.match(text) or _INSTRUCTION.search(text)
    if found is None:
        return None
    return Opening(found.group(1).strip(), past=text[: found.start()] + text[found.start(2) :])
