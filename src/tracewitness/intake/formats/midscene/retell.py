"""Retelling Midscene dumps and report pages."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.finishing import bare
from tracewitness.intake.formats.midscene.detect import dump_of
from tracewitness.intake.formats.midscene.page import retold_page
from tracewitness.intake.formats.midscene.read import read
from tracewitness.intake.formats.midscene.tasks import ACTING, CLOSING_WORDS, SAYING
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.own_words import explains
from tracewitness.intake.planes import Plane
from tracewitness.intake.reading_files import decode, read_bytes
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import write_retold
from tracewitness.intake.sealed import SealedRun
from tracewitness.intake.untyped import list_of, object_of, text_of

_OWN = ("thought", "reasoning_content", "log")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the dumps with plans, thoughts, assertions and closing words in other words."""
    words = _Words(say, flag)
    pictures = _pictures(candidate)
    if candidate.shape is not Shape.OTHER:
        return write_retold(candidate, folder, words.document, pictures)
    page = decode(read_bytes(candidate.path, candidate.limits.document), candidate.name).text
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, pictures)
    path = folder / candidate.path.name
    path.write_text(retold_page(page, words.dump), encoding="utf-8")
    return path


def _pictures(candidate: Candidate) -> list[str]:
    """Return the names of the pictures beside the log that its runs show."""
    runs = [one for one in read(candidate, ReadOptions(candidate.limits)) if isinstance(one, SealedRun)]
    seen = [shown for one in runs for step in one.trace.steps for shown in (step.before, step.after)]
    names = [one.screenshot.name for one in seen if one is not None and one.screenshot is not None]
    return [name for name in names if not name.startswith("!")]


@dataclass(frozen=True, slots=True)
class _Words:
    say: Say
    flag: bool | None

    def document(self, document: Any) -> Any:
        """Return a document in other words: a dump, perhaps beside its images."""
        keys = object_of(document)
        told = self.dump(dump_of(keys))
        return {**keys, "dump": told} if "images" in keys else told

    def dump(self, dump: dict[str, Any]) -> dict[str, Any]:
        """Return a dump in other words."""
        executions = [self._execution(one) for one in list_of(dump.get("executions"))]
        return {**dump, "groupName": self.say(Plane.GRADING), "executions": executions}

    def _execution(self, value: Any) -> Any:
        keys = object_of(value)
        tasks = [self._task(object_of(one)) if isinstance(one, dict) else one for one in list_of(keys.get("tasks"))]
        return {**keys, "tasks": tasks} if "tasks" in keys else value

    def _task(self, task: dict[str, Any]) -> dict[str, Any]:
        told = {key: self._said(item) if key in _OWN else item for key, item in task.items()}
        if text_of(task.get("type")) in ACTING:
            says = bare(text_of(task.get("subType"))) in SAYING
            told["param"] = self._final(task.get("param")) if says else self._explained(task.get("param"))
        elif task.get("output"):
            told["output"] = self._output(task["output"])
        return told

    def _said(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._said(item) for key, item in object_of(value).items()}
        return self.say(Plane.NARRATION) if isinstance(value, str) else value

    def _final(self, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        keys = object_of(given)
        said = {key: self.say(Plane.REPORT) for key, item in keys.items() if isinstance(item, str)}
        flags = {key: self.flag for key, item in keys.items() if isinstance(item, bool)}
        return {**keys, **said, **flags}

    def _explained(self, given: Any) -> Any:
        if isinstance(given, list):
            return [self._explained(one) for one in list_of(given)]
        if not isinstance(given, dict):
            return given
        keys = object_of(given)
        return {key: self._said(item) if explains(key) else self._explained(item) for key, item in keys.items()}

    def _output(self, output: Any) -> Any:
        keys = object_of(output)
        if not keys:
            return self._said(output)
        said = {key: self.say(Plane.REPORT) for key in CLOSING_WORDS if isinstance(keys.get(key), str)}
        flag = {"finalizeSuccess": self.flag} if isinstance(keys.get("finalizeSuccess"), bool) else {}
        return {**keys, **said, **flag}
