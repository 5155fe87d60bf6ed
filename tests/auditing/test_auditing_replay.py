from dataclasses import replace
from pathlib import Path

import pytest
from auditing_samples import rules, saved, unsaved
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tracewitness.policy
from tracewitness.auditing.deciding import decide_again
from tracewitness.auditing.many_runs import audit_many
from tracewitness.auditing.one_run import audit_run
from tracewitness.auditing.rederive import Rederiver
from tracewitness.auditing.replay import changes, replay
from tracewitness.findings.causes import Gap, UnavailableCause
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import (
    AnswerCheck,
    Basis,
    Claim,
    Disposition,
    FieldValue,
    Language,
    StepPart,
    TaskClass,
)
from tracewitness.findings.records import Citation, ClaimFinding, Evidence, FieldFinding, TaskFinding, TraceFinding
from tracewitness.policy.domain import DISPOSITIONS
from tracewitness.policy.table import DecisionTable, compile_policy
from tracewitness.store.codes import codes_of, decision_columns
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store, open_store
from tracewitness.store.verify import verify
from tracewitness.values.digests import Digest, digest_text
from tracewitness.wiring.policies import builtin_names, find_policy, policy_by_digest

TABLES = {name: compile_policy(find_policy(name)) for name in builtin_names()}
_BASE = audit_run(unsaved("base").build(), rules())
_CITED = (Citation(1, StepPart.AFTER),)


@st.composite
def field_findings(draw: st.DrawFn) -> FieldFinding:
    value = draw(st.sampled_from(FieldValue))
    return FieldFinding(value, EvidenceCause.NOT_SHOWN, _CITED if draw(st.booleans()) else ())


@st.composite
def records(draw: st.DrawFn) -> AuditRecord:
    parts = draw(st.lists(st.builds(Evidence, *[field_findings()] * 6), min_size=1, max_size=3))
    gaps = draw(st.sampled_from([(), (Gap.MISSING_STEPS,)]))
    claim = ClaimFinding(
        draw(st.sampled_from(Claim)),
        draw(st.sampled_from(Basis)),
        (ClaimCause.ASSERTED_DONE,),
        Language.EN,
        (),
        draw(st.sampled_from([None, None, None, UnavailableCause.TIMEOUT])),
    )
    unavailable = draw(st.sampled_from([None, None, None, UnavailableCause.BUDGET]))
    task = TaskFinding(draw(st.sampled_from(TaskClass)), digest_text("rule"), False, len(parts), Language.EN)
    return replace(
        _BASE,
        task=task,
        claim=claim,
        trace=TraceFinding(tuple(parts), gaps, (), unavailable),
        answer_check=draw(st.sampled_from(AnswerCheck)),
        quarantined=draw(st.sampled_from([False, False, False, True])),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(records(), max_size=12), st.sampled_from(sorted(TABLES)))
def test_replay_by_look_up_decides_as_the_audit_decides(found: list[AuditRecord], name: str) -> None:
    columns = decision_columns([record.record_id for record in found], [codes_of(record) for record in found])
    outcomes = replay(columns, TABLES[name]).outcomes
    expected = [decide_again(record, TABLES[name]) for record in found]
    assert [DISPOSITIONS[code] for code in outcomes.severities] == [d.disposition for d in expected if d]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = open_store(tmp_path / "audits.db")
    runs = [saved("good").build(), unsaved("bad").build(), unsaved("admitted").report("I could not save it.").build()]
    list(audit_many(runs, rules(), store=opened))
    return opened


def test_under_the_same_policy_nothing_changes(store: Store) -> None:
    found = replay(store.columns(), TABLES["default"])
    assert list(found.changed) == []
    assert list(changes(store, found, TABLES["default"])) == []
    assert found.dispositions()[Disposition.FLAG] == 1


def find_source(name: str) -> Path:
    return Path(tracewitness.policy.__path__[0], "builtin", f"{name}.toml")


def test_every_changed_outcome_is_listed_with_both_rows_and_the_new_reason(store: Store, tmp_path: Path) -> None:
    text = find_source("paper").read_text(encoding="utf-8").replace('disposition = "FLAG"', 'disposition = "REVIEW"')
    (tmp_path / "soft.toml").write_text(text, encoding="utf-8")
    soft = compile_policy(find_policy(str(tmp_path / "soft.toml")))
    (change,) = changes(store, replay(store.columns(), soft), soft)
    assert (change.run_id, change.before.disposition, change.after.disposition) == (
        "bad",
        Disposition.FLAG,
        Disposition.REVIEW,
    )
    assert change.before.row == change.after.row == "false_success"
    assert change.reason.endswith(".")
    found = replay(store.columns(), soft, TABLES["paper"])
    assert found.moves() == {(Disposition.FLAG, Disposition.REVIEW): 1}
    (against,) = changes(store, found, soft, TABLES["paper"])
    assert against.before == change.before


def test_verify_derives_every_decision_and_says_which_policy_is_not_at_hand(store: Store) -> None:
    def find(digest: Digest) -> DecisionTable | None:
        policy = policy_by_digest(digest)
        return compile_policy(policy) if policy else None

    rederiver = Rederiver(find)
    assert verify(store, rederiver).clean
    assert rederiver.missing == ()
    blind = Rederiver(lambda digest: None)
    assert verify(store, blind).clean
    assert len(blind.missing) == 1
    wrong = Rederiver(lambda digest: TABLES["final-state"])
    assert not verify(store, wrong).clean
