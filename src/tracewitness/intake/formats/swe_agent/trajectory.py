"""Trajectories and demonstrations of SWE-agent."""

import re
from collections.abc import Iterator
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.swe_agent.detect import attempts_of
from tracewitness.intake.formats.swe_agent.endings import ended_by_agent, lost_the_last_action
from tracewitness.intake.formats.swe_agent.instruction import issue_in
from tracewitness.intake.formats.swe_agent.told import NOT_DONE, SUBMIT, UNPARSED, Told, patch_in
from tracewitness.intake.inline import inline_digest
from tracewitness.intake.own_words import explains, is_narrating, size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.trace_side.trace import Screenshot
from tracewitness.values.plurals import plural

_ENDING = frozenset({"submit", "exit_forfeit", "exit"})
_OF_THE_TOOL = frozenset({"exit_context", "exit_cost", "exit_error", "exit_format", "exit_api"})
"""Actions that older versions note down when the tool itself ends the run."""
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\((data:image/[\w.+-]{1,30};base64,[A-Za-z0-9+/=\s]+)\)")
_NOT_SET = frozenset({"", "n/a"})


def told_by_trajectory(document: dict[str, Any]) -> Told:
    """Return what a trajectory of SWE-agent tells."""
    told = Told("SWE-agent" if "trajectory" in document else "SWE-agent demonstration")
    told.exit_status = text_of(object_of(document.get("info")).get("exit_status"))
    told.task = next(filter(None, (_task_of(message) for message in _own_history(document))), "")
    rounds = _rounds(document)
    if len(rounds) != len(list_of(document.get("trajectory"))) and "trajectory" in document:
        told.gaps.append(Gap.MISSING_STEPS)
    for at, (where, one) in enumerate(rounds):
        told.turns += _turns(one, where, told, last=at == len(rounds) - 1)
    if rounds and not _command(rounds[-1][1]) and lost_the_last_action(told.exit_status):
        told.gaps.append(Gap.MISSING_STEPS)
    _close(told, text_of(object_of(document.get("info")).get("submission")).strip())
    told.stripped += _stripped(document)
    if attempts := attempts_of(document):
        told.notices.append(f"of {plural(len(attempts), 'attempt')} the one that the tool chose is read")
        told.stripped.append(Stripped("attempts", Plane.NARRATION, LeakRoute.ECHO, size_of(attempts)))
    return told


def _close(told: Told, submission: str) -> None:
    """Add what was handed in to the last words, unless it is a patch, which says nothing."""
    where, words = told.closing
    if where and submission and not patch_in(submission):
        told.closing = (where, "\n\n".join(filter(None, (words, submission))))


