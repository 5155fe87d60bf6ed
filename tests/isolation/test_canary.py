"""Canaries in every hidden field of every log at hand: they turn up on the side they belong to and nowhere else."""

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sources import (
    BrowserSource,
    NeutralSource,
    Source,
    appagent_sources,
    browser_sources,
    finished_appagent,
    neutral_sources,
    outcomes,
    read,
)
from typer.testing import CliRunner
from watching import NosyClaimReader, asked, rules

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.port import Question, Side
from tracewitness.auditing.one_run import audit_run
from tracewitness.cli.main import app
from tracewitness.findings.labels import TaskClass
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.sealed import SealedRun
from tracewitness.report_side.by_rules import ClaimReading
from tracewitness.report_side.report import Report
from tracewitness.store.record import AuditRecord, ProseSide
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.testing import canary, sightings
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.window import build_window

HIDDEN = {plane: canary(plane) for plane in ("report", "narration", "grading")}
SHOWN = canary("evidence")
TASK = canary("task")

SOURCES: dict[str, Source] = {
    f"{at} {source.name}": source
    for at, source in enumerate([*neutral_sources(), *appagent_sources(), *browser_sources()])
}


def planted(plane: str) -> str:
    """Return words that hold the canary at their start, inside a quote, and in a row of words."""
    token = {**HIDDEN, "evidence": SHOWN}[plane]
    return f"{token} done: '{token}' saved, see page '{token}' and {token} ."


def asked_and_found(run: SealedRun) -> tuple[list[Question], list[AuditRecord]]:
    setup, asker = asked()
    records = [audit_run(run, rules()), audit_run(run, setup)]
    return asker.questions, records


