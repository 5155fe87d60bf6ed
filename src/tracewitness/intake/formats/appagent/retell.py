"""Retelling AppAgent task folders."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.appagent.detect import EXPLORE
from tracewitness.intake.formats.appagent.explore import REFLECT
from tracewitness.intake.formats.appagent.response import LABEL
from tracewitness.intake.planes import Plane
from tracewitness.intake.reading_files import decode, lines_of, parse_json
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.untyped import object_of, text_of


def retell(candidate: Candidate, log: Path, say: Say, folder: Path) -> Path:
    """Write the folder with all that the agent says in other words: labelled texts but the call, and later prompts.

    AppAgent's flag is FINISH itself, which is evidence that the agent ended; so it stays.
    """
    folder.mkdir(parents=True)
    reflect = log.name.replace(EXPLORE, REFLECT, 1) if log.name.startswith(EXPLORE) else ""
    others = sorted(one.name for one in log.parent.iterdir() if one.name not in (log.name, reflect))
    copy_files(log.parent, folder, others)
    if reflect and (log.parent / reflect).is_file():
        with (folder / reflect).open("x", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in _retold_reflections(log.parent / reflect, candidate, say))
    told = folder / log.name
    with told.open("x", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in _retold_lines(log, candidate, say))
    return folder if candidate.shape is Shape.FOLDER else told


def retell_demonstration(candidate: Candidate, folder: Path) -> Path:
    """Write the folder as it is: no agent says anything in it."""
    root = candidate.path
    folder.mkdir(parents=True)
    names = (str(one.relative_to(root)) for one in root.rglob("*") if one.is_file() and not one.is_symlink())
    copy_files(root, folder, sorted(names))
    return folder


def _retold_reflections(log: Path, candidate: Candidate, say: Say) -> Iterator[str]:
    """Yield the lines with every word but the decision in other words; the decision is what the tool acts on."""
    for line in lines_of(log, candidate.limits):
        try:
            keys = object_of(parse_json(decode(line.content, log.name).text, line.number))
        except IntakeError:
            yield line.content.decode("utf-8", "replace")
            continue
        decision = text_of(keys.get("response")).partition("Decision: ")[2].partition("\n")[0]
        other = say(Plane.NARRATION)
        response = f"Decision: {decision}\nThought: {other}\nDocumentation: {other}"
        yield json.dumps({**keys, "prompt": other, "response": response} if keys else None)


def _retold_lines(log: Path, candidate: Candidate, say: Say) -> Iterator[str]:
    first, known = True, ""
    for line in lines_of(log, candidate.limits):
        try:
            read = decode(line.content, log.name, known)
            value: Any = parse_json(read.text, line.number)
        except IntakeError:
            yield line.content.decode("utf-8", "replace")
            continue
        known = read.encoding if read.encoding != "utf-8" else known
        keys = cast(dict[str, Any], value) if isinstance(value, dict) else {}
        if isinstance(keys.get("response"), str):
            prompt = keys.get("prompt") if first else f"{say(Plane.NARRATION)}\n{say(Plane.NARRATION)}"
            value = {**keys, "prompt": prompt, "response": retold_response(keys["response"], say)}
        first = False
        yield json.dumps(value)


def retold_response(response: str, say: Say) -> str:
    """Return a response with every labelled text but the call in other words; beside FINISH the Summary reports."""
    marks = list(LABEL.finditer(response))
    carrier = "Function" if any(mark.group(1) == "Function" for mark in marks) else "Action"
    finished = "FINISH" in response
    told = "" if not marks or marks[0].start() == 0 else say(Plane.NARRATION) + "\n"
    for mark, end in zip(marks, [*(m.start() for m in marks[1:]), len(response)], strict=True):
        label, body = mark.group(1), response[mark.end() : end].strip()
        if label != carrier:
            body = say(Plane.REPORT if finished and label == "Summary" else Plane.NARRATION)
        told += f"{label}: {body}\n"
    return told if marks else response