def _rounds(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    rounds = objects_of(document.get("trajectory"))
    if rounds or "trajectory" in document:
        return [(f"trajectory[{at}]", one) for at, one in enumerate(rounds)]
    return list(_rounds_of_history(objects_of(document.get("history"))))


def _rounds_of_history(history: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rounds of a demonstration: each action with the message that answers it."""
    for at, message in enumerate(history):
        if message.get("is_demo") is True or message.get("role") != "assistant":
            continue
        answer = history[at + 1] if at + 1 < len(history) and history[at + 1].get("role") != "assistant" else {}
        shown = {"observation": _text(answer.get("content"))} if answer else {}
        yield f"history[{at}]", {**message, "response": message.get("content"), **shown}


def _own_history(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (one for one in objects_of(document.get("history")) if one.get("is_demo") is not True)


def _task_of(message: dict[str, Any]) -> str:
    return issue_in(_text(message.get("content"))) if message.get("role") == "user" else ""


def _text(content: Any) -> str:
    """Return the words of a content, which may be a list of parts."""
    return text_of(content) or "\n".join(filter(None, (text_of(part.get("text")) for part in objects_of(content))))


def _turns(one: dict[str, Any], where: str, told: Told, *, last: bool) -> Iterator[Turn]:
    command = _command(one)
    words = text_of(one.get("thought")) or text_of(one.get("response"))
    ending = ends_run(one, told.exit_status, last=last)
    if ending:
        told.closing, words = (f"{where}.thought", words.strip()), ""
    yield Turn(Speaker.AGENT, where, words, calls=(_call(command, where, ending=ending),))
    state = _state(one.get("state"))
    for key in filter(_notes_down, state):
        told.stripped.append(
            Stripped(f"{where}.state.{key}", Plane.NARRATION, LeakRoute.CARRIED_MEMORY, len(state[key]))
        )
    held = "\n".join(f"{key}: {value}" for key, value in state.items() if not _notes_down(key))
    observed = _text(one.get("observation")).strip()
    place = f"{where}.observation"
    if command and not ending and _was_turned_down(one):
        yield Turn(Speaker.TOOL, place, results=(Result(NOT_DONE, where, failed=True),))
    elif ending:
        patch = patch_in(observed)
        yield Turn(Speaker.TOOL, place, results=(Result("" if patch else observed, where, hidden=True),))
        if patch or held:
            yield Turn(Speaker.TOOL, place, "\n".join(filter(None, (patch, held))))
    elif observed or held or "observation" in one:
        text, picture = _without_pictures(observed, place)
        shown = "\n".join(filter(None, (text, held)))
        yield Turn(Speaker.TOOL, place, results=(Result(shown, where, screenshot=picture),))


def _command(one: dict[str, Any]) -> str:
    """Return the command of the agent in a round; empty where it gave none."""
    command = text_of(one.get("action")).strip()
    return "" if command in _OF_THE_TOOL else command


def _was_turned_down(one: dict[str, Any]) -> bool:
    """Tell whether the tool refused a command (its list of those that are blocked, its check of the syntax).

    Such a round took no time and shows nothing, not even a state.
    """
    return "execution_time" in one and not (one.get("execution_time") or one.get("observation") or one.get("state"))


def _without_pictures(text: str, where: str) -> tuple[str, Screenshot | None]:
    """Return what was observed without the pictures that stand in it, and the last of them."""
    found = list(_PICTURE.finditer(text)) if "](data:image/" in text else []
    if not found:
        return text, None
    digest = inline_digest("".join(found[-1].group(1).split()))
    return _PICTURE.sub("[picture]", text), Screenshot(f"!{where}", digest)


def _may_end(exit_status: str) -> bool:
    return not exit_status or ended_by_agent(exit_status)


def ends_run(one: dict[str, Any], exit_status: str, *, last: bool) -> bool:
    """Tell whether the agent ended the run in a round."""
    return last and _command(one).split(" ", 1)[0] in _ENDING and _may_end(exit_status)


def _call(command: str, where: str, *, ending: bool) -> Call:
    if ending:
        return Call(SUBMIT, {}, where)
    return Call("bash", {"command": command}, where) if command else Call(UNPARSED, {}, where)


def _notes_down(key: str) -> bool:
    """Tell a part of the state in which the agent keeps its own words."""
    return explains(key) or is_narrating(key)


def _state(state: Any) -> dict[str, str]:
    """Return the state of the environment after an action; older versions hold it as JSON in a text."""
    if isinstance(state, str):
        try:
            state = parse_json(state)
        except IntakeError:
            return {}
    items = object_of(state).items()
    return {key: value for key, value in items if isinstance(value, str) and value not in _NOT_SET}


def _stripped(document: dict[str, Any]) -> Iterator[Stripped]:
    history = sum(len(_text(message.get("content"))) for message in objects_of(document.get("history")))
    if history:
        yield Stripped("history", Plane.NARRATION, LeakRoute.ECHO, history)
    info = object_of(document.get("info"))
    if submission := text_of(info.get("submission")):
        yield Stripped("info.submission", Plane.REPORT, LeakRoute.FINAL_REPORT, len(submission))
    rest = {key: value for key, value in info.items() if key not in ("submission", "exit_status")}
    if rest:
        yield Stripped("info", Plane.GRADING, LeakRoute.GRADING_ECHO, size_of(rest))
    for at, one in enumerate(objects_of(document.get("trajectory"))):
        for key in ("response", "query", "extra_info", "messages"):
            if one.get(key):
                yield Stripped(f"trajectory[{at}].{key}", Plane.NARRATION, LeakRoute.ECHO, size_of(one[key]))
