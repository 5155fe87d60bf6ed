"""What stands beside a log that does not hold it: the task, the trace of the browser, the report about such a trace."""

from pathlib import Path
from typing import Any, cast

from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, NoTaskError
from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.paths import is_there
from tracewitness.intake.reading_files import decode, parse_json, read_bytes
from tracewitness.report_side.report import DeclaredStatus, Report

EVIDENCE_NAME = "trace.zip"
EVIDENCE_SUFFIX = ".trace.zip"


def sidecar_names(log: Path) -> tuple[str, ...]:
    """Return the names under which the task of a log is looked for beside it."""
    return f"{log.name.split('.', 1)[0]}.task.txt", "task.txt", "task.json"


def task_beside(log: Path) -> str | None:
    """Return the instruction from the first of these beside a log: ``<stem>.task.txt``, ``task.txt``, ``task.json``.

    ``task.json`` is an object with the key ``instruction`` (or ``task``).

    Raises:
        NoTaskError: A sidecar is there but cannot be read or holds no instruction.
    """
    path = _beside(log, sidecar_names(log))
    return _instruction(path) if path is not None else None


def report_names(log: Path) -> tuple[str, ...]:
    """Return the names under which the report about a log is looked for beside it."""
    stem = log.name.split(".", 1)[0]
    return f"{stem}.report.txt", f"{stem}.report.json", "report.txt", "report.json"


def report_beside(log: Path) -> Report | None:
    """Return the agent's report from a file beside a log, for formats that record a machine and not an agent.

    Looked for are ``<stem>.report.txt``, ``<stem>.report.json``, ``report.txt``, ``report.json``. A JSON file is an
    object with the key ``text`` and perhaps ``declared_status`` (``success`` or ``failure``), as in the neutral run
    format. None where no such file is there; an empty file is a report without words. It is the report plane and
    nothing else: nothing of it may reach a trace.

    Raises:
        BadRunError: A file is there but cannot be read or holds no report.
    """
    path = _beside(log, report_names(log))
    if path is None:
        return None
    try:
        text = decode(read_bytes(path, MEBIBYTE), path).text
        value: Any = parse_json(text) if path.suffix == ".json" else {"text": text}
    except EmptyError:
        return Report(None)
    except IntakeError as error:
        raise BadRunError(f"{path.name}: {error.problem}", error.remedy) from error
    keys = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    words, flag = keys.get("text"), keys.get("declared_status")
    if not isinstance(words, str | None) or flag not in (None, *DeclaredStatus) or (words is None and flag is None):
        problem = f"{path.name} holds no report"
        raise BadRunError(problem, 'write {"text": "...", "declared_status": "success" or "failure"}')
    return Report((words or "").strip() or None, DeclaredStatus(flag) if flag is not None else None)


def _beside(log: Path, names: tuple[str, ...]) -> Path | None:
    """Return the first file of these names beside a log; a link out of the folder is none."""
    for name in names:
        path = log.parent / name
        if _lies_in(path, log.parent):
            return path
    return None


def _lies_in(path: Path, folder: Path) -> bool:
    """Tell whether a file is there and lies in a folder: a link out of it does not."""
    return is_there(path) and path.resolve().is_relative_to(folder.resolve())


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


def evidence_beside(log: Path) -> Path | None:
    """Return the trace of a browser that lies beside a log: ``<stem>.trace.zip``, else ``trace.zip``.

    For a folder: ``trace.zip`` in it, else ``<folder>.trace.zip`` beside it. A link that leads elsewhere is none.
    """
    own = log.parent / f"{log.name.split('.', 1)[0]}{EVIDENCE_SUFFIX}"
    places = (log / EVIDENCE_NAME, own) if log.is_dir() else (own, log.parent / EVIDENCE_NAME)
    for path in places:
        if path != log and _lies_in(path, path.parent):
            return path
    return None
