import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from auditing_samples import CONTACTS, FORM, all_yes, rules, saved

from tracewitness.asking.dialogue import settle
from tracewitness.asking.port import Answer, Askers, Question, Side
from tracewitness.auditing.explain import explain
from tracewitness.auditing.isolation import isolate
from tracewitness.auditing.kept_answers import KeptAnswers
from tracewitness.auditing.one_run import audit_run
from tracewitness.auditing.rederive import Rederiver
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import Disposition, FieldValue, TaskClass
from tracewitness.report_side.by_model import read_claim_by_model
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.store.codec import encode
from tracewitness.store.record import AuditRecord, ProseSide
from tracewitness.store.store import open_store
from tracewitness.store.transfer import export_jsonl
from tracewitness.store.verify import verify
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.testing import RunBuilder, ScriptedAsker
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.by_model import extract
from tracewitness.trace_side.by_rules import extract as extract_by_rules
from tracewitness.trace_side.grounding import ground
from tracewitness.trace_side.redacting import redact_extraction, redact_trace
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.window import build_window

TASK_KEY = "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a"
PAGE_KEY = "AKIA" + "IOSFODNN7EXAMPLE"
REPORT_KEY = "sk-proj-Abc123Def456Ghi789Jkl012"
TYPED = "zebra+Crossing7"
SECRETS = (TASK_KEY, PAGE_KEY, REPORT_KEY, TYPED)
LOGIN = "page 'Wi-Fi: Attic'\n  field Password = '{}'\n  text 'device key {}'\n  button 'Save'"


def leaky() -> RunBuilder:
    return (
        RunBuilder("leaky")
        .task(f"Set the Wi-Fi password of 'Attic' to '{TYPED}', signing in with {TASK_KEY}.")
        .step("open_url", raw="open_url('https://app.test/wifi')", after=LOGIN.format("", PAGE_KEY))
        .step("fill", text=TYPED, raw=f"fill(field Password, '{TYPED}')", after=LOGIN.format(TYPED, PAGE_KEY))
        .step("click", "Save", raw="click(button 'Save')", after=f"toast 'Password saved'\ntext '{TYPED}'\n{PAGE_KEY}")
        .finish(after=LOGIN.format(TYPED, PAGE_KEY))
        .report(f"Done, the password is '{TYPED}'. I used {REPORT_KEY} for that.", DeclaredStatus.SUCCESS)
    )


def audit(run: RunBuilder) -> AuditRecord:
    return audit_run(run.build(), rules())


def texts_of(record: AuditRecord) -> str:
    return json.dumps([encode(record), explain(record).__repr__()])


def test_no_secret_reaches_the_store_an_export_or_an_explanation(tmp_path: Path) -> None:
    record = audit(leaky())
    with open_store(tmp_path / "a.db") as store:
        store.append(record)
        assert store.get("leaky").record_id == record.record_id
        assert verify(store, Rederiver(lambda digest: rules().table)).clean
        export_jsonl(store, tmp_path / "export.jsonl")
    kept = (tmp_path / "a.db").read_bytes() + (tmp_path / "export.jsonl").read_bytes()
    for secret in SECRETS:
        assert secret.encode() not in kept, secret
        assert secret.casefold() not in texts_of(record).casefold(), secret


def test_the_record_says_how_much_was_redacted_and_a_clean_one_says_nothing() -> None:
    (notice,) = [notice for notice in audit(leaky()).notices if notice.startswith("redacted: ")]
    assert "token" in notice and "password" in notice
    assert not audit(saved()).notices


def test_a_run_that_triage_sorts_out_keeps_no_secret_either() -> None:
    record = audit(leaky().report(None))
    assert record.decision is None
    assert TASK_KEY not in texts_of(record)
    assert "redacted: 1 token, 1 password" in record.notices


def test_redaction_changes_no_value_and_no_outcome() -> None:
    plain = saved()
    secret = RunBuilder("run").task("Change the phone number of the contact 'Orin Vale' to 555-0142.")
    key = f"\n  text 'api_key: {REPORT_KEY}'"
    secret = (
        secret.step("open_url", raw="open_url('https://app.test/contacts')", after=CONTACTS.format("555-0199") + key)
        .step("click", raw="click(row 'Orin Vale')", after=FORM.format("555-0199") + key)
        .step("fill", text="555-0142", raw="fill(field Phone, '555-0142')", after=FORM.format("555-0142") + key)
        .step("click", "Save changes", raw="click(button 'Save changes')", after=CONTACTS.format("555-0142") + key)
        .finish(after=CONTACTS.format("555-0142") + key)
        .report("Done. The phone number of Orin Vale is now 555-0142.", DeclaredStatus.SUCCESS)
    )
    left, right = audit(plain), audit(secret)
    assert left.decision == right.decision and left.decision is not None
    assert left.decision.disposition is Disposition.PASS


