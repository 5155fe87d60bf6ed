"""Retelling AppAgent task folders."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.formats.appagent.detect import EXPLORE
from tracewitness.intake.formats.appagent.explore import REFLECT
from tracewitness.intake.formats.appagent.response import LABEL
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import write_lines
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
        write_lines(log.parent / reflect, folder / reflect, candidate.limits, lambda value: _reflection(value, say))
    told = folder / log.name
    write_lines(log, told, candidate.limits, _Retelling(say))
    return folder if candidate.shape is Shape.FOLDER else told


def retell_demonstration(candidate: Candidate, folder: Path) -> Path:
    """Write the folder as it is: no agent says anything in it."""
    root = candidate.path
    folder.mkdir(parents=True)
    names = (str(one.relative_to(root)) for one in root.rglob("*") if one.is_file() and not one.is_symlink())
    copy_files(root, folder, sorted(names))
    return folder


def _reflection(value: Any, say: Say) -> Any:
    """Return a line with every word but the decision in other words; the decision is what the tool acts on."""
    keys = object_of(value)
    decision = text_of(keys.get("response")).partition("Decision: ")[2].partition("\n")[0]
    other = say(Plane.NARRATION)
    response = f"Decision: {decision}\nThought: {other}\nDocumentation: {other}"
    return {**keys, "prompt": other, "response": response} if keys else None


@dataclass(slots=True)
class _Retelling:
    """Retells the lines of a log one after the other; the prompt of the first holds the task."""

    say: Say
    first: bool = True

    def __call__(self, value: Any) -> Any:
        keys, first = object_of(value), self.first
        self.first = False
        if not isinstance(keys.get("response"), str):
            return value
        prompt = keys.get("prompt") if first else f"{self.say(Plane.NARRATION)}\n{self.say(Plane.NARRATION)}"
        return {**keys, "prompt": prompt, "response": retold_response(keys["response"], self.say)}


def retold_response(response: str, say: Say) -> str:
    """Return a response with every labelled text but the call in other words; beside FINISH the Summary reports."""
    marks = list(LABEL.finditer(response))
    if not marks:  # nothing of it is read
        return say(Plane.NARRATION) if response.strip() else response
    carrier = "Function" if any(mark.group(1) == "Function" for mark in marks) else "Action"
    finished = "FINISH" in response
    told = "" if marks[0].start() == 0 else say(Plane.NARRATION) + "\n"
    for mark, end in zip(marks, [*(m.start() for m in marks[1:]), len(response)], strict=True):
        label, body = mark.group(1), response[mark.end() : end].strip()
        if label != carrier:
            body = say(Plane.REPORT if finished and label == "Summary" else Plane.NARRATION)
        told += f"{label}: {body}\n"
    return told
