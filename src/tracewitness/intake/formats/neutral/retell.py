"""Retelling runs in the neutral format."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import UnsafePathError
from tracewitness.intake.finishing import FINISH, is_finish_like
from tracewitness.intake.formats.neutral.split import is_dump_path
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files, retold_echoes
from tracewitness.intake.retelling_files import write_lines

_STATUS = {None: None, True: "success", False: "failure"}
_CARRIED = ("target", "text", "raw")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the runs with another report, flag, narration, extra, agent and source, and other arguments of the end."""
    folder.mkdir(parents=True)
    path = folder / candidate.path.name.removesuffix(".gz")
    source = RunFolder(candidate.path.parent, candidate.limits)
    if candidate.shape is Shape.JSON_LINES:

        def retold(value: Any) -> Any:
            return _retold(value, say, flag, source, folder)

        write_lines(candidate.path, path, candidate.limits, retold, strict=True)
        return path
    document = candidate.strict_document
    runs = cast(list[Any], document if isinstance(document, list) else [document])
    told = [_retold(run, say, flag, source, folder) for run in runs]
    path.write_text(json.dumps(told if isinstance(document, list) else told[0]), encoding="utf-8")
    return path


def _retold(given: Any, say: Say, flag: bool | None, source: RunFolder, folder: Path) -> Any:
    if not isinstance(given, dict) or not isinstance(cast(dict[str, Any], given).get("steps"), list):
        return cast(Any, given)
    run = deepcopy(cast(dict[str, Any], given))
    steps = [cast(dict[str, Any], step) for step in run["steps"] if isinstance(step, dict)]
    copy_files(source.root, folder, _files(steps, source))
    _retell_end(steps, run.get("report"), say)
    for step in steps:
        step["narration"] = say(Plane.NARRATION)
    run["report"] = {"text": say(Plane.REPORT) or None, "declared_status": _STATUS[flag]}
    run["extra"] = {"judge": say(Plane.GRADING), "reward": flag}
    run["agent"], run["source"] = say(Plane.GRADING), say(Plane.GRADING)
    run["harness"] = {"status": {None: "unknown", True: "passed", False: "failed"}[flag]}
    return run


def _retell_end(steps: list[dict[str, Any]], report: Any, say: Say) -> None:
    """Change what the actions by which the run ends carry, and the report where the last action repeats it."""
    said = cast(dict[str, Any], report).get("text") if isinstance(report, dict) else None
    actions = [cast(dict[str, Any], step["action"]) for step in steps if isinstance(step.get("action"), dict)]
    if actions:
        actions[-1].update(retold_echoes(actions[-1], said if isinstance(said, str) else None, say))
    for action in reversed(actions):
        kind = action.get("kind")
        if not isinstance(kind, str) or not is_finish_like(kind):
            return
        if kind == FINISH or action.get("target"):
            continue  # bare by the schema; or perhaps a deed on a widget, whose target is evidence
        action.update({key: say(Plane.REPORT) for key in _CARRIED if isinstance(action.get(key), str)})


def _files(steps: list[dict[str, Any]], source: RunFolder) -> Iterator[str]:
    """Yield the screenshots and dumps that steps name; names that lead out of the folder are the reader's to refuse."""
    for step in steps:
        for seen in (step.get("before"), step.get("after")):
            keys = cast(dict[str, Any], seen) if isinstance(seen, dict) else {}
            tree, screenshot = keys.get("ui_tree"), keys.get("screenshot")
            named = [screenshot, tree if isinstance(tree, str) and is_dump_path(tree) else None]
            yield from (name for name in named if isinstance(name, str) and _is_inside(name, source))


def _is_inside(name: str, source: RunFolder) -> bool:
    try:
        source.locate(name)
    except UnsafePathError:
        return False
    return True
