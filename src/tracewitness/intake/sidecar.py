"""The task beside a log, for formats that do not store it."""

from pathlib import Path
from typing import Any, cast

from tracewitness.intake.errors import IntakeError, NoTaskError
from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.reading_files import decode, parse_json, read_bytes


def sidecar_names(log: Path) -> tuple[str, ...]:
    """Return the names under which the task of a log is looked for beside it."""
    return f"{log.name.split('.', 1)[0]}.task.txt", "task.txt", "task.json"


def task_beside(log: Path) -> str | None:
    """Return the instruction from the first of these beside a log: ``<stem>.task.txt``, ``task.txt``, ``task.json``.

    ``task.json`` is an object with the key ``instruction`` (or ``task``).

    Raises:
        NoTaskError: A sidecar is there but cannot be read or holds no instruction.
    """
    for name in sidecar_names(log):
        path = log.parent / name
        if path.is_file() and path.resolve().is_relative_to(log.parent.resolve()):
            return _instruction(path)
    return None


def _instruction(path: Path) -> str:
    try:
        text = decode(read_bytes(path, MEBIBYTE), path).text
        value: Any = parse_json(text) if path.suffix == ".json" else text
    except IntakeError as error:
        raise NoTaskError(f"{path.name}: {error.problem}", error.remedy) from error
    if isinstance(value, dict):
        keys = cast(dict[str, Any], value)
        value = keys.get("instruction", keys.get("task"))
    if not isinstance(value, str) or not value.strip():
        raise NoTaskError(f"{path.name} holds no instruction", 'write the task, or {"instruction": "..."} in task.json')
    return value.strip()
