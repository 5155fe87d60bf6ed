"""Retelling run folders of Mobile-Agent-v3."""

import json
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.mobile_agent_v3.detect import ROLES, step_names
from tracewitness.intake.formats.mobile_agent_v3.response import decision_of, is_finished
from tracewitness.intake.planes import Plane
from tracewitness.intake.reading_files import decode, parse_json, read_bytes
from tracewitness.intake.retelling import Say, copy_files


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with what every role answered in other words; the actions and a plan "Finished" stay.

    The tool has no flag beside these. The request stays where it stands; what later prompts repeat is replaced.
    """
    root = candidate.path
    folder.mkdir(parents=True)
    names = sorted(str(one.relative_to(root)) for one in root.rglob("*") if one.is_file() and not one.is_symlink())
    told = {f"{step}/{role}.json" for step in step_names(candidate.names) for role in ROLES}
    copy_files(root, folder, [name for name in names if name not in told])
    for name in [name for name in names if name in told]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_retold_file(root / name, candidate, say), encoding="utf-8")
    return folder


def _retold_file(path: Path, candidate: Candidate, say: Say) -> str:
    content = read_bytes(path, candidate.limits.document)
    try:
        record = parse_json(decode(content).text)
    except IntakeError:
        return content.decode("utf-8", "replace")
    if not isinstance(record, dict):
        return content.decode("utf-8", "replace")
    keys = cast(dict[str, Any], record)
    response = keys.get("response")
    if isinstance(response, str):
        keys = {**keys, "response": retold_response(path.stem, response, say)}
    return json.dumps(keys, ensure_ascii=False)


def retold_response(role: str, response: str, say: Say) -> str:
    """Return what a role answered in other words."""
    if role == "operator" and (decision := decision_of(response)).action is not None:
        action = _retold_action(decision.action, say)
        said = say(Plane.NARRATION)
        return f"### Thought ###\n{said}\n\n### Action ###\n{json.dumps(action)}\n\n### Description ###\n{said}"
    if role == "manager" and is_finished(response):
        return f"### Thought ###\n{say(Plane.REPORT)}\n\n### Plan ###\nFinished"
    return say(Plane.NARRATION)


def _retold_action(action: dict[str, Any] | None, say: Say) -> dict[str, Any]:
    given = action or {}
    return {**given, "text": say(Plane.REPORT)} if given.get("action") == "answer" else given
