"""The files of a Mobile-Agent-v3 run folder: what each role answered at each step, and the screens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import names_in
from tracewitness.intake.errors import EmptyError, IntakeError, TooLargeError, UnreadableError
from tracewitness.intake.formats.mobile_agent_v3.detect import ROLES, step_names
from tracewitness.intake.inline import inline_digest, is_inline_picture
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, parse_json, read_bytes
from tracewitness.trace_side.trace import Screenshot

_PICTURE = re.compile(r"^screenshot_(\d{4}-\d{2}-\d{2})-(\d{1,5})-[0-9a-f]{1,32}\.(?:png|jpg|jpeg)$")
_REQUEST = "### User Request ###\n"
_BEHIND_REQUEST = ("\n\n---\n", "\n\n### ")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one role answered: its response, the texts it was asked with, and the pictures among them, in order."""

    response: str
    prompt: str
    pictures: tuple[Screenshot, ...]


@dataclass(frozen=True, slots=True)
class StepFiles:
    """One step folder: the answers by role, and the roles whose file is there but cannot be read."""

    number: int
    answers: dict[str, Answer]
    damaged: tuple[str, ...] = ()


@dataclass(slots=True)
class RunFiles:
    """A run folder."""

    steps: list[StepFiles] = field(default_factory=list[StepFiles])
    result: dict[str, Any] = field(default_factory=dict[str, Any])
    pictures: list[Screenshot] = field(default_factory=list[Screenshot])
    notices: list[str] = field(default_factory=list[str])
    encodings: set[str] = field(default_factory=set[str])


def read_folder(root: Path, name: str, folder: RunFolder) -> RunFiles:
    """Read a run folder.

    Raises:
        EmptyError: No step can be read.
        TooLargeError: It has more steps than are read.
        UnsafePathError: A file of it is a link out of the folder.
    """
    files = RunFiles()
    names = step_names(names_in(root, name))
    if len(names) > folder.limits.steps:
        raise TooLargeError(f"{len(names)} steps, at most {folder.limits.steps} are read", "split the run")
    for step in names:
        if (root / step).is_dir():
            files.steps.append(_step(root, step, folder, files))
    if not any(step.answers for step in files.steps):
        first = files.notices[0] if files.notices else "its step folders are empty"
        raise EmptyError(f"no step can be read: {first}", "copy the run again", path=name)
    if (root / "task_result.json").is_file():
        files.result = _object(folder, "task_result.json", files) or {}
    files.pictures = list(_pictures(root, folder))
    return files


def _step(root: Path, step: str, folder: RunFolder, files: RunFiles) -> StepFiles:
    held = names_in(folder.locate(step), step)
    answers, damaged = dict[str, Answer](), list[str]()
    for role in ROLES:
        if f"{role}.json" not in held:
            continue
        place = f"{step}/{role}.json"
        record = _object(folder, place, files)
        if record is None or not isinstance(record.get("response"), str):
            damaged.append(role)
        else:
            answers[role] = _answer(record, place)
    return StepFiles(int(step.removeprefix("step_")), answers, tuple(damaged))


def _object(folder: RunFolder, place: str, files: RunFiles) -> dict[str, Any] | None:
    try:
        read = decode(read_bytes(folder.locate(place), folder.limits.document), place)
        value = parse_json(read.text)
    except (UnreadableError, IntakeError) as error:
        files.notices.append(f"{place}: {error.problem}")
        return None
    files.encodings.add(read.encoding)
    if not isinstance(value, dict):
        files.notices.append(f"{place}: expected an object")
        return None
    return cast(dict[str, Any], value)


def _answer(record: dict[str, Any], place: str) -> Answer:
    parts = list(_parts(record.get("messages")))
    texts = [part["text"] for _, part in parts if isinstance(part.get("text"), str)]
    pictures = [
        Screenshot(f"{place}!messages[{at}]", inline_digest(url))
        for at, part in parts
        if (url := _url(part)) is not None and is_inline_picture(url)
    ]
    return Answer(record["response"], "\n".join(texts), tuple(pictures))


def _parts(messages: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the parts of all messages, each with its place."""
    for at, message in enumerate(cast(list[Any], messages) if isinstance(messages, list) else []):
        content = cast(dict[str, Any], message).get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            yield f"{at}", {"text": content}
        for number, part in enumerate(cast(list[Any], content) if isinstance(content, list) else []):
            if isinstance(part, dict):
                yield f"{at}].content[{number}", cast(dict[str, Any], part)


def _url(part: dict[str, Any]) -> str | None:
    held = part.get("image_url")
    url = cast(dict[str, Any], held).get("url") if isinstance(held, dict) else held
    return url if isinstance(url, str) else None


def _pictures(root: Path, folder: RunFolder) -> Iterator[Screenshot]:
    """Yield the screens in the order in which they were taken: their names hold the day and the second of the day."""
    images = root / "images"
    names = names_in(images, "images") if images.is_dir() else frozenset[str]()
    taken = [(found.group(1), int(found.group(2)), name) for name in names if (found := _PICTURE.match(name))]
    for _, _, name in sorted(taken):
        yield folder.screenshot(f"images/{name}")


def task_of(files: RunFiles) -> str | None:
    """Return the goal of ``task_result.json``, else the request that the first prompt begins with.

    The request stands ahead of everything that a model wrote.
    """
    goal = files.result.get("goal")
    if isinstance(goal, str) and goal.strip():
        return goal.strip()
    for step in files.steps:
        for answer in step.answers.values():
            _, found, rest = answer.prompt.partition(_REQUEST)
            ends = [end for mark in _BEHIND_REQUEST if (end := rest.find(mark)) >= 0]
            if found and ends and rest[: min(ends)].strip():
                return rest[: min(ends)].strip()
    return None
