"""Taking the one executed call out of a model response, and leaving every other word behind.

A response is free text with labelled lines. Two dialects are known: ``Action:`` carries the call and ``Summary:`` ends
the response; or ``Function:`` carries the call and a prose ``Action:`` line stands before it, which must not win.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

LABEL = re.compile(
    r"^[ \t*#]*(Observation|Thought|Intermediate Goal|Next Step|Action|Function|Summary)[ \t*]*:[ \t*]*", re.MULTILINE
)
_AREA = r"\s*\"?'?([\w-]+)'?\"?\s*"
_TEXT_TO_THE_END = re.compile(r"\btext\((.*)\)$")
_CALLS = (
    ("swipe_grid", re.compile(rf"\bswipe\(\s*(\d{{1,9}})\s*,{_AREA},\s*(\d{{1,9}})\s*,{_AREA}\)")),
    ("swipe", re.compile(rf"\bswipe\(\s*(-?\d{{1,9}})\s*,{_AREA},{_AREA}\)")),
    ("tap_grid", re.compile(rf"\btap\(\s*(\d{{1,9}})\s*,{_AREA}\)")),
    ("long_press_grid", re.compile(rf"\blong_press\(\s*(\d{{1,9}})\s*,{_AREA}\)")),
    ("tap", re.compile(r"\btap\(\s*(-?\d{1,9})\s*\)")),
    ("long_press", re.compile(r"\blong_press\(\s*(-?\d{1,9})\s*\)")),
    ("grid", re.compile(r"\bgrid\(\s*\)")),
    ("text", _TEXT_TO_THE_END),
    ("text", re.compile(r"\btext\(\s*(\"[^\"]*\"|'[^']*')\s*\)")),
)
_ASKED = "<The function call"
_FINISH = re.compile(r"\bFINISH\b(?:\(\))?")


class Dialect(StrEnum):
    """Which label carries the call."""

    ACTION = "Action:"
    FUNCTION = "Function:"


@dataclass(frozen=True, slots=True)
class Call:
    """The executed call: its name (``finish`` and ``unparsed`` included), its arguments, and how it was written."""

    name: str
    arguments: tuple[str, ...] = ()
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """One response, sorted.

    Attributes:
        call: The call.
        dialect: Which label carried it.
        closing: With FINISH, the Summary and whatever else stands beside it: the agent's final words. Else empty.
        words: Everything else the agent wrote.
    """

    call: Call
    dialect: Dialect
    closing: str
    words: str


def dialect_of(prompt: str) -> Dialect | None:
    """Return the dialect that a run's first prompt asks for, or None where it does not say."""
    return next((dialect for dialect in Dialect if f"\n{dialect.value} {_ASKED}" in prompt), None)


def sort_response(text: str, dialect: Dialect | None = None) -> Response:
    """Sort one response. A response without a readable call gives the call ``unparsed`` (the tool then gave up).

    The tool executes the first call it can read. Everything from the Summary on is the Summary, labels and all: so no
    wording of the final words can pass for a call.

    Args:
        text: The response.
        dialect: The dialect of the run, so that a thought with a label of the other one cannot pass for a call; None
            where it is not known and the response itself must tell.
    """
    sections, summary = _sections(text)
    if dialect is None:
        dialect = Dialect.FUNCTION if any(label == "Function" for label, _ in sections) else Dialect.ACTION
    carrier = dialect.value.removesuffix(":")
    call, rest = _first_call([body for label, body in sections if label == carrier])
    words = "\n".join(f"{label}: {body}".strip(": \n") for label, body in sections if label != carrier)
    if call.name == "finish":
        return Response(call, dialect, _joined(rest, summary), words)
    return Response(call, dialect, "", _joined(words, rest, summary))


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def _sections(text: str) -> tuple[list[tuple[str, str]], str]:
    """Return (label, body) in order up to the Summary, and the Summary; words before any label have an empty label."""
    marks = list(LABEL.finditer(text))
    closing = next((mark for mark in marks if mark.group(1) == "Summary"), None)
    end = closing.start() if closing else len(text)
    marks = [mark for mark in marks if mark.start() < end]
    sections = [("", text[: marks[0].start() if marks else end])]
    ends = [mark.start() for mark in marks[1:]] + [end]
    for mark, following in zip(marks, ends, strict=False):
        sections.append((mark.group(1), text[mark.end() : following]))
    summary = text[closing.end() :].strip() if closing else ""
    return [(label, body) for label, body in sections if body.strip()], summary


def _first_call(carried: list[str]) -> tuple[Call, str]:
    """Return the first readable call of the carrying lines, and the words around it."""
    for at, body in enumerate(carried):
        first, _, below = body.strip().partition("\n")
        call = _read_call(first.strip().strip("`"))
        if call is not None:
            around = first.replace(call.written or "", "", 1).strip(" `.;:*")
            others = (other.strip() for other in (*carried[:at], *carried[at + 1 :]))
            return call, _joined(around, below.strip(), *others)
    return Call("unparsed"), "\n".join(carried).strip()


def _read_call(line: str) -> Call | None:
    if _FINISH.match(line):
        return Call("finish", (), "FINISH")
    line = line.rstrip()
    for name, pattern in _CALLS:
        if pattern is _TEXT_TO_THE_END and not line.endswith(")"):
            continue  # the search would go to the end of the line from every "text(" in it
        found = pattern.search(line)
        if found:
            return Call(name, tuple(found.groups()), found.group())
    return Call("finish", (), "FINISH") if _FINISH.search(line) else None


def typed_text(argument: str) -> str:
    """Return what ``text("...")`` typed: the argument without its quotes."""
    bare = argument.strip()
    if len(bare) >= 2 and bare[0] == bare[-1] and bare[0] in "\"'":
        return bare[1:-1]
    return bare.strip("\"'")
