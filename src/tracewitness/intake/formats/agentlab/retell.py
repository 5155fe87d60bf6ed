"""Retelling experiment folders."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.agentlab.actions import MESSAGES, parse
from tracewitness.intake.formats.agentlab.detect import STEP, SUMMARY
from tracewitness.intake.pickles import Stub, read_pickle
from tracewitness.intake.pickles.writing import write_pickle
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.untyped import object_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with messages, thoughts, chats and rewards in other words. The flag is the kind of a message."""
    folder.mkdir(parents=True)
    left = {"experiment.log", SUMMARY}
    names = sorted(candidate.names)
    copy_files(candidate.path, folder, [name for name in names if not STEP.match(name) and name not in left])
    for name in names:
        if STEP.match(name):
            _retell_step(candidate, name, folder, say)
    return folder


def _retell_step(candidate: Candidate, name: str, folder: Path, say: Say) -> None:
    """Write a step again. Pictures in it are kept beside it, or named by a step file that stays as it is."""
    pickled = read_pickle(candidate.path / name, candidate.limits)
    record = pickled.value
    if isinstance(record, Stub):
        record.state = _retold_state(record.state, say)
    with gzip.open(folder / name, "xb", 1) as out:
        write_pickle(record, cast(BinaryIO, out))


def _retold_state(state: Mapping[Any, Any], say: Say) -> dict[Any, Any]:
    told = dict(state)
    seen = object_of(told.get("obs"))
    if seen:
        words = ("chat_messages", "last_action")
        told["obs"] = {**seen, **{key: say(Plane.NARRATION) for key in words if key in seen}}
    if isinstance(told.get("action"), str):
        told["action"] = _retold_action(told["action"], say)
    graded = ("reward", "raw_reward", "terminated", "task_info", "stats")
    return {
        **told,
        **{key: say(Plane.GRADING) for key in graded if key in told},
        "agent_info": {"think": say(Plane.NARRATION)},
    }


def _retold_action(written: str, say: Say) -> str:
    calls = parse(written).calls
    if len(calls) != 1 or calls[0].name not in MESSAGES:
        return written
    return f"{calls[0].name}({say(Plane.REPORT)!r})"
