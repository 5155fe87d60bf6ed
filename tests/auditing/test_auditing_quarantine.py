"""A trace that repeats the report: the run never passes, and no agent gets a milder answer for it."""

from dataclasses import replace
from pathlib import Path

import pytest
from auditing_samples import rules, saved, unsaved

import tracewitness.policy
from tracewitness.auditing.many_runs import audit_many
from tracewitness.auditing.one_run import Run, audit_run
from tracewitness.auditing.rederive import Rederiver
from tracewitness.auditing.replay import changes, replay
from tracewitness.findings.decision import DecisionCause, Mark
from tracewitness.findings.labels import Disposition
from tracewitness.intake.guard import guarded
from tracewitness.intake.planes import Echo
from tracewitness.policy.documents import PolicyError
from tracewitness.policy.parsing import parse_policy
from tracewitness.policy.table import DecisionTable, compile_policy
from tracewitness.store.store import Store, open_store
from tracewitness.store.verify import verify
from tracewitness.testing import RunBuilder
from tracewitness.values.digests import Digest
from tracewitness.wiring.policies import find_policy, policy_by_digest

NAMES = ("paper", "default", "final-state", "low-load")
SAID = "Done. I have changed the phone number to the new one and the profile is saved."


def echoing(builder: RunBuilder) -> Run:
    return replace(builder.build(), quarantined=(Echo("step 3, action", 8),))


def find(digest: Digest) -> DecisionTable | None:
    policy = policy_by_digest(digest)
    return compile_policy(policy) if policy else None


def runs() -> list[Run]:
    admitted = unsaved("admitted").report("I could not save it.")
    return [echoing(saved("good")), echoing(unsaved("bad")), echoing(admitted), saved("plain").build()]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = open_store(tmp_path / "audits.db")
    list(audit_many(runs(), rules(), store=opened))
    return opened


def test_only_a_pass_is_held_back() -> None:
    for run in runs():
        plain = audit_run(replace(run, quarantined=()), rules()).decision
        held = audit_run(run, rules()).decision
        assert plain is not None and held is not None
        if not run.quarantined:
            assert held == plain
        elif plain.disposition is Disposition.PASS:
            assert (held.disposition, held.cause, held.row) == (Disposition.REVIEW, DecisionCause.QUARANTINED, None)
            assert held.marks == (Mark.QUARANTINED,)
        else:
            assert held == replace(plain, marks=(*plain.marks, Mark.QUARANTINED))


def test_an_agent_that_quotes_its_report_in_an_action_is_flagged_all_the_same() -> None:
    plain = unsaved().report(SAID)
    quoting = plain.step("wait", raw=f"wait(1) # {SAID}", after="page 'Profile'\n" * 40)
    run = guarded(quoting.build())
    assert run.quarantined
    record = audit_run(run, rules())
    assert record.decision is not None
    assert record.decision.disposition is Disposition.FLAG
    assert Mark.QUARANTINED in record.decision.marks


def test_replay_and_verification_agree_with_the_audit(store: Store) -> None:
    for name in NAMES:
        table = compile_policy(find_policy(name))
        found = replay(store.columns(), table)
        assert found.dispositions()[Disposition.PASS] == 1, "the run whose trace repeats nothing"
        assert found.dispositions()[Disposition.FLAG] == 1
    table = compile_policy(find_policy("default"))
    assert list(changes(store, replay(store.columns(), table), table)) == []
    assert verify(store, Rederiver(find)).clean


def test_a_replay_says_why_a_run_is_held_back(store: Store) -> None:
    flagging = find_policy("paper")
    harsh = replace(flagging, rows=tuple(replace(row, disposition=Disposition.FLAG) for row in flagging.rows))
    table, against = compile_policy(flagging), compile_policy(harsh)
    told = {change.run_id: change for change in changes(store, replay(store.columns(), table, against), table, against)}
    assert told["good"].after.row == DecisionCause.QUARANTINED.id
    assert told["good"].reason == DecisionCause.QUARANTINED.sentence
    assert told["good"].before.disposition is Disposition.FLAG


def test_no_policy_may_state_the_mark_of_the_guard() -> None:
    path = Path(tracewitness.policy.__path__[0], "builtin", "paper.toml")
    text = path.read_text(encoding="utf-8").replace('"FLAG"', '"FLAG"\nmark = "quarantined"')
    with pytest.raises(PolicyError, match="mark"):
        parse_policy(text, "made.toml")
