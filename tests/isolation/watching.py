"""What each side of an audit found and asked, as texts that are compared byte for byte."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.port import Askers, Question, Side
from tracewitness.auditing.one_run import audit_run
from tracewitness.auditing.readers import Maker
from tracewitness.auditing.setup import Setup
from tracewitness.findings.labels import TaskClass
from tracewitness.intake.sealed import SealedRun
from tracewitness.report_side.by_rules import ClaimReading, read_claim
from tracewitness.report_side.report import Report
from tracewitness.store.codec import encode
from tracewitness.store.record import AuditRecord, ProseSide
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.testing import ScriptedAsker
from tracewitness.trace_side import by_model
from tracewitness.trace_side.answer_form import FIELDS
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.window import build_window
from tracewitness.values.digests import canonical_json, digest_text
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.policies import find_policy

Products = dict[str, str]

_MAKER = Maker("nosy", digest_text("nosy"))


class NosyClaimReader:
    """Puts everything that the report side is handed into a question, then reads by rules."""

    maker = _MAKER

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        yield (Question(Side.REPORT, "nosy/1", "", canonical_json(encode(report)), "{}"),)
        return read_claim(report)


class NosyExtractor:
    """Puts everything that the trace side is handed into a question, then reads by model."""

    maker = _MAKER

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        held = [encode(task), [encode(goal) for goal in goals], task_class, encode(trace)]
        yield (Question(Side.TRACE, "nosy/1", "", canonical_json(held), "{}"),)
        return (yield from by_model.extract(task, goals, task_class, trace))


def answer(question: Question) -> dict[str, Any]:
    """Answer so that every character of the question counts: values and rationales follow from its digest."""
    digest = digest_text(question.user).removeprefix("sha256:")
    return {
        name: {
            "citations": [{"step": 1, "part": "action", "quote": digest[:1]}],
            "value": ("YES", "NO", "UNKNOWN")[int(digest[at], 16) % 3],
            "rationale": f"read from {digest}",
        }
        for at, name in enumerate(FIELDS)
    }


@cache
def rules() -> Setup:
    return rules_setup(find_policy("default"), audit_all=True)


def asked() -> tuple[Setup, ScriptedAsker]:
    """Return a setup in which both sides ask a model, and the model."""
    asker = ScriptedAsker(answer)
    return Setup(NosyClaimReader(), NosyExtractor(), rules().table, Askers.both(asker), audit_all=True), asker


def trace_products(run: SealedRun) -> Products:
    """Return everything that depends on task and trace alone, by rules and by model."""
    setup, asker = asked()
    by_rules, by_a_model = audit_run(run, rules()), audit_run(run, setup)
    questions = [one for one in asker.questions if one.side is Side.TRACE]
    return {
        "window": build_window(run.task, build_ledger(run.trace)).text,
        "prompts": canonical_json([whole_question(one) for one in questions]),
        "cache keys": canonical_json([one.cache_key("model") for one in questions]),
        **_found("rules", by_rules),
        **_found("model", by_a_model),
    }


def _found(reader: str, record: AuditRecord) -> Products:
    assert record.trace is not None and record.decision is not None
    kept = sorted([text.digest, text.text] for text in record.prose if text.side is not ProseSide.REPORT)
    return {
        f"{reader}: evidence": canonical_json(encode(record.trace)),
        f"{reader}: prose": canonical_json(kept),
        f"{reader}: trace state": canonical_json([encode(part) for part in record.decision.parts]),
        f"{reader}: worst part": record.decision.trace_state,
        f"{reader}: task": canonical_json(encode(record.task)),
        f"{reader}: digests": record.task_digest + record.trace_digest,
    }


def report_products(run: SealedRun) -> Products:
    """Return everything that depends on the report alone."""
    setup, asker = asked()
    record = audit_run(run, rules())
    asked_record = audit_run(run, setup)
    assert record.claim is not None and asked_record.claim is not None
    questions = [one for one in asker.questions if one.side is Side.REPORT]
    kept = sorted([text.digest, text.text] for text in record.prose if text.side is ProseSide.REPORT)
    return {
        "claim": canonical_json([encode(record.claim), encode(asked_record.claim)]),
        "clauses": canonical_json([encode(clause) for clause in record.clauses]),
        "prose": canonical_json(kept),
        "prompts": canonical_json([whole_question(one) for one in questions]),
        "cache keys": canonical_json([one.cache_key("model") for one in questions]),
        "digest": record.report_digest,
    }


def whole_question(question: Question) -> list[str | int]:
    return [question.prompt_id, question.system, question.user, question.schema, question.run_number]
