"""Retelling AndroidWorld checkpoints."""

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.androidworld.actions import ANSWERS, PARSED, WRITTEN
from tracewitness.intake.formats.androidworld.episodes import DATA, STEP_NUMBER
from tracewitness.intake.formats.androidworld.screens import OBSERVED
from tracewitness.intake.pickles import Array, Stub, read_pickle
from tracewitness.intake.pickles.writing import write_pickle
from tracewitness.intake.planes import Plane
from tracewitness.intake.reading_files import is_compressed, open_plain
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.untyped import object_of
from tracewitness.intake.written_objects import written_object

_GRADED = ("reward", "is_success", "score")
_LEAST = "."
_STATUS = {True: "complete", False: "infeasible"}


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the checkpoint with all that the agent and the benchmark say in other words.

    Screens after an answer stay as they are; the reader leaves them out, as the answer stands on them.
    """
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, sidecar_names(candidate.path))
    pickled = read_pickle(candidate.path, candidate.limits, note=_packed)
    told = folder / candidate.path.name
    with open_plain(candidate.path) as source, told.open("xb") as out:
        packed = is_compressed(source.read(2))
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1)) if packed else out
        write_pickle(_retold(pickled.value, say, flag), stream)
        if packed:
            stream.close()
    return told


def _packed(array: Array) -> Callable[[], bytes]:
    content = zlib.compress(array.content or b"", 1)
    return lambda: zlib.decompress(content)


def _retold(value: Any, say: Say, flag: bool | None) -> Any:
    if isinstance(value, tuple | list):
        parts = [_retold(one, say, flag) for one in cast(list[Any], value)]
        return tuple(parts) if isinstance(value, tuple) else parts
    if not isinstance(value, dict) or DATA not in value:
        return cast(Any, value)
    episode = dict(cast(dict[str, Any], value))
    if isinstance(episode[DATA], dict):
        data = cast(dict[str, Any], episode[DATA])
        episode[DATA] = {name: _retold_column(name, column, say, flag) for name, column in data.items()}
    if episode.get("exception_info"):
        episode["exception_info"] = say(Plane.GRADING)
    return {**episode, "is_successful": float(bool(flag)), "aux_data": say(Plane.GRADING)}


def _retold_column(name: str, column: Any, say: Say, flag: bool | None) -> Any:
    if name == STEP_NUMBER or name in OBSERVED or name == "actionable_elements" or not isinstance(column, list):
        return column
    entries = cast(list[Any], column)
    if name in PARSED:
        return [_retold_action(one, say, flag) for one in entries]
    if name == "dummy_action":
        return [_retold_call(one, say, flag) for one in entries]
    if name == WRITTEN:
        return [_retold_written(one, say) for one in entries]
    plane = Plane.GRADING if name.startswith(_GRADED) else Plane.NARRATION
    return [say(plane) if one is not None else None for one in entries]


def _retold_action(value: Any, say: Say, flag: bool | None) -> Any:
    """Return an action with another answer and another status; what was done on the device stays."""
    if not isinstance(value, Stub | dict):
        return value
    fields = value.state if isinstance(value, Stub) else cast(dict[Any, Any], value)
    kind = fields.get("action_type", fields.get("action"))
    changed = dict(fields)
    if kind in ANSWERS:
        changed["text"] = say(Plane.REPORT)
    elif kind == "status" and flag is not None:
        changed["goal_status"] = _STATUS[flag]
    elif kind == "terminate" and flag is not None:
        changed["status"] = "success" if flag else "failure"
    if isinstance(value, Stub):
        return Stub(value.of, value.arguments, value.named, changed, value.rest, value.items, value.pairs)
    return changed


def _retold_call(value: Any, say: Say, flag: bool | None) -> Any:
    call = object_of(value)
    return {**call, "arguments": _retold_action(call.get("arguments"), say, flag)} if call else value


def _retold_written(value: Any, say: Say) -> Any:
    """Return ``Reason: ... Action: {...}`` with another reason, and another answer where the action is one.

    The runner carries nothing out without a reason, so there is one where there was one.
    """
    if not isinstance(value, str) or "Action:" not in value:
        return say(Plane.NARRATION) if isinstance(value, str) else value
    given = value.partition("Reason:")[2].rpartition("Action:")[0]
    if not given.strip():
        return value
    action = value[value.index("Action:") :]
    said = written_object(action.removeprefix("Action:")) if "answer" in action else None
    if said and said.get("action_type") in ANSWERS:
        action = "Action: " + json.dumps({**said, "text": say(Plane.REPORT)})
    return f"Reason: {say(Plane.NARRATION) or _LEAST}\n{action}"
