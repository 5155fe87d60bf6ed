"""Logs cut off on disk, after every line and within lines: the rest is read as what it is, and shows no more."""

import json
from pathlib import Path

import pytest
from sources import AppAgentSource, BrowserSource, appagent_sources, browser_sources, outcomes, read
from watching import rules

from tracewitness.auditing.one_run import audit_run
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import TraceState
from tracewitness.intake.errors import FailureKind, IntakeFailure
from tracewitness.intake.sealed import SealedRun

APPAGENT = list(appagent_sources())
BROWSER = list(browser_sources())
# After so many rounds the goal held, as the screen that was taken next shows.
HELD = {
    ("task_system_2024-11-12_23-54-19", 4),
    ("task_system_2024-11-12_23-54-19_finished", 4),
    ("task_system_2026-01-31_12-00-00", 2),
}


def state_of(run: SealedRun) -> TraceState:
    decision = audit_run(run, rules()).decision
    assert decision is not None
    return decision.trace_state


@pytest.mark.parametrize("source", APPAGENT, ids=lambda source: source.name)
def test_an_appagent_log_cut_after_a_line_is_a_shorter_run(source: AppAgentSource) -> None:
    whole = read(source.written)
    for kept in range(1, len(source.rounds)):
        short = read(AppAgentSource(source.folder_name, source.rounds[:kept], source.files).written)
        assert short.task == whole.task
        assert short.trace.steps[:-1] == whole.trace.steps[: kept - 1]
        assert short.trace.steps[-1].action.kind == whole.trace.steps[kept - 1].action.kind
        assert short.report.text is None and short.report.declared_status is None
        if (source.folder_name, kept) not in HELD:
            assert state_of(short) is not TraceState.COMPLETED


@pytest.mark.parametrize("source", APPAGENT, ids=lambda source: source.name)
@pytest.mark.parametrize("share", [0.05, 0.5, 0.97])
def test_an_appagent_log_cut_within_a_line_says_so(source: AppAgentSource, share: float, tmp_path: Path) -> None:
    for kept in range(1, len(source.rounds)):
        folder = AppAgentSource(source.folder_name, source.rounds[:kept], source.files).written(tmp_path / str(kept))
        log = next(folder.glob("log_*.txt"))
        following = json.dumps(source.rounds[kept])
        with log.open("a", encoding="utf-8") as end:
            end.write(following[: int(len(following) * share)])
        (run,) = outcomes(folder)
        assert isinstance(run, SealedRun), run
        assert Gap.LOG_CUT_OFF in run.trace.gaps
        assert len(run.trace.steps) == kept
        assert run.report.text is None
        if (source.folder_name, kept) not in HELD:
            assert state_of(run) is not TraceState.COMPLETED


@pytest.mark.parametrize("source", BROWSER, ids=lambda source: source.name)
def test_a_shorter_browser_use_history_is_a_shorter_run(source: BrowserSource) -> None:
    whole = read(source.written)
    for kept in range(1, len(source.document["history"])):
        document = {**source.document, "history": source.document["history"][:kept]}
        short = read(BrowserSource(source.label, document, source.task).written)
        length = len(short.trace.steps)
        assert short.trace.steps[:-1] == whole.trace.steps[: length - 1]
        assert short.trace.steps[-1].action == whole.trace.steps[length - 1].action
        assert short.report.text is None and short.report.declared_status is None
        assert state_of(short) is not TraceState.COMPLETED


@pytest.mark.parametrize("source", BROWSER, ids=lambda source: source.name)
def test_half_a_browser_use_history_is_no_run(source: BrowserSource, tmp_path: Path) -> None:
    path = source.written(tmp_path)
    text = path.read_text(encoding="utf-8")
    for tenths in range(1, 10):
        path.write_text(text[: len(text) * tenths // 10], encoding="utf-8")
        (failure,) = outcomes(path)
        assert isinstance(failure, IntakeFailure)
        assert failure.kind in {FailureKind.BAD_JSON, FailureKind.UNKNOWN_FORMAT}
