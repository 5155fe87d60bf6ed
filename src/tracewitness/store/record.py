"""The audit record: everything one audit produced, enough to replay it under another policy with no model call.

Prose never stands in a record in the open: quotes, rationales, clauses and raw model answers are ``Prose``, named by
digest and kept apart by the side they belong to. Nothing here imports a side, intake or SQL.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from tracewitness.asking.vote import Ballots
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.decision import Decision
from tracewitness.findings.labels import AnswerCheck, Declared, Triage
from tracewitness.findings.records import ClaimFinding, TaskFinding, TraceFinding
from tracewitness.store.codec import decode, encode
from tracewitness.values.digests import Digest, digest_json, digest_text

_NOT_IN_ID = frozenset({"audited_at", "seconds"})
_PROSE = "prose"


class ProseSide(StrEnum):
    """The side that a kept text belongs to; no text is shared between sides.

    ``WHOLE`` is for answers of judges that are measured. No audit record holds a text of it.
    """

    TASK = "task"
    TRACE = "trace"
    REPORT = "report"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Prose:
    """One kept text of one side. ``digest`` is always ``digest_text(text)``; build with ``keep``."""

    digest: Digest
    side: ProseSide
    text: str


def keep(side: ProseSide, text: str) -> Prose:
    """Return a text as content-addressed prose of a side. Any text has a digest, lone surrogates included."""
    return Prose(digest_text(text), side, text)


@dataclass(frozen=True, slots=True)
class PromptUse:
    """A prompt that was used: its name and version such as ``claim/1``, and the digest of its file."""

    prompt_id: str
    digest: Digest


@dataclass(frozen=True, slots=True)
class ModelUse:
    """A model that a side asked.

    Attributes:
        side: The side that asked.
        model: The name of the model as the asker gives it.
        parameters: Its parameters as canonical JSON text.
        prompts: The prompts that were used.
    """

    side: ProseSide
    model: str
    parameters: str = "{}"
    prompts: tuple[PromptUse, ...] = ()


@dataclass(frozen=True, slots=True)
class Makers:
    """Who made a record. Two audits of one run by equal makers are the same audit (models voting aside).

    Attributes:
        tool_version: The version of tracewitness.
        claim_reader: Name of the claim reader, such as ``rules``.
        claim_reader_digest: Digest of its rules and lexicons, or of its prompts.
        extractor: Name of the evidence extractor.
        extractor_digest: Digest of its rules and lexicons, or of its prompts.
        class_rule_digest: Digest of the frozen class rule.
        policy_name: Name of the policy that decided.
        policy_version: Its version.
        policy_digest: Digest of its content.
        format_name: The reader that took the run, such as ``appagent``.
        format_version: The version of the format that was seen, or empty.
        encoding: The text encoding that was used, or empty.
        models: The models that were asked, if any.
    """

    tool_version: str
    claim_reader: str
    claim_reader_digest: Digest
    extractor: str
    extractor_digest: Digest
    class_rule_digest: Digest
    policy_name: str
    policy_version: str
    policy_digest: Digest
    format_name: str
    format_version: str = ""
    encoding: str = ""
    models: tuple[ModelUse, ...] = ()

    def key(self) -> Digest:
        """Return the digest of all makers; together with the run digest it says whether an audit is already there."""
        return _makers_key(self)


@lru_cache(maxsize=256)
def _makers_key(makers: Makers) -> Digest:
    return digest_json(encode(makers))


@dataclass(frozen=True, slots=True)
class StrippedNote:
    """One thing that intake kept away from the trace side: place, plane, leak route (``L1``..) and size."""

    where: str
    plane: str
    route: str
    characters: int


@dataclass(frozen=True, slots=True)
class ClauseNote:
    """How one clause of the report was read: span in the text as read, cause, digest of its words, weight."""

    start: int
    end: int
    cause: ClaimCause
    quote: Digest
    decided: bool = False


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """A model's answer as it came.

    Attributes:
        question: The question's cache key.
        side: The side that asked.
        model: The model that answered.
        raw: Digest of the raw text.
        input_tokens: Tokens of the question.
        output_tokens: Tokens of the answer.
        microusd: What it cost in millionths of a US dollar; None where no price is known.
    """

    question: Digest
    side: ProseSide
    model: str
    raw: Digest
    input_tokens: int = 0
    output_tokens: int = 0
    microusd: int | None = None


@dataclass(frozen=True, slots=True)
class BallotNote:
    """How the vote on one label went: what it was on, in which part of the task, and the label of each run."""

    side: ProseSide
    ballots: Ballots


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A model's answer kept for resuming, so that no call is paid for twice.

    Attributes:
        key: The question's cache key.
        side: The side that asked.
        model: The model that answered.
        raw: The raw text, verbatim.
        value: The parsed object as canonical JSON text.
        input_tokens: Tokens of the question.
        output_tokens: Tokens of the answer.
        microusd: What it cost in millionths of a US dollar; None where no price is known.
        tokens: The answer token by token with their probabilities, as JSON text; empty where none were asked for.
    """

    key: Digest
    side: ProseSide
    model: str
    raw: str
    value: str = "{}"
    input_tokens: int = 0
    output_tokens: int = 0
    microusd: int | None = None
    tokens: str = ""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """Everything one audit produced.

    Attributes:
        run_id: The run's id as the log or its place gives it; not unique over logs.
        run_digest: Digest over all planes of the run.
        task_digest: Digest of the task plane.
        trace_digest: Digest of the evidence plane.
        report_digest: Digest of the report plane.
        audited_at: When, ISO 8601 in UTC with a final ``Z``. Not part of the record's id.
        makers: Who made it.
        origin_path: The file or folder, as the user named it.
        triage: Coarse sorting by harness status.
        task: What the task side found.
        claim: What the report side found; None where triage ended the audit before it.
        trace: What the trace side found; None where triage ended the audit before it.
        answer_check: How the reported answer stands against the trace.
        decision: The policy's decision; None where triage ended the audit before it.
        agent: Who ran, for grouping only.
        source: Where the file came from, for grouping only.
        stripped: What intake kept away from the trace side.
        notices: What intake remarked, one line each.
        clauses: How each clause of the report was read.
        answers: Raw model answers, by digest.
        prose: Every text that the record names by digest. Sorted by side and digest, without repeats, on storing.
        seconds: How long the audit took. Not part of the record's id.
        quarantined: Intake found the report repeated in the trace; the run passes under no policy.
        ballots: How the votes of models went, the report side's first.
        task_key: The same for all runs of one task: the digest of its words, see ``Task.key``.
        steps: How many steps the trace has.
        declared: The agent's own success flag; None in records from before it was written down.
    """

    run_id: str
    run_digest: Digest
    task_digest: Digest
    trace_digest: Digest
    report_digest: Digest
    audited_at: str
    makers: Makers
    origin_path: str
    triage: Triage
    task: TaskFinding
    claim: ClaimFinding | None
    trace: TraceFinding | None
    answer_check: AnswerCheck
    decision: Decision | None
    agent: str | None = None
    source: str | None = None
    stripped: tuple[StrippedNote, ...] = ()
    notices: tuple[str, ...] = ()
    clauses: tuple[ClauseNote, ...] = ()
    answers: tuple[RawAnswer, ...] = ()
    prose: tuple[Prose, ...] = field(default=(), repr=False)
    seconds: float = 0.0
    quarantined: bool = False
    ballots: tuple[BallotNote, ...] = ()
    task_key: Digest | None = None
    steps: int = 0
    declared: Declared | None = None

    @property
    def record_id(self) -> Digest:
        """Return the digest of the record's content, time and duration left out; derived anew at each call."""
        return record_id_of(body_of(self))

    def text(self, digest: Digest, side: ProseSide) -> str | None:
        """Return a kept text of a side, or None where the record does not keep it."""
        return next((kept.text for kept in self.prose if kept.digest == digest and kept.side is side), None)


