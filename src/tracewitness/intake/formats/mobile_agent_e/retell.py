"""Retelling run folders of Mobile-Agent-E."""

import json
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.mobile_agent_e.detect import LOG
from tracewitness.intake.formats.mobile_agent_e.events import HIDDEN
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.untyped import object_of, text_of

_KEPT = ("finish_flag", "future_tasks")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with every word of the agent in other words; the flag is what says that the agent ended."""
    folder_named = candidate.shape is Shape.FOLDER
    root = candidate.path if folder_named else candidate.path.parent
    log = LOG if folder_named else candidate.path.name
    folder.mkdir(parents=True)
    names = sorted(str(one.relative_to(root)) for one in root.rglob("*") if one.is_file() and not one.is_symlink())
    copy_files(root, folder, [name for name in names if name != log])
    (folder / log).write_text(_retold_log(root / log, candidate, say), encoding="utf-8")
    return folder if folder_named else folder / log


def _retold_log(path: Path, candidate: Candidate, say: Say) -> str:
    """Return the log; one that breaks off breaks off at the same place again."""
    told = list[str]()
    try:
        for _, value in JsonStream(path, candidate.limits):
            told.append(json.dumps(_retold(object_of(value), say), ensure_ascii=False))
    except IntakeError:
        return "[" + ", ".join(told) + ", {"
    return "[" + ", ".join(told) + "]"


def _retold(entry: dict[str, Any], say: Say) -> dict[str, Any]:
    fields = HIDDEN.get(text_of(entry.get("operation")), {})
    told = {key: say(Plane.NARRATION) if key in fields and key not in _KEPT else entry[key] for key in entry}
    if "final_info_pool" in entry:
        told["final_info_pool"] = {"finish_thought": say(Plane.REPORT)}
    return told
