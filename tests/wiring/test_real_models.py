"""Audits through real weights: a server of the OpenAI protocol, and its file without one. No quality is judged."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from real_server import RealServer
from tracewitness.auditing.many_runs import failed
from tracewitness.auditing.outcome import Audited
from tracewitness.findings.labels import Disposition
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import open_store
from tracewitness.wiring.choices import ExtractorKind, ModelChoice
from tracewitness.wiring.driving import model_batch
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.inputs import read_inputs
from tracewitness.wiring.models import Terms
from tracewitness.wiring.policies import find_policy

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NEUTRAL = EXAMPLES / "neutral"


def audited(choice: ModelChoice, store: Path, count: int = 3, **options: Any) -> tuple[list[AuditRecord], Any]:
    with (
        open_store(str(store)) as opened,
        model_batch(choice, Terms(find_policy("default"), opened, audit_all=True)) as batch,
    ):
        found = read_inputs([NEUTRAL], known_formats()[0], limit=count)
        outcomes = list(batch.audit(found, **options))
        return [each.record for each in outcomes if isinstance(each, Audited)], batch.auditor.budget.spent


def choice_of(name: str) -> ModelChoice:
    return ModelChoice(
        name, name, extractor=ExtractorKind.MODEL, runs=1, window_tokens=450, at_once=1, call_seconds=600.0, ocr=False
    )


def assert_audited(records: list[AuditRecord]) -> None:
    assert len(records) == 3
    for record in records:
        assert record.decision is not None
        assert record.answers or failed(record)
        if failed(record):
            assert record.decision.disposition is Disposition.REVIEW


def test_three_runs_go_through_a_real_server_and_a_second_start_asks_nothing(
    real_server: RealServer, tmp_path: Path
) -> None:
    choice = choice_of(real_server.url)
    records, spent = audited(choice, tmp_path / "a.db")
    assert_audited(records)
    answered = spent.calls - spent.failed
    assert answered >= 3, "structured output parses for hardly any call"
    again, more = audited(choice, tmp_path / "a.db", fresh=True)
    assert more.calls <= spent.failed
    assert [record.claim for record in again] == [record.claim for record in records]


def test_a_vote_through_a_real_server_holds_real_repeats(real_server: RealServer, tmp_path: Path) -> None:
    choice = replace(choice_of(real_server.url), trace="rules", extractor=None, runs=3)
    (record,), spent = audited(choice, tmp_path / "a.db", 1)
    (note,) = record.ballots
    assert 2 <= len(note.ballots.labels) <= 3
    assert spent.calls == len(note.ballots.labels)


def test_three_runs_go_through_a_local_file(tiny_model_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("openvino_genai")
    choice = choice_of(f"local:{tiny_model_file}")
    records, spent = audited(choice, tmp_path / "a.db")
    assert_audited(records)
    assert spent.calls - spent.failed >= 3, "structured output parses for hardly any call"
    _, more = audited(choice, tmp_path / "a.db", fresh=True)
    assert more.calls <= spent.failed