def body_of(record: AuditRecord) -> dict[str, Any]:
    """Return the JSON form of a record, with each kept text as its digest and side alone.

    Raises:
        CodecError: Something in the record is not what its type hint says.
    """
    body = encode(replace(record, prose=()))
    if record.prose:
        body[_PROSE] = [[digest, side] for side, digest in sorted({(p.side, p.digest) for p in record.prose})]
    return body


def prose_refs(body: dict[str, Any]) -> list[tuple[Digest, ProseSide]]:
    """Return digest and side of every text that a body names as kept."""
    return [(Digest(digest), ProseSide(side)) for digest, side in body.get(_PROSE, [])]


def record_from(body: dict[str, Any], prose: Iterable[Prose]) -> AuditRecord:
    """Return the record of a body and its kept texts, which are put in the order of storing.

    Raises:
        CodecError: The body does not have the form of a record.
    """
    record = decode(AuditRecord, {key: value for key, value in body.items() if key != _PROSE})
    return replace(record, prose=tuple(sorted(prose, key=lambda kept: (kept.side, kept.digest))))


def record_id_of(body: dict[str, Any]) -> Digest:
    """Return the digest of a body's content, time and duration left out."""
    return digest_json({key: value for key, value in body.items() if key not in _NOT_IN_ID})
