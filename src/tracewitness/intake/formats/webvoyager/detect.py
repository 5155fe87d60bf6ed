"""Telling a task folder of WebVoyager by its messages."""

from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.grammars.webvoyager import TASK
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

LOG = "interact_messages.json"


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a folder with the messages, and to the messages themselves."""
    if candidate.shape is not Shape.FOLDER:
        return _told(candidate.sample)
    if LOG not in candidate.files or (candidate.path / LOG).is_symlink():
        return Verdict(False, f"no {LOG} in the folder")
    try:
        return _told(Candidate(candidate.path / LOG, LOG, candidate.limits).sample)
    except IntakeError:
        return Verdict(True, f"the folder holds {LOG}")


def _told(sample: Any) -> Verdict:
    first = [first_text(one) for one in objects_of(list_of(sample)[:4]) if one.get("role") == "user"]
    if any(text.lstrip().startswith(TASK) for text in first):
        return Verdict(True, "the first words of the user are a task of WebVoyager")
    return Verdict(False, "no messages with a task of WebVoyager")


def first_text(message: dict[str, Any]) -> str:
    """Return the first text of a message."""
    content = message.get("content")
    return content if isinstance(content, str) else text_of(object_of(next(iter(list_of(content)), None)).get("text"))
