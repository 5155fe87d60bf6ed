"""The extractor by a model, over the model port. It is shown the task and the window of the trace, nothing else.

What it is shown is without secrets, and what it quotes is looked for in the trace without secrets.

Its output type has no verdict. Each field is voted on over several runs; a field without a majority is UNKNOWN, and a
citation that does not hold in the trace degrades the field to UNKNOWN.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.fences import fence
from tracewitness.asking.port import Answer, Question, Side
from tracewitness.asking.prompts import Prompt, load_prompt
from tracewitness.asking.vote import RUNS, poll, tally
from tracewitness.findings.causes import Gap, UnavailableCause
from tracewitness.findings.evidence_causes import EvidenceCause, Notice
from tracewitness.findings.labels import FieldValue, StepPart, TaskClass
from tracewitness.findings.records import Citation, Evidence, FieldFinding, TraceFinding
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.extraction import Extraction, Scribe
from tracewitness.trace_side.grounding import ground_field
from tracewitness.trace_side.injection import find_judge_addressed
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.redacting import known_passwords, redact_task, redact_trace
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.window import Window, build_window
from tracewitness.values.digests import canonical_json
from tracewitness.values.redaction import redact

FIELDS = ("action", "target", "transition", "commitment", "final_support", "prior_state")
_VALUES = (FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN)
_PARTS = {part.value: part for part in StepPart}
_QUOTE_LIMIT = 2000


@cache
def prompt() -> Prompt:
    """Return the prompt of the extractor."""
    return load_prompt("tracewitness.trace_side.prompts", "evidence-1.toml")


@cache
def answer_schema() -> str:
    """Return the JSON Schema of an answer; citations come first, then the value, then the rationale; no verdict."""
    citation = {
        "type": "object",
        "properties": {
            "step": {"type": "integer"},
            "part": {"enum": sorted(_PARTS)},
            "quote": {"type": "string"},
        },
        "required": ["step", "part", "quote"],
        "additionalProperties": False,
    }
    field = {
        "type": "object",
        "properties": {
            "citations": {"type": "array", "items": citation},
            "value": {"enum": [value.value for value in _VALUES]},
            "rationale": {"type": "string"},
        },
        "required": ["citations", "value", "rationale"],
        "additionalProperties": False,
    }
    properties: dict[str, Any] = {name: field for name in FIELDS}
    properties["instructions_in_data"] = {"type": "boolean"}
    whole = {"type": "object", "properties": properties, "required": list(FIELDS), "additionalProperties": False}
    return canonical_json(whole)


@dataclass(frozen=True, slots=True)
class _Told:
    """What one answer says of one field."""

    value: FieldValue
    citations: tuple[tuple[int, StepPart, str], ...]
    rationale: str


def extract(
    task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, runs: int = RUNS
) -> Dialogue[Extraction]:
    """Return the evidence that a model reads out of the window, one vote per part of the task.

    A model that cannot be asked, or whose answers do not parse, makes the finding unavailable, never a verdict.
    """
    known = known_passwords(trace)
    task, trace = redact_task(task, known), redact_trace(trace)
    ledger = build_ledger(trace)
    window = build_window(task, ledger)
    scribe = Scribe()
    parts: list[Evidence] = []
    warned = bool(find_judge_addressed(trace))
    for goal in goals:
        shown = redact(goal.text, known).text
        evidence, cause = yield from _examine(shown, task_class, trace, window, scribe, runs)
        if evidence is None:
            return Extraction(TraceFinding((), _gaps(ledger, window), _notices(warned), cause), scribe.prose)
        parts.append(evidence)
    return Extraction(TraceFinding(tuple(parts), _gaps(ledger, window), _notices(warned)), scribe.prose)


def _examine(
    goal: str, task_class: TaskClass, trace: Trace, window: Window, scribe: Scribe, runs: int
) -> Dialogue[tuple[Evidence | None, UnavailableCause | None]]:
    told: list[Mapping[str, _Told]] = []

    def read(answer: Answer) -> Sequence[FieldValue | UnavailableCause]:
        parsed = _parse(answer.value)
        if parsed is None:
            return [UnavailableCause.SCHEMA_VIOLATION] * len(FIELDS)
        told.append(parsed)
        return [parsed[name].value for name in FIELDS]

    ballots = yield from poll(lambda number: _question(goal, task_class, window, number), read, len(FIELDS), runs)
    votes = [tally(each, runs) for each in ballots]
    cause = next((vote.unavailable for vote in votes if vote.unavailable is not None), None)
    if cause is not None:
        return None, cause
    found = [_finding(name, vote.label, told, scribe) for name, vote in zip(FIELDS, votes, strict=True)]
    action, target, transition, commitment, final_support, prior_state = (
        ground_field(trace, _cited(finding), scribe.prose) for finding in found
    )
    return Evidence(action, target, transition, commitment, final_support, prior_state), None


def _question(goal: str, task_class: TaskClass, window: Window, number: int) -> Question:
    user = prompt().fill(task_class=task_class.value, part=fence(goal, "task"), window=window.text)
    return Question(Side.TRACE, prompt().prompt_id, prompt().system, user, answer_schema(), number)


def _parse(value: Mapping[str, Any]) -> dict[str, _Told] | None:
    parsed: dict[str, _Told] = {}
    for name in FIELDS:
        told = _parse_field(value.get(name))
        if told is None:
            return None
        parsed[name] = told
    return parsed


def _parse_field(field: object) -> _Told | None:
    if not isinstance(field, dict):
        return None
    entry = cast(dict[str, Any], field)
    value, rationale, citations = entry.get("value"), entry.get("rationale", ""), entry.get("citations", [])
    if value not in [v.value for v in _VALUES] or not isinstance(rationale, str) or not isinstance(citations, list):
        return None
    kept = tuple(c for c in map(_parse_citation, cast(list[object], citations)) if c is not None)
    return _Told(FieldValue(value), kept, rationale)


def _parse_citation(citation: object) -> tuple[int, StepPart, str] | None:
    if not isinstance(citation, dict):
        return None
    entry = cast(dict[str, Any], citation)
    step, part, quote = entry.get("step"), entry.get("part"), entry.get("quote", "")
    if not isinstance(step, int) or not isinstance(quote, str) or part not in _PARTS:
        return None
    return step, _PARTS[str(part)], quote[:_QUOTE_LIMIT]


def _finding(name: str, label: FieldValue | None, told: Sequence[Mapping[str, _Told]], scribe: Scribe) -> FieldFinding:
    if label is None:
        return FieldFinding(FieldValue.UNKNOWN, EvidenceCause.NO_MAJORITY)
    speaker = next(answer[name] for answer in told if answer[name].value is label)
    citations = tuple(scribe.cite(step, part, quote or None) for step, part, quote in speaker.citations)
    return scribe.found(label, EvidenceCause.MODEL_READ, *citations, rationale=speaker.rationale or None)


def _cited(finding: FieldFinding) -> FieldFinding:
    quoted: tuple[Citation, ...] = tuple(c for c in finding.citations if c.quote is not None)
    if finding.value in (FieldValue.YES, FieldValue.NO) and not quoted:
        return replace(finding, value=FieldValue.UNKNOWN, cause=EvidenceCause.NO_CITATION)
    return finding


def _gaps(ledger: Ledger, window: Window) -> tuple[Gap, ...]:
    return ledger.gaps if window.whole else tuple(dict.fromkeys((*ledger.gaps, Gap.WINDOW_ELIDED)))


def _notices(warned: bool) -> tuple[Notice, ...]:
    return (Notice.JUDGE_ADDRESSED,) if warned else ()
