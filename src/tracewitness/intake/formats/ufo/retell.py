"""Retelling UFO task folders."""

from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.formats.ufo.detect import LOG_NAME, is_line
from tracewitness.intake.formats.ufo.keys import normal
from tracewitness.intake.formats.ufo.split import KEPT
from tracewitness.intake.own_words import explains
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import write_lines
from tracewitness.intake.untyped import object_of

_BESIDE = ("request.log", "evaluation.log", "output.md")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with all that the agents say in other words; FINISH and FAIL, which end the run, stay."""
    source = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    log = candidate.path / LOG_NAME if candidate.shape is Shape.FOLDER else candidate.path
    folder.mkdir(parents=True)
    names = [str(one.relative_to(source)) for one in sorted(source.rglob("*")) if one != log and not one.is_symlink()]
    copy_files(source, folder, (name for name in names if name not in _BESIDE))
    (folder / "evaluation.log").write_text(say(Plane.GRADING), encoding="utf-8")
    write_lines(log, folder / log.name, candidate.limits, lambda value: _retold_line(value, say))
    return folder if candidate.shape is Shape.FOLDER else folder / log.name


def _retold_line(value: Any, say: Say) -> Any:
    record = object_of(value)
    return _retold(record, say) if is_line(record) else value


def _retold(record: dict[str, Any], say: Say) -> dict[str, Any]:
    return {key: _field(normal(key), value, say) for key, value in record.items()}


def _field(key: str, value: Any, say: Say) -> Any:
    if key == "action":
        return _without_echo(value, say)
    if key in KEPT or key == "status" or (key == "result" and not isinstance(value, str)):
        return value
    return _words(value, say(Plane.REPORT if key in ("comment", "message", "result") else Plane.NARRATION))


def _without_echo(action: Any, say: Say) -> Any:
    """Return actions with their explanations in other words; what was done and returned stays."""
    if isinstance(action, list):
        return [_without_echo(one, say) for one in cast(list[Any], action)]
    if not isinstance(action, dict):
        return action
    items = cast(dict[str, Any], action).items()
    return {
        key: _words(item, say(Plane.NARRATION)) if explains(key) else _without_echo(item, say) for key, item in items
    }


def _words(value: Any, said: str) -> Any:
    """Return a value of the same form with other words."""
    if isinstance(value, str):
        return said if value else value
    if isinstance(value, list):
        return [_words(item, said) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        return {key: _words(item, said) for key, item in cast(dict[str, Any], value).items()}
    return value
