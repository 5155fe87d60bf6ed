"""The claim reader by a model, over the model port. It is shown the report and the agent's own flag, nothing else."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.fences import fence
from tracewitness.asking.port import Answer, Question, Side
from tracewitness.asking.prompts import Prompt, load_prompt
from tracewitness.asking.vote import VOTING, Spot, Voting, conduct
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.labels import Basis, Claim, Language
from tracewitness.findings.records import ClaimFinding
from tracewitness.language.answer_texts import typed_answers
from tracewitness.language.detect import detect
from tracewitness.language.folding import tidy
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.report import Report
from tracewitness.values.redaction import redact

_CAUSES = {
    Claim.SUCCESS: (ClaimCause.ASSERTED_DONE, ClaimCause.ASSERTED_STATE, ClaimCause.GAVE_ANSWER),
    Claim.FAILURE_OR_INCOMPLETE: (ClaimCause.ASSERTED_FAILURE, ClaimCause.PARTIAL, ClaimCause.INABILITY),
    Claim.UNCLEAR: (
        ClaimCause.HEDGED,
        ClaimCause.FUTURE,
        ClaimCause.CONDITIONAL,
        ClaimCause.QUESTION,
        ClaimCause.HANDOFF,
        ClaimCause.CONTRADICTS_FLAG,
        ClaimCause.SELF_CONTRADICTION,
        ClaimCause.NO_CLAIM_WORDS,
        ClaimCause.OBEYED_TEXT,
    ),
}
_KEYS = frozenset({"rationale", "claim", "basis", "cause", "answers"})
_RATIONALE_LIMIT = 120
_ANSWER_LIMIT = 50
_ANSWER_TOKENS = 1000
_CLAIM: Spot[Claim] = Spot("claim", ("claim",), tuple(Claim))


_CAUSE_IDS = frozenset(cause.id for group in _CAUSES.values() for cause in group)


@cache
def prompt() -> Prompt:
    """Return the prompt of the claim reader."""
    return load_prompt("tracewitness.report_side.prompts", "claim-1.toml")


@cache
def answer_schema() -> str:
    """Return the JSON Schema of an answer. Keys stand in the order in which they are to be written."""
    causes = [cause.id for group in _CAUSES.values() for cause in group]
    properties: dict[str, Any] = {
        "rationale": {"type": "string", "maxLength": _RATIONALE_LIMIT},
        "claim": {"enum": [claim.value for claim in Claim]},
        "basis": {"enum": [basis.value for basis in Basis]},
        "cause": {"enum": causes},
        "answers": {"type": "array", "items": {"type": "string"}, "maxItems": _ANSWER_LIMIT},
    }
    whole = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def claim_question(report: Report, run_number: int = 0) -> Question:
    """Return the question about a report: the fenced text without secrets, and the flag."""
    flag = report.declared_status.value if report.declared_status else "none"
    user = prompt().fill(flag=flag, report=fence(redact(tidy(report.text or "")).text, "report"))
    return Question(
        Side.REPORT,
        prompt().prompt_id,
        prompt().system,
        user,
        answer_schema(),
        run_number,
        answer_tokens=_ANSWER_TOKENS,
    )


def parse_claim(value: Mapping[str, Any], language: Language) -> ClaimFinding | UnavailableCause:
    """Return the finding an answer states; SCHEMA_VIOLATION for whatever does not have the asked-for form.

    The basis counts for a success only. A cause that does not fit the claim is no reason to doubt the claim, which is
    what was asked for; it is left out.
    """
    well_formed = frozenset(value) == _KEYS and isinstance(value["rationale"], str) and _is_texts(value["answers"])
    if not well_formed or value["cause"] not in _CAUSE_IDS:
        return UnavailableCause.SCHEMA_VIOLATION
    try:
        claim, basis = Claim(value["claim"]), Basis(value["basis"])
    except ValueError:
        return UnavailableCause.SCHEMA_VIOLATION
    cause = next((cause for cause in _CAUSES[claim] if cause.id == value["cause"]), ClaimCause.MODEL_READ)
    if claim is not Claim.SUCCESS:
        return ClaimFinding(claim, Basis.UNSTATED, (cause,), language)
    return ClaimFinding(claim, basis, (cause,), language, typed_answers(value["answers"], language))


def read_claim_by_model(report: Report, voting: Voting = VOTING) -> Dialogue[ClaimReading]:
    """Ask a model for the claim, and go by the majority of its runs.

    Without a majority the claim is unclear; a model that gave no usable answer makes the finding unavailable.

    Args:
        report: The report.
        voting: How the claim is voted on.
    """
    language = detect(tidy(report.text or ""))
    findings: list[ClaimFinding] = []

    def read(answer: Answer) -> Sequence[Claim | UnavailableCause]:
        finding = parse_claim(answer.value, language)
        if isinstance(finding, UnavailableCause):
            return [finding]
        findings.append(finding)
        return [finding.claim]

    (outcome,) = yield from conduct(voting, lambda number: claim_question(report, number), read, [_CLAIM])
    vote, ballots = outcome.vote, (outcome.ballots,)
    label = vote.firm_label
    # The first run that voted with the majority speaks for it: basis and answers of different runs are not mixed.
    speaker = next((finding for finding in findings if finding.claim is label), None)
    if speaker is not None:
        return ClaimReading(speaker, ballots=ballots)
    cause = ClaimCause.NO_MAJORITY if vote.unavailable is None else ClaimCause.UNAVAILABLE
    finding = ClaimFinding(Claim.UNCLEAR, Basis.UNSTATED, (cause,), language, (), vote.unavailable)
    return ClaimReading(finding, ballots=ballots)


def _is_texts(value: object) -> bool:
    if not isinstance(value, list):
        return False
    items = cast(list[object], value)
    return len(items) <= _ANSWER_LIMIT and all(isinstance(item, str) for item in items)
