"""Instructions that lie apart from the logs: the task files of a benchmark, found by the id of a task.

OSWorld and its kin keep what was asked in ``evaluation_examples/examples/<domain>/<id>.json`` and name the folder of a
run after the id. Such a file also holds how the run is graded; of it only the instruction is ever taken.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.errors import EmptyError, IntakeError, UnreadableError
from tracewitness.intake.limits import MEBIBYTE, Limits, ReadOptions
from tracewitness.intake.paths import is_there, leads_out
from tracewitness.intake.reading_files import decode, lines_of, parse_json, read_bytes

_SUFFIXES = (".json", ".txt")
_DEEPEST = 6
_MOST_FILES = 200_000
_LARGEST = MEBIBYTE
_LARGEST_MAP = 64 * MEBIBYTE
_IDS = ("id", "task_id", "example_id", "uuid")
_INSTRUCTIONS = ("instruction", "task", "goal", "intent", "question")
_EXAMPLES = ("evaluation_examples", "evaluation_examples_windows")
_LEVELS = 8


@dataclass(frozen=True)
class TaskFiles:
    """Instructions by the id of their task.

    Attributes:
        files: Files with one task each, by id; read when asked for.
        given: Instructions that one file held.
    """

    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    given: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, path: Path) -> "TaskFiles":
        """Return the tasks of a folder or a file.

        A folder holds one file a task at any depth, ``<id>.json`` or ``<id>.txt``; what a link in it leads out to is
        none of its tasks. A file is a JSON object of
        instructions by id, or a list (or JSON Lines) of objects with an id and an instruction.

        Raises:
            IntakeError: There is no such place, or it holds no task.
        """
        found = cls(files=dict(_files_below(path))) if path.is_dir() else cls(given=dict(_told_in(path)))
        if not found.files and not found.given:
            raise EmptyError("holds no tasks", "name a folder of <id>.json, or a JSON file", path=str(path))
        return found

    def find(self, *ids: str) -> str | None:
        """Return the instruction of the first id that is known; None where none is."""
        for one in ids:
            told = self.given.get(one) or (instruction_in(self.files[one]) if one in self.files else None)
            if told:
                return told
        return None


def told_task(options: ReadOptions, *ids: str) -> str | None:
    """Return the instruction that the user gave apart from the log: of the tasks by id, else the one for all."""
    found = options.tasks.find(*ids) if options.tasks is not None else None
    return found or options.task


def task_nearby(folder: Path, name: str) -> str | None:
    """Return the instruction from ``evaluation_examples`` beside what the user named, or inside it.

    Args:
        folder: The folder of a run; its name is the id, and the folder it lies in the domain.
        name: How the user named it; no folder above the first part of it but the one that it lies in is looked at.
    """
    absolute = folder.absolute()
    for above in list(absolute.parents)[: min(len(Path(name).parts), _LEVELS)]:
        for examples in _EXAMPLES:
            for path in _examples(above / examples, absolute.parent.name, absolute.name):
                told = instruction_in(path)
                if told:
                    return told
    return None


def _examples(root: Path, domain: str, task_id: str) -> Iterator[Path]:
    for place in (root / "examples" / domain, root / "examples_windows" / domain, root / domain, root / "examples"):
        path = place / f"{task_id}.json"
        if is_there(path) and not leads_out(path, root):
            yield path


def instruction_in(path: Path) -> str | None:
    """Return the instruction of a file with one task; None where it cannot be read or holds none."""
    try:
        text = decode(read_bytes(path, _LARGEST), path).text
        value: Any = {"instruction": text} if path.suffix == ".txt" else parse_json(text)
    except IntakeError:
        return None
    return _instruction(value)


def _instruction(value: Any) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if not isinstance(value, dict):
        return None
    told = [cast(dict[str, Any], value).get(key) for key in _INSTRUCTIONS]
    return next((one.strip() for one in told if isinstance(one, str) and one.strip()), None)


def _files_below(root: Path) -> Iterator[tuple[str, Path]]:
    seen = 0
    for folder, below, names in os.walk(root):
        depth = len(Path(folder).relative_to(root).parts)
        below[:] = sorted(one for one in below if not one.startswith(".")) if depth < _DEEPEST else []
        for name in sorted(names):
            seen += 1
            if seen > _MOST_FILES:
                return
            stem, suffix = os.path.splitext(name)
            path = Path(folder, name)
            if suffix in _SUFFIXES and not (path.is_symlink() and leads_out(path, root)):
                yield stem, path


def _told_in(path: Path) -> Iterator[tuple[str, str]]:
    if not path.is_file():
        raise UnreadableError("there is no such file or folder", "check the path of the tasks", path=str(path))
    if path.name.endswith((".jsonl", ".jsonl.gz")):
        values: list[Any] = [parse_json(decode(one.content, path).text, one.number) for one in lines_of(path, Limits())]
    else:
        read: Any = parse_json(decode(read_bytes(path, _LARGEST_MAP), path).text)
        values = cast(list[Any], read) if isinstance(read, list) else [read]
    for value in values:
        yield from _tasks_in(value)


def _tasks_in(value: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        return
    keys = cast(dict[str, Any], value)
    named = next((str(keys[key]) for key in _IDS if isinstance(keys.get(key), str | int)), None)
    told = _instruction(keys)
    if named is not None and told:
        yield named, told
        return
    for key, item in keys.items():
        told = _instruction(item)
        if told:
            yield key, told