def rules_extraction(run: RunBuilder) -> tuple[Task, Trace, Any]:
    built = run.build()
    reading = read_task(built.task)
    return built.task, built.trace, extract_by_rules(built.task, reading.goals, reading.finding.task_class, built.trace)


def test_what_is_kept_stands_in_the_redacted_trace() -> None:
    _, trace, extraction = rules_extraction(leaky())
    kept = redact_extraction(extraction, trace).extraction
    cited = 0
    for part in kept.finding.parts:
        for _, field in part.fields():
            for citation in field.citations:
                quote = None if citation.quote is None else kept.prose[citation.quote]
                assert ground(redact_trace(trace), citation, quote) is None
                cited += quote is not None
    assert cited
    values = [[f.value for _, f in part.fields()] for part in extraction.finding.parts]
    assert values == [[f.value for _, f in part.fields()] for part in kept.finding.parts]
    assert redact_extraction(kept, redact_trace(trace)).extraction is kept


def test_the_window_holds_no_secret_of_the_task_or_the_trace() -> None:
    run = leaky().build()
    window = build_window(run.task, build_ledger(run.trace)).text
    assert not [secret for secret in SECRETS if secret in window]
    assert "[redacted:token]" in window and "[redacted:password]" in window


def evidence(question: Question) -> dict[str, Any]:
    """Quote what the window shows of the form, as a model would."""
    quote = "field Password = '[redacted:password]'"
    assert quote in question.user
    cited = {
        "citations": [{"step": 4, "part": "after", "quote": quote}],
        "value": "YES",
        "rationale": f"made up {PAGE_KEY}",
    }
    return dict.fromkeys(("action", "target", "transition", "commitment", "final_support", "prior_state"), cited)


def asked(script: Any, dialogue: Any) -> tuple[Sequence[Question], Any]:
    asker = ScriptedAsker(script)
    return asker.questions, settle(dialogue, Askers.both(asker))


def test_a_model_is_shown_no_secret_and_its_quotes_are_grounded_in_what_it_was_shown() -> None:
    run = leaky().build()
    goals = read_task(run.task).goals
    questions, extraction = asked(evidence, extract(run.task, goals, TaskClass.CONFIGURE, run.trace))
    assert questions and all(question.side is Side.TRACE for question in questions)
    assert not [secret for secret in SECRETS for question in questions if secret in question.user + question.system]
    field = extraction.finding.parts[0].final_support
    assert (field.value, field.cause) == (FieldValue.YES, EvidenceCause.MODEL_READ)
    assert PAGE_KEY not in str(redact_extraction(extraction, run.trace).extraction)


def test_a_claim_prompt_holds_no_secret() -> None:
    reply: dict[str, Any] = {"claim": "SUCCESS", "basis": "performed", "cause": "asserted_done", "answers": []}
    questions, _ = asked([reply] * 5, read_claim_by_model(leaky().build().report))
    assert questions
    assert not [secret for secret in SECRETS for question in questions if secret in question.user]
    prompt = questions[0].user
    other, _ = asked([reply] * 5, read_claim_by_model(Report(prompt, None)))
    assert "[redacted:token]" in other[0].user


def test_a_secret_that_a_model_makes_up_is_kept_nowhere_and_a_second_start_reads_the_same(tmp_path: Path) -> None:
    def leaking(question: Question) -> dict[str, Any]:
        return {**all_yes(question), "words": [f"the key is {PAGE_KEY}"]}

    question = Question(Side.TRACE, "p/1", "", "", "{}")
    with open_store(tmp_path / "a.db") as store:
        first = asyncio.run(KeptAnswers(ScriptedAsker(leaking), store).ask(question))
        again = asyncio.run(KeptAnswers(ScriptedAsker([]), store).ask(question))
        assert first == again and isinstance(again, Answer)
        assert again.value["words"] == ["the key is [redacted:token]"]
        assert PAGE_KEY not in again.raw
    assert PAGE_KEY.encode() not in (tmp_path / "a.db").read_bytes()


def test_isolation_holds_with_secrets_on_both_sides_and_shows_none() -> None:
    found = isolate(leaky().build(), rules(audit_all=True))
    assert found.holds
    assert not [secret for secret in SECRETS if secret in repr(found)]


def test_report_clauses_are_redacted_even_where_one_ends_inside_a_secret() -> None:
    record = audit(leaky().report("It is done. I saved it with Authorization: Bearer abcdef12.34567890.abcd"))
    told = [kept.text for kept in record.prose if kept.side is ProseSide.REPORT]
    assert told
    assert not [text for text in told if "abcdef12" in text or "34567890" in text]
