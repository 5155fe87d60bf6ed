from dataclasses import replace
from pathlib import Path
from typing import Any

from asked_readers import AskedClaimReader, AskedExtractor
from auditing_samples import all_yes, rules, saved

from tracewitness.asking.port import Askers, Question
from tracewitness.auditing.kept_answers import KeptAnswers
from tracewitness.auditing.many_runs import audit_many
from tracewitness.auditing.outcome import Audited
from tracewitness.findings.causes import UnavailableCause
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store, open_store
from tracewitness.testing import ScriptedAsker


def audit(asker: ScriptedAsker, store: Store, *, fresh: bool = False) -> AuditRecord:
    models = replace(
        rules(),
        claim_reader=AskedClaimReader(),
        extractor=AskedExtractor(),
        askers=Askers.both(KeptAnswers(asker, store)),
    )
    (outcome,) = audit_many([saved().build()], models, store=store, fresh=fresh)
    assert isinstance(outcome, Audited)
    return outcome.record


def test_no_call_is_paid_for_twice(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as store:
        first, second = ScriptedAsker(all_yes), ScriptedAsker(all_yes)
        before = audit(first, store)
        after = audit(second, store, fresh=True)
        assert (len(first.questions), len(second.questions)) == (6, 0)
        assert after.record_id == before.record_id


def test_an_audit_that_a_dead_model_broke_off_is_taken_up_and_only_the_rest_is_asked(tmp_path: Path) -> None:
    def dies(question: Question) -> dict[str, Any] | UnavailableCause:
        return all_yes(question) if question.side == "report" else UnavailableCause.TRANSPORT

    with open_store(tmp_path / "a.db") as store:
        broken = audit(ScriptedAsker(dies), store)
        assert broken.trace is not None and broken.trace.unavailable is UnavailableCause.TRANSPORT
        again = ScriptedAsker(all_yes)
        mended = audit(again, store)
        assert mended.trace is not None and mended.trace.unavailable is None
        assert {question.side for question in again.questions} == {"trace"}