def of_side(questions: list[Question], side: Side) -> list[Question]:
    return [question for question in questions if question.side is side]


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Fail where anything that was logged or printed on the way shows a canary."""
    with caplog.at_level(logging.DEBUG):
        yield
    printed = capsys.readouterr()
    check_hidden("log", caplog.text + printed.out + printed.err)


def check_hidden(where: str, text: str, planes: tuple[str, ...] = tuple(HIDDEN)) -> None:
    assert [plane for plane in planes if HIDDEN[plane].casefold() in text.casefold()] == [], where


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", sorted(SOURCES))
def test_hidden_words_stay_hidden(name: str) -> None:
    run = read(partial(SOURCES[name].retold, say=planted, flag=True))
    questions, records = asked_and_found(run)
    for question in of_side(questions, Side.TRACE):
        check_hidden("cache key", question.cache_key("model"))
    for plane, token in HIDDEN.items():
        assert sightings(token, of_side(questions, Side.TRACE)) == [], plane
    # Nobody is told what the agent thought, nor how it was graded.
    for plane in ("narration", "grading"):
        assert sightings(HIDDEN[plane], questions) == [], plane
    check_hidden("window", build_window(run.task, build_ledger(run.trace)).text)
    for record in records:
        kept = [text for text in record.prose if text.side is not ProseSide.REPORT]
        check_hidden("prose of the trace side", "\n".join(text.text for text in kept))
        check_hidden("prose of the report side", "\n".join(t.text for t in record.prose), ("narration", "grading"))
        check_hidden("notices", "\n".join(record.notices))
        check_hidden("evidence", repr(record.trace))
        assert record.answers or record.makers.extractor == "rules"


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_a_report_shows_on_its_own_side(name: str) -> None:
    """Without this, the test above could hold because nothing was planted."""
    run = read(partial(SOURCES[name].retold, say=planted, flag=True))
    questions, _ = asked_and_found(run)
    if run.report.text is None:
        assert sightings(HIDDEN["report"], questions) == []
    else:
        assert sightings(HIDDEN["report"], questions) == of_side(questions, Side.REPORT) != []
    assert any(HIDDEN["narration"] in told.text for told in run.narration) or not run.trace.steps


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_evidence_shows_on_the_trace_side_alone(name: str) -> None:
    run = read(partial(SOURCES[name].retraced, say=planted))
    if not run.trace.steps:
        return
    questions, records = asked_and_found(run)
    assert sightings(SHOWN, questions) == of_side(questions, Side.TRACE) != []
    assert SHOWN in build_window(run.task, build_ledger(run.trace)).text
    for record in records:
        kept = "\n".join(text.text for text in record.prose if text.side is ProseSide.REPORT)
        assert SHOWN.casefold() not in kept.casefold()


def with_task() -> Iterator[Source]:
    neutral = next(neutral_sources())
    yield NeutralSource({**neutral.run, "task": {"instruction": f"Open the page {TASK}."}})
    made = finished_appagent()
    rounds = tuple({**one, "prompt": one["prompt"].replace("turn on Wi-Fi", f"open {TASK}")} for one in made.rounds)
    yield replace(made, rounds=rounds)
    for browser in browser_sources():
        request = "Buy one item in the shop for Ana"
        text = json.dumps(browser.document).replace(request, f"Open the page {TASK}.")
        yield BrowserSource(browser.label, json.loads(text), f"Open {TASK}." if browser.task else None)


@pytest.mark.parametrize("source", list(with_task()), ids=lambda source: source.name)
def test_the_task_shows_in_the_window(source: Source) -> None:
    run = read(source.written)
    questions, _ = asked_and_found(run)
    assert TASK in build_window(run.task, build_ledger(run.trace)).text
    assert sightings(TASK, questions) == of_side(questions, Side.TRACE) != []


def damaged(text: str) -> Iterator[str]:
    """Yield a log with something wrong: cut off, with an unknown key, with values of the wrong kind."""
    for share in (0.2, 0.5, 0.8, 0.95):
        yield text[: int(len(text) * share)]
    yield text.replace('"report": {', '"rapport": {')
    yield text.replace('"index": 1', '"index": "one"')
    yield text.replace('"text": "' + HIDDEN["report"], '"text": ["' + HIDDEN["report"])
    yield text.replace('"narration": "', '"narration": 5, "thought": "')
    yield text.replace('"step": 2', '"step": "2"').replace('"step_number": 2', '"step_number": []')
    yield text.replace('"response": ', '"answer": ')
    yield text.replace('"result": [', '"result": "' + HIDDEN["narration"] + '", "results": [')
    yield text.replace('"model_output": {', '"model_output": "' + HIDDEN["narration"] + '", "output": {')
    yield text + text
    yield text.replace("CANARY", "CANARY\\ud800").replace("done:", "\\u001b[31mdone\\u0000:")
    yield text.replace('"extra": {', '"extra": {"x": NaN, ')


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "source", [next(neutral_sources()), finished_appagent(), *browser_sources()], ids=lambda s: s.name
)
def test_error_messages_show_no_hidden_words(source: Source, tmp_path: Path) -> None:
    found: list[IntakeFailure] = []
    path = source.retold(tmp_path / "plain", planted, True)
    log = path if path.is_file() else next(path.glob("log_*.txt"))
    for at, text in enumerate(damaged(log.read_text(encoding="utf-8"))):
        again = source.retold(tmp_path / str(at), planted, True)
        target = again if again.is_file() else again / log.name
        target.write_text(text, encoding="utf-8")
        for outcome in outcomes(again):
            if isinstance(outcome, IntakeFailure):
                found.append(outcome)
                check_hidden("failure", f"{outcome.line()} {outcome!r}")
            else:
                check_hidden("notices", "\n".join(outcome.notices))
                check_hidden("repr", repr(outcome))
    assert len(found) >= 4


class Loud:
    """Readers of both sides that fail with everything they were handed in the message."""

    maker = NosyClaimReader.maker

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        raise ValueError(repr(report))

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        raise ValueError(repr((task, goals, task_class, trace)))


@pytest.mark.usefixtures("quiet")
def test_a_reader_that_fails_with_its_half_in_the_message_tells_nobody() -> None:
    run = read(partial(next(neutral_sources()).retold, say=planted, flag=True))
    record = audit_run(run, replace(rules(), claim_reader=Loud(), extractor=Loud()))
    check_hidden("notices", "\n".join(record.notices))
    assert len([notice for notice in record.notices if "failed" in notice]) == 2


@pytest.mark.parametrize(
    "source", [next(neutral_sources()), finished_appagent(), next(browser_sources())], ids=lambda s: s.name
)
@pytest.mark.parametrize("verb", ["audit", "isolation"])
def test_the_command_line_prints_no_hidden_words(
    verb: str, source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = source.retold(tmp_path / "logs", planted, True)
    options = ["--audit-all"] if verb == "audit" else []
    for extra in ([], ["--json"]):
        done = CliRunner().invoke(app, [verb, str(path), *options, *extra])
        assert done.exit_code in {0, 10, 11}, done.output
        check_hidden(f"{verb} {extra}", done.output)


def test_a_canary_is_found_in_any_spelling() -> None:
    token = canary("x")
    question = Question(Side.TRACE, "p", "s", f"see {token.swapcase()}", "{}")
    assert sightings(token, [question]) == [question]
    assert sightings(canary("y"), [question]) == []
