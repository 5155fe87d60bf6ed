"""Calls that a model without function calling writes into its message as tags.

``<function=NAME>``, then ``<parameter=KEY>VALUE</parameter>`` for each argument, then ``</function>``.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars.parsed import Parsed

_OPENING = re.compile(r"<function=([^<>\s]{1,100})>")
_PARAMETER = re.compile(r"<parameter=([^<>\s]{1,100})>")
_CLOSING = "</function>"
_PARAMETER_CLOSING = "</parameter>"


def parse(text: str) -> Parsed | None:
    """Return the calls of a message and the words around them; None where it holds no call."""
    calls: list[Call] = []
    words: list[str] = []
    at = 0
    while opening := _OPENING.search(text, at):
        words.append(text[at : opening.start()])
        end = text.find(_CLOSING, opening.end())
        body = text[opening.end() : end if end >= 0 else len(text)]
        calls.append(Call(opening.group(1), dict(_arguments(body))))
        at = end + len(_CLOSING) if end >= 0 else len(text)
    words.append(text[at:])
    return Parsed(tuple(calls), "\n".join(filter(None, map(str.strip, words)))) if calls else None


def retold(text: str, words: str, arguments: Callable[[Call], Mapping[str, Any]]) -> str:
    """Return a message with the same calls in other words, each with the arguments that ``arguments`` gives for it."""
    parsed = parse(text)
    if parsed is None:
        return words
    written = [words]
    for call in parsed.calls:
        body = "".join(f"<parameter={key}>{value}{_PARAMETER_CLOSING}\n" for key, value in arguments(call).items())
        written.append(f"<function={call.name}>\n{body}{_CLOSING}")
    return "\n".join(written)


def _arguments(body: str) -> Iterator[tuple[str, str]]:
    at = 0
    while opening := _PARAMETER.search(body, at):
        end = body.find(_PARAMETER_CLOSING, opening.end())
        value = body[opening.end() : end if end >= 0 else len(body)]
        yield opening.group(1), value.strip("\n")
        at = end + len(_PARAMETER_CLOSING) if end >= 0 else len(body)
