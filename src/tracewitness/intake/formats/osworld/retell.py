"""Retelling run folders of the traj.jsonl family."""

from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.formats.osworld.code_agent import CODE_AGENT, retold_run
from tracewitness.intake.formats.osworld.detect import LOG_NAME, is_error
from tracewitness.intake.formats.osworld.read import name_parts
from tracewitness.intake.formats.osworld.retold_actions import retold_action
from tracewitness.intake.formats.osworld.split import GRADING, KEPT
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import write_lines


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with all that the agent and the grader say in other words; DONE and FAIL are the flag."""
    source = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    log = candidate.path / LOG_NAME if candidate.shape is Shape.FOLDER else candidate.path
    told = folder.joinpath(*name_parts(source))  # the folders above give the run its name
    told.mkdir(parents=True)
    names = [str(one.relative_to(source)) for one in sorted(source.rglob("*")) if one != log and not one.is_symlink()]
    copy_files(source, told, (name for name in names if name not in ("result.txt", "traj.md", "traj.html")))
    (told / "result.txt").write_text(say(Plane.GRADING), encoding="utf-8")
    write_lines(log, told / log.name, candidate.limits, lambda value: _retold_line(value, say, flag))
    return told if candidate.shape is Shape.FOLDER else told / log.name


def _retold_line(value: Any, say: Say, flag: bool | None) -> Any:
    return _retold(cast(dict[str, Any], value), say, flag) if isinstance(value, dict) else value


def _retold(fields: dict[str, Any], say: Say, flag: bool | None) -> dict[str, Any]:
    if is_error(fields):
        return fields
    told = {key: _field(key, value, say) for key, value in fields.items()}
    if "action" in fields:
        told["action"] = retold_action(fields["action"], say, flag)
    return told


def _field(key: str, value: Any, say: Say) -> Any:
    if key in KEPT or value is None:
        return value
    if key == CODE_AGENT:
        return retold_run(value, say(Plane.NARRATION))
    return _words(value, say(Plane.GRADING if key in GRADING else Plane.NARRATION))


def _words(value: Any, said: str) -> Any:
    """Return a value of the same form with other words."""
    if isinstance(value, str):
        return said
    if isinstance(value, dict):
        return {key: _words(item, said) for key, item in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_words(item, said) for item in cast(list[Any], value)]
    return value
