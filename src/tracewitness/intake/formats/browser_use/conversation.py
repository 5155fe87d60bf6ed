"""Folders of conversations: one file a round, the prompt and what the model answered.

``save_conversation_path`` makes browser-use write ``conversation_<id>_<n>.txt`` before the actions of round ``n`` are
carried out. They are all that is left of a run that was killed. A file holds the messages, each below a line with its
role, and the answer as JSON below the last blank line. What tools answered stands in no file, but the next prompt shows
the page again. Which of several actions of a round were carried out cannot be told, so only the first one counts, and
of the last round none.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, IntakeError
from tracewitness.intake.formats.browser_use.gathered import Gathered
from tracewitness.intake.formats.browser_use.history import follow_ups_in
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, parse_json, read_bytes

_NAME = re.compile(r"conversation_(.{1,100})_(\d{1,6})\.txt")
_SYSTEM, _USER = " system \n", "\n\n user \n"
_ANSWER = "\n\n{\n"
NO_RESULTS = "what the tools answered is not in a folder of conversations"


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """One file of a conversation: its name and the number of its round."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a file holds: the text ahead of the prompt, the prompt, and the answer; None where that is damaged."""

    ahead: str
    prompt: str
    answer: Mapping[str, Any] | None


def conversations_of(names: Iterable[str]) -> dict[str, list[ConversationFile]]:
    """Return the files of a folder by the id of the agent, in the order of the rounds."""
    found: dict[str, list[ConversationFile]] = {}
    for name in names:
        named = _NAME.fullmatch(name)
        if named:
            found.setdefault(named[1], []).append(ConversationFile(name, int(named[2])))
    return {agent: sorted(found[agent], key=lambda one: (one.number, one.name)) for agent in sorted(found)}


def exchange_of(text: str) -> Exchange:
    """Return what a file holds. In the answer's JSON no line is blank, so the last place where one may begin is it."""
    ahead, opened, rest = text.partition(_USER)
    if not text.startswith(_SYSTEM) or not opened:
        raise BadRunError("expected the messages system and user", "check the file")
    prompt, _, written = rest.rpartition(_ANSWER)
    try:
        answer: Any = parse_json("{" + written) if prompt else None
    except IntakeError:
        answer = None
    if not isinstance(answer, dict):
        return Exchange(ahead + opened, rest, None)
    return Exchange(ahead + opened, prompt, cast(dict[str, Any], answer))


def read_exchange(folder: RunFolder, file: ConversationFile) -> Exchange:
    """Read one file.

    Raises:
        IntakeError: It cannot be read, or is none.
    """
    try:
        path = folder.locate(file.name)
        return exchange_of(decode(read_bytes(path, folder.limits.line), file.name).text.replace("\r\n", "\n"))
    except IntakeError as error:
        raise error.at(where=file.name) from error.__cause__


def by_request(folder: RunFolder, files: list[ConversationFile]) -> Iterator[tuple[int, list[ConversationFile]]]:
    """Yield the files about each request of the user, with how many requests came ahead of it."""
    part, ahead = list[ConversationFile](), 0
    for file in files:
        asked = _follow_ups(folder, file)
        if part and asked > ahead:
            yield ahead, part
            part = []
        part.append(file)
        ahead = max(ahead, asked)
    yield ahead, part


def _follow_ups(folder: RunFolder, file: ConversationFile) -> int:
    try:
        return follow_ups_in({"state_message": read_exchange(folder, file).prompt})
    except IntakeError:  # it costs its round, wherever that belongs
        return 0


def gather(gathered: Gathered, folder: RunFolder, files: list[ConversationFile]) -> tuple[str, ...]:
    """Take in the rounds of a conversation, and return what a person should know.

    A file that cannot be read costs its round alone.

    Raises:
        IntakeError: None can be read.
    """
    lost: list[str] = []
    trouble: IntakeError | None = None
    for at, file in enumerate(files):
        try:
            exchange = read_exchange(folder, file)
        except IntakeError as error:
            trouble = error
            lost.append(file.name)
            continue
        if exchange.answer is None:
            lost.append(file.name)
        item = item_of(exchange, file.number, last=at == len(files) - 1)
        if len(listed_actions(item)) > 1:
            gathered.splitter.gaps.add(Gap.MISSING_STEPS)
        gathered.add(item, at, file.name)
    if trouble is not None and gathered.waiting is None:
        raise trouble
    if lost:
        gathered.splitter.gaps.add(Gap.MISSING_STEPS)
    return (NO_RESULTS, *(f"{name}: damaged or cut off" for name in lost))


def item_of(exchange: Exchange, number: int, *, last: bool) -> dict[str, Any]:
    """Return an exchange as a history would hold it."""
    item: dict[str, Any] = {
        "model_output": exchange.answer,
        "result": [],
        "metadata": {"step_number": number},
        "state_message": exchange.prompt,
    }
    actions = listed_actions(item)
    if last and actions and "done" in actions[-1]:
        said: Any = actions[-1]["done"]
        final = cast(dict[str, Any], said) if isinstance(said, dict) else {}
        told = {"extracted_content": final.get("text"), "success": final.get("success")}
        item["result"] = [{} for _ in actions[:-1]] + [{"is_done": True, **told}]
    elif not last:
        item["result"] = [{} for _ in actions[:1]]
    return item


def listed_actions(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the actions of an item that are objects."""
    output: Any = item.get("model_output")
    actions: Any = cast(dict[str, Any], output).get("action") if isinstance(output, dict) else None
    listed = cast(list[Any], actions) if isinstance(actions, list) else []
    return [cast(dict[str, Any], one) for one in listed if isinstance(one, dict)]
