"""The text actions of ReAct agents, as the paper, LangChain and their many kin write them.

``Thought: ...`` and then ``Action: search[query]``, or ``Action: search`` with ``Action Input: ...`` below, or an
object with the keys ``action`` and ``action_input``. They end by ``Final Answer: ...``, or by an action that is called
so. What answers an action comes back in the user's name, behind ``Observation:``.
"""

import re

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.finishing import bare, is_finish_like
from tracewitness.intake.grammars.opening import Opening
from tracewitness.intake.grammars.parsed import Parsed
from tracewitness.intake.own_words import explains
from tracewitness.intake.untyped import text_of
from tracewitness.intake.written_objects import written_object

_OBSERVED = "Observation:"
_SEEN_BY_AGENT = re.compile(r"^Observation(?: \d{1,4})?:", re.MULTILINE)
_ACTION = re.compile(r"^(?:Action|Act)(?: \d{1,4})?:[ \t]{0,9}(\S[^\n]{0,5000})$", re.MULTILINE)
_INPUT = re.compile(r"^Action Input(?: \d{1,4})?:", re.MULTILINE)
_FINAL = re.compile(r"^Final Answer:", re.MULTILINE)
_BRACKETS = re.compile(r"([A-Za-z][\w -]{0,60})\[(.{0,5000})\]\s{0,9}", re.DOTALL)
_NAME = re.compile(r"`?([A-Za-z][\w .-]{0,80})`?\s{0,9}")
_FENCED = re.compile(r"```(?:json)?[ \t]{0,9}\n(.*?)\n?```", re.DOTALL)
_ENDS = bare("final_answer")


def parse(text: str) -> Parsed | None:
    """Return the call of a text and the words around it; what the agent itself makes up as an observation is words."""
    seen = _SEEN_BY_AGENT.search(text)
    own, rest = (text[: seen.start()], text[seen.end() :]) if seen else (text, "")
    found = _of_object(own) or _of_labels(own)
    return None if found is None else Parsed((found[0],), f"{found[1].strip()}\n{rest.strip()}".strip())


def _of_labels(text: str) -> tuple[Call, str] | None:
    actions, final = list(_ACTION.finditer(text)), _FINAL.search(text)
    if final is not None and not actions:
        return Call("final_answer", {"answer": text[final.end() :].strip()}), text[: final.start()]
    if not actions:
        return None
    given = _INPUT.search(text, actions[-1].end())
    named = _NAME.fullmatch(actions[-1].group(1))
    if given is not None and named is not None:
        return _called(named.group(1), text[given.end() :].strip()), text[: actions[-1].start()]
    inner = _BRACKETS.fullmatch(actions[-1].group(1))
    return (_called(inner.group(1), inner.group(2)), _without(text, actions[-1])) if inner else None


def _of_object(text: str) -> tuple[Call, str] | None:
    """Return the call of an object with an action and its input, alone or between fences, and the words around it."""
    fenced = _FENCED.search(text)
    held = written_object(fenced.group(1) if fenced else text)
    name = text_of((held or {}).get("action"))
    if held is None or not name or "action_input" not in held:
        return None
    said = [item for key, item in held.items() if isinstance(item, str) and explains(key)]
    around = _without(text, fenced) if fenced else ""
    return _called(name, held["action_input"]), "\n".join((*said, around))


def _called(name: str, given: object) -> Call:
    name = name.strip().replace(" ", "_")
    if isinstance(given, str) and (bare(name) == _ENDS or is_finish_like(name)):
        return Call(name, {"answer": given})
    return call_of(name, given)


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]}\n{text[found.end() :]}"


def opening(text: str) -> Opening | None:
    """Return what was seen, where words in the user's name are an observation."""
    bare_text = text.lstrip()
    if not bare_text.startswith(_OBSERVED):
        return None
    return Opening("", seen=bare_text.removeprefix(_OBSERVED).strip())
