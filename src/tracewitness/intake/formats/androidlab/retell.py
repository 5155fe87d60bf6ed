"""Retelling AndroidLab task folders."""

from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.finishing import FINISH
from tracewitness.intake.formats.androidlab.detect import LOG, TRACES, log_of, root_of
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import write_lines
from tracewitness.intake.untyped import object_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with responses, later prompts and the final message in other words; it has no flag."""
    root, log = root_of(candidate), log_of(candidate) or candidate.path
    place = log.relative_to(root)
    names = sorted(str(one.relative_to(root)) for one in root.rglob("*") if one.is_file() and not one.is_symlink())
    target = folder if folder.name == root.name else folder.parent / root.name
    target.mkdir(parents=True)
    copy_files(root, target, [name for name in names if name != str(place)])
    (target / place).parent.mkdir(parents=True, exist_ok=True)
    write_lines(log, target / place, candidate.limits, lambda value: _retold(object_of(value), say))
    return target if candidate.shape is Shape.FOLDER else target / TRACES / LOG


def _retold(record: dict[str, Any], say: Say) -> dict[str, Any]:
    told = {**record, "current_response": say(Plane.NARRATION), "prompt": say(Plane.NARRATION)}
    parsed = object_of(record.get("parsed_action"))
    if parsed.get("operation") == FINISH:
        told["parsed_action"] = {**parsed, "kwargs": {"message": say(Plane.REPORT)}}
    if "command" in record:
        told["command"] = {"adb shell": say(Plane.GRADING)}
    return told
