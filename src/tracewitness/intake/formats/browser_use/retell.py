"""Retelling browser-use histories."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path, PurePosixPath
from typing import Any, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.browser_use.actions import is_model_made
from tracewitness.intake.formats.browser_use.arguments import sort_arguments
from tracewitness.intake.formats.browser_use.conversation import (
    ConversationFile,
    Exchange,
    conversations_of,
    item_of,
    read_exchange,
)
from tracewitness.intake.formats.browser_use.history import Json, Round, round_of, rounds_of
from tracewitness.intake.formats.browser_use.prompt import state_bounds
from tracewitness.intake.formats.browser_use.screens import Screens
from tracewitness.intake.formats.browser_use.split import ends_run, report_of
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files, retold_echoes
from tracewitness.intake.sidecar import sidecar_names

_AHEAD = ("agent_history", "file_system", "todo_contents")
_BEHIND = ("read_state",)
_NO_ACTION: tuple[str, Json] = ("", {})
_TYPING = ("input", "input_text", "send_keys")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the history with other narration, report, flag and grading, in the prompts as well."""
    if candidate.path.is_dir():
        return retell_conversations(candidate, say, flag, folder)
    rounds = rounds_of(candidate.document)
    document: dict[str, Any] = deepcopy(candidate.document)
    report = report_of(rounds).text
    for at, (item, one) in enumerate(zip(document["history"], rounds, strict=True)):
        if not isinstance(item, dict):  # an empty round
            continue
        item = cast(dict[str, Any], item)
        _retell_output(item, one, say, flag, report, last_round=at == len(rounds) - 1)
        for position, result in enumerate(_listed(item.get("result"))):
            action = one.actions[position] if position < len(one.actions) else _NO_ACTION
            _retell_result(result, action, say, flag)
        if at > 0 and one.message:  # in the first prompt nobody has said anything yet but what is asked for
            item["state_message"] = _retold_message(one.message, say)
    document.update({key: {"note": say(Plane.GRADING)} for key in document if key != "history"})
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, _beside(candidate, rounds))
    path = folder / candidate.path.name.removesuffix(".gz")
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def retell_conversations(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write a folder of conversations with other words of the agent in prompts and answers."""
    folder.mkdir(parents=True)
    source = RunFolder(candidate.path, candidate.limits)
    for files in conversations_of(candidate.files).values():
        for at, file in enumerate(files):
            text = _retold_exchange(read_exchange(source, file), file, say, flag, (at == 0, at == len(files) - 1))
            (folder / file.name).write_text(text, encoding="utf-8")
    copy_files(candidate.path, folder, [name for name in candidate.names if not name.startswith("conversation_")])
    return folder


def _retold_exchange(
    exchange: Exchange, file: ConversationFile, say: Say, flag: bool | None, place: tuple[bool, bool]
) -> str:
    first, last = place
    item = deepcopy(item_of(exchange, file.number, last=last))
    one = round_of(item, 0)
    _retell_output(item, one, say, flag, report_of([one]).text, last_round=last)
    prompt = exchange.prompt if first else _retold_message(exchange.prompt, say)
    answer = json.dumps(item["model_output"], indent=2, ensure_ascii=False)
    return f"{exchange.ahead}{prompt}\n\n{answer}"


def _listed(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, or the one in its place; what is empty there is an object without keys."""
    listed = [cast(Any, value)] if isinstance(value, dict) else cast(list[Any], value or [])
    return [cast(dict[str, Any], one) if isinstance(one, dict) else {} for one in listed]


def _retell_output(
    item: dict[str, Any], one: Round, say: Say, flag: bool | None, report: str | None, *, last_round: bool
) -> None:
    output: Any = item.get("model_output")
    if not isinstance(output, dict):
        return
    output = cast(dict[str, Any], output)
    nested: Any = output.get("current_state")
    for held in (output, cast(dict[str, Any], nested) if isinstance(nested, dict) else {}):
        held.update({key: say(Plane.NARRATION) for key, value in held.items() if isinstance(value, str)})
    for at, action in enumerate(_listed(output.get("action"))):
        for name, arguments in action.items():
            if isinstance(arguments, dict):
                final = ends_run(one, at, last_round)
                action[name] = _retold_arguments(name, cast(dict[str, Any], arguments), final, say, flag, report)


def _retold_arguments(
    name: str, arguments: dict[str, Any], final: bool, say: Say, flag: bool | None, report: str | None
) -> dict[str, Any]:
    """Return the arguments with the agent's words in others, also where the report stands in an argument that acts."""
    kept, _ = sort_arguments(name, arguments, final=final)
    told = {key: value if name in _TYPING else retold_echoes(value, report, say) for key, value in kept.items()}
    plane = Plane.REPORT if final else Plane.NARRATION
    hidden = {
        key: flag if isinstance(value, bool) else say(plane) for key, value in arguments.items() if key not in kept
    }
    return {**told, **hidden}


def _retell_result(result: dict[str, Any], action: tuple[str, Json], say: Say, flag: bool | None) -> None:
    final = bool(result.get("is_done"))
    plane = Plane.REPORT if final else Plane.NARRATION
    if final:
        result.update({"success": flag, "judgement": {"reasoning": say(Plane.GRADING), "verdict": flag}})
    if result.get("long_term_memory") is not None:
        result["long_term_memory"] = say(plane)
    if result.get("extracted_content") is not None and (final or is_model_made(*action)):
        result["extracted_content"] = say(plane)
    if final and result.get("attachments") is not None:
        result["attachments"] = [say(plane)]


def _retold_message(message: str, say: Say) -> str:
    """Return a prompt with the sections of the agent's words in others; one whose state is in doubt is left alone."""
    bounds = state_bounds(message)
    if bounds is None:
        return message
    ahead, state, behind = message[: bounds[0]], message[bounds[0] : bounds[1]], message[bounds[1] :]
    for name in _AHEAD:
        ahead = _retold_section(ahead, name, say)
    for name in _BEHIND:
        behind = _retold_section(behind, name, say)
    return ahead + state + behind


def _retold_section(text: str, name: str, say: Say) -> str:
    opening, closing = f"<{name}>\n", f"\n</{name}>"
    start, end = text.find(opening), text.rfind(closing)
    if start < 0 or end < start + len(opening):
        return text
    return f"{text[: start + len(opening)]}{say(Plane.NARRATION)}{text[end:]}"


def _beside(candidate: Candidate, rounds: tuple[Round, ...]) -> Iterator[str]:
    yield from sidecar_names(candidate.path)
    places = Screens.beside(RunFolder(candidate.path.parent, candidate.limits)).places
    for one in rounds:
        path = one.state.get("screenshot_path")
        name = PurePosixPath(path.replace("\\", "/")).name if isinstance(path, str) else ""
        if name:
            yield from (f"{place}/{name}" if place else name for place in places)
