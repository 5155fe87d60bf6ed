"""Findings for policy tests, built from values alone."""

from importlib.resources import files

from tracewitness.findings.causes import Gap, UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import Basis, Claim, FieldValue, Language, StepPart, TaskClass
from tracewitness.findings.records import Citation, ClaimFinding, Evidence, FieldFinding, TaskFinding, TraceFinding
from tracewitness.policy.domain import Record
from tracewitness.policy.parsing import parse_policy
from tracewitness.policy.rules import Policy
from tracewitness.values.digests import digest_text

BUILT_IN = ("paper", "default", "final-state", "low-load")
_SHORT = {"Y": FieldValue.YES, "U": FieldValue.UNKNOWN, "A": FieldValue.ABSENT, "N": FieldValue.NO}
_CITED = {
    value: FieldFinding(value, EvidenceCause.NOT_SHOWN, (Citation(0, StepPart.AFTER),)) for value in _SHORT.values()
}


def policy_text(name: str) -> str:
    return files("tracewitness.policy").joinpath("builtin", f"{name}.toml").read_text(encoding="utf-8")


def cases_text(name: str) -> str:
    return files("tracewitness.policy").joinpath("builtin", "cases", f"{name}.toml").read_text(encoding="utf-8")


def built_in(name: str) -> Policy:
    return parse_policy(policy_text(name), name)


def evidence_of(values: tuple[FieldValue, ...]) -> Evidence:
    """Evidence from the five fields and the prior state, each with a citation."""
    action, target, transition, commitment, final_support, prior = (_CITED[value] for value in values)
    return Evidence(action, target, transition, commitment, final_support, prior)


def evidence(short: str) -> Evidence:
    """Evidence from six letters, such as ``YYYANU``."""
    return evidence_of(tuple(_SHORT[letter] for letter in short))


def trace(*parts: Evidence, record: Record = Record.WHOLE, unavailable: UnavailableCause | None = None) -> TraceFinding:
    gaps = (Gap.LOG_CUT_OFF,) if record is Record.GAPS else ()
    return TraceFinding(parts, gaps, unavailable=unavailable)


def task(task_class: TaskClass = TaskClass.CREATE_EDIT, parts: int = 1) -> TaskFinding:
    return TaskFinding(task_class, digest_text("rule"), False, parts, Language.EN)


def claim(
    reading: Claim = Claim.SUCCESS, basis: Basis = Basis.PERFORMED, unavailable: UnavailableCause | None = None
) -> ClaimFinding:
    return ClaimFinding(reading, basis, (ClaimCause.ASSERTED_DONE,), Language.EN, unavailable=unavailable)
