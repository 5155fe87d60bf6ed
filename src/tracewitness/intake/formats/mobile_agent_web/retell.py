"""Retelling web runs of Mobile-Agent-v3.5."""

import json
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.mobile_agent_web.detect import LOG
from tracewitness.intake.formats.mobile_agent_web.split import INVENTED
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.untyped import object_of

_OTHERS = ("result.json", "reward.json")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with thoughts and answer in other words, and without result and reward; it has no flag."""
    named = candidate.shape is Shape.FOLDER
    root = candidate.path if named else candidate.path.parent
    log = LOG if named else candidate.path.name
    folder.mkdir(parents=True)
    names = sorted(str(one.relative_to(root)) for one in root.rglob("*") if one.is_file() and not one.is_symlink())
    copy_files(root, folder, [name for name in names if name != log and name not in _OTHERS])
    (folder / log).write_text(_retold_log(root / log, candidate, say), encoding="utf-8")
    return folder if named else folder / log


def _retold_log(path: Path, candidate: Candidate, say: Say) -> str:
    told = list[str]()
    try:
        for _, value in JsonStream(path, candidate.limits):
            told.append(json.dumps(_retold(object_of(value), say), ensure_ascii=False))
    except IntakeError:
        return "[" + ", ".join(told) + ", {"
    return "[" + ", ".join(told) + "]"


def _retold(entry: dict[str, Any], say: Say) -> dict[str, Any]:
    info = object_of(entry.get("info"))
    call = object_of(info.get("tool_call"))
    arguments = object_of(call.get("arguments"))
    if arguments.get("action") == "answer" and arguments.get("text") != INVENTED:
        call = {**call, "arguments": {"action": "answer", "text": say(Plane.REPORT)}}
    told = {**info, "action_text": say(Plane.NARRATION)} if "action_text" in info else info
    return {**entry, "info": {**told, "tool_call": call} if call else told}
