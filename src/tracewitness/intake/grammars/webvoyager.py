"""The text actions of WebVoyager: ``Thought: ...`` and then ``Action: Click [8]``, ``Action: ANSWER; [...]``.

The user's first words are the task and the page it starts on; later ones are observations around a list of elements.
"""

import re

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars.opening import Opening
from tracewitness.intake.grammars.parsed import Parsed
from tracewitness.intake.retold_past import without_own_past

_LABEL = re.compile(r"Thought:|Action:|Observation:")
_CALLS = (
    ("answer", re.compile(r"ANSWER[; ]{1,5}\[?(.*)", re.DOTALL)),
    ("click", re.compile(r"Click \[?(\d{1,6})\]?")),
    ("type", re.compile(r"Type \[?(\d{1,6})\]?[; ]{1,5}\[?([^\]]*)\]?")),
    ("scroll", re.compile(r"Scroll \[?(\d{1,6}|WINDOW)\]?[; ]{1,5}\[?(up|down)\]?")),
    ("wait", re.compile(r"Wait")),
    ("go_back", re.compile(r"GoBack")),
    ("google", re.compile(r"Google")),
)
TASK = "Now given a task:"
_BEHIND_TASK = re.compile(r"\s{0,5}Please interact with (\S{1,2000}) and get the answer\.")
_OMITTED = "A screenshot and some texts. (Omitted in context.)"
_PREAMBLE = re.compile(r"please analyze the attached screenshot and give the Thought and Action\.")
_LIST = "textual information.\n"
_ASSISTANT = "get the following response: "
_ASSISTANT_END = "Please analyze the response given by Assistant"
_TAG = re.compile(r"^\[(\d{1,6})\]:\s{0,3}(?:<([A-Za-z]{1,20})>)?")
_ITEM = re.compile(r"^\[\d{1,6}\]:", re.MULTILINE)
_NAMED = re.compile(r'^\[(\d{1,6})\] [a-z]{0,20} ?"([^"\n]{0,300})"', re.MULTILINE)


def parse(text: str) -> Parsed | None:
    """Return the call of a text: what stands behind its second label, as the tool itself reads it."""
    found = _found(text)
    if found is None:
        return None
    call, label, _, end = found
    return Parsed((call,), _LABEL.sub("", text[:label] + "\n" + text[end:]).strip())


def acting_part(text: str) -> str | None:
    """Return how a text writes its call; None where it holds none."""
    found = _found(text)
    return None if found is None else text[found[2] : found[3]].strip()


def _found(text: str) -> tuple[Call, int, int, int] | None:
    """Return the call of a text, where its label begins and ends, and where it ends itself."""
    marks = list(_LABEL.finditer(text))
    if len(marks) < 2:
        return None
    for mark in (marks[1], marks[-1]):
        following = next((one.start() for one in marks if one.start() > mark.start()), len(text))
        call, end = _call(text, mark.end(), following)
        if call is not None:
            return call, mark.start(), mark.end(), end
    return None


def _call(text: str, start: int, following: int) -> tuple[Call | None, int]:
    while start < len(text) and text[start] in " \t\n*":
        start += 1
    for name, written in _CALLS:
        found = written.match(text, start, len(text) if name == "answer" else following)
        if found is None:
            continue
        if name == "answer":
            return Call(name, {"text": found.group(1).strip().removesuffix("]")}), len(text)
        arguments: dict[str, str] = dict(
            zip(("label", "direction" if name == "scroll" else "text"), found.groups(), strict=False)
        )
        return Call(name, arguments), found.end()
    return None, start


def opening(text: str) -> Opening | None:
    """Return task and start page, with what was seen; for later turns what was seen alone."""
    bare = text.lstrip()
    if not bare.startswith(TASK):
        return Opening("", *observed(bare)) if bare.startswith("Observation") else None
    behind = _BEHIND_TASK.search(bare)
    if behind is None:
        return Opening(bare.removeprefix(TASK).strip())
    seen, url, past = observed(bare[behind.end() :])
    return Opening(bare[len(TASK) : behind.start()].strip(), seen, url or behind.group(1), past)


def retold_observation(text: str, words: str) -> str:
    """Return words of the user with other ones for what a model wrote in them about a file."""
    start = text.find(_ASSISTANT)
    if start < 0:
        return text
    end = text.rfind(_ASSISTANT_END, start)
    return f"{text[: start + len(_ASSISTANT)]}{words}\n{text[end:] if end >= 0 else ''}"


def observed(text: str) -> tuple[str, None, str]:
    """Return what an observation shows, without the request around it, and what a model wrote in it about a file."""
    told, past = text, ""
    start = told.find(_ASSISTANT)
    if start >= 0:
        end = told.rfind(_ASSISTANT_END, start)  # the answers may be several, and may hold any words
        past = told[start + len(_ASSISTANT) : end if end >= 0 else len(told)]
        told = told[:start] + (told[end + len(_ASSISTANT_END) :] if end >= 0 else "")
    ahead, elements = _listed(told)
    notice = _PREAMBLE.split(ahead, maxsplit=1)[0]
    notice = notice.replace(_OMITTED, "").strip().removeprefix("Observation:").strip()
    notice, told_again = without_own_past(notice)
    past = "\n".join(filter(None, (past.strip(), told_again.strip())))
    lines = [one.strip() for one in elements.replace(";\t", ";\n").split("\n")]
    shown = [_TAG.sub(r"[\1] \2", one.removesuffix(";")) for one in lines]
    return "\n".join(filter(None, [notice, *shown])), None, past


def _listed(told: str) -> tuple[str, str]:
    """Return what stands ahead of the list of elements, and the list; forks word the request ahead of it otherwise."""
    at = told.find(_LIST)
    if at >= 0:
        return told[:at], told[at + len(_LIST) :]
    first = _ITEM.search(told)
    return (told[: first.start()], told[first.start() :]) if first else (told, "")


def labels(text: str) -> dict[str, str]:
    """Return the names of the elements that an observation lists, by their labels."""
    return {found.group(1): found.group(2).strip() for found in _NAMED.finditer(text) if found.group(2).strip()}
