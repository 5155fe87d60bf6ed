"""A model that examines a trace by script: answers in the asked-for form, and what becomes of them."""

from collections.abc import Callable, Sequence
from typing import Any

from tracewitness.asking.dialogue import settle
from tracewitness.asking.port import Askers, Question
from tracewitness.asking.vote import Voting
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.labels import FieldValue, StepPart
from tracewitness.findings.records import Evidence
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.testing import ScriptedAsker
from tracewitness.trace_side.answer_form import FIELDS
from tracewitness.trace_side.by_model import ModelOptions, extract
from tracewitness.trace_side.exhibits import NO_EXHIBITS, Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Screenshot, Trace
from tracewitness.values.digests import digest_bytes

Reply = dict[str, Any]
Replies = Sequence[Reply | UnavailableCause] | Callable[[Question], Reply | UnavailableCause]

YES, NO, UNKNOWN = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN
ONE_RUN = ModelOptions(Voting(1))
PNG = b"\x89PNG\r\n\x1a\n"


def cite(step: int, quote: str = "", part: StepPart | str = StepPart.AFTER) -> dict[str, Any]:
    return {"step": step, "part": str(part), "quote": quote}


def told(value: str = "UNKNOWN", *citations: dict[str, Any], why: str = "It is so.") -> dict[str, Any]:
    return {"citations": list(citations), "value": value, "rationale": why}


def fields_of(**fields: Any) -> Any:
    """Named fields, to be handed on by name."""
    return fields


def reply(answer: list[str] | None = None, *cited: dict[str, Any], seen: bool = False, **fields: Any) -> Reply:
    """One answer: the named fields as given, the others UNKNOWN."""
    whole: Reply = {name: fields.get(name, told()) for name in FIELDS}
    if answer is not None:
        whole["answer"] = {"citations": list(cited), "values": answer}
    return {**whole, "instructions_in_data": seen}


def examined(
    task: str, trace: Trace, replies: Replies, options: ModelOptions = ONE_RUN, exhibits: Exhibits = NO_EXHIBITS
) -> tuple[Extraction, ScriptedAsker]:
    """What a model with this script finds, and the model."""
    asker = ScriptedAsker(replies)
    reading = read_task(Task(task))
    dialogue = extract(Task(task), reading.goals, reading.finding.task_class, trace, options, exhibits)
    return settle(dialogue, Askers.both(asker)), asker


def only_part(extraction: Extraction) -> Evidence:
    (part,) = extraction.finding.parts
    return part


class Album:
    """Pictures by digest; some may be missing."""

    def __init__(self, *pictures: bytes) -> None:
        self.pictures = {digest_bytes(picture): picture for picture in pictures}
        self.read_names: list[str] = []

    def read(self, screenshot: Screenshot) -> bytes | None:
        self.read_names.append(screenshot.name)
        return self.pictures.get(screenshot.digest) if screenshot.digest is not None else None


def picture(name: str) -> bytes:
    return PNG + name.encode()


def shot(name: str) -> Screenshot:
    return Screenshot(f"{name}.png", digest_bytes(picture(name)))
