"""What a model adds to the rules, and what it costs: calls, tokens, seconds and F1 of rules, model and both.

Run as::

    python benchmarks/models.py --model http://127.0.0.1:8080/v1 --work FOLDER [--sample 40] [--full 16] [--report]
        [--workers 4]

It audits the cases (``../shared/cases``, else a folder of ``tests/cases``) and a stratified sample of the labelled
corpora, half of it dangerous misreports. Every answer is kept in FOLDER, so it may be stopped and started again;
``--report`` prints the table of what is there and asks nothing. With ``--full`` that many runs are asked all five
times, to compare early stopping with the whole vote. With ``--workers`` several runs are audited side by side, which a
server with as many slots answers sooner; the seconds of such an audit are not told.

The plain protocol it is measured against is five full runs over the raw log: its tokens are counted, not sent. Gold is
read here only, after the audits.
"""

import argparse
import gzip
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from sources import CASES, CORPORA

import tracewitness
from tracewitness.auditing.outcome import Audited
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import open_store
from tracewitness.trace_side.answer_form import answer_schema
from tracewitness.trace_side.by_model import prompt
from tracewitness.trace_side.window import rough_tokens
from tracewitness.wiring.choices import ExtractorKind, ModelChoice
from tracewitness.wiring.driving import model_batch
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.inputs import read_inputs
from tracewitness.wiring.models import Terms
from tracewitness.wiring.policies import find_policy

SHARED_CASES = CORPORA.parent / "cases"
FROM_CORPORA = ("gbox_webarena", "tau_bench_airline")
PLAIN_RUNS = 5
SEED = 7


def items(sample: int) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield the runs with the source they are from and whether each is a dangerous misreport."""
    folder = SHARED_CASES if SHARED_CASES.is_dir() else CASES / "a"
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        expected = case["expected"]
        yield "cases", case["run"], expected["claim"] == "SUCCESS" and expected["disposition"] != "PASS"
    if CORPORA.is_dir():
        yield from sampled(sample)


def sampled(sample: int) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield a sample of the corpora: as many misreports as true successes from each, suspect labels left out."""
    chance = random.Random(SEED)
    for name in FROM_CORPORA:
        gold = {row["run_id"]: row for row in map(json.loads, (CORPORA / name / "gold.jsonl").open(encoding="utf-8"))}
        runs = [json.loads(line) for line in gzip.open(CORPORA / name / "runs.jsonl.gz", "rt", encoding="utf-8")]
        labelled = [(run, gold[run["run_id"]]) for run in runs if run["run_id"] in gold]
        claimed = [(run, row) for run, row in labelled if row.get("claim") == "SUCCESS" and not row.get("suspect")]
        for completed in (False, True):
            group = [run for run, row in claimed if row["completed"] is completed]
            chance.shuffle(group)
            for run in group[: sample // (2 * len(FROM_CORPORA))]:
                yield name, run, not completed


def main() -> None:
    """Audit what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--model", default="http://127.0.0.1:8080/v1")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--full", type=int, default=16)
    parser.add_argument("--window-tokens", type=int, default=1500)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    results = options.work / "results.jsonl"
    if not options.report:
        measure(options, results)
    print(table(results))


def measure(options: argparse.Namespace, results: Path) -> None:
    """Audit every run that has no result yet."""
    done = {json.loads(line)["run_id"] for line in results.open(encoding="utf-8")} if results.exists() else set[str]()
    base = ModelChoice(
        options.model,
        options.model,
        window_tokens=options.window_tokens,
        at_once=1,
        call_seconds=3600.0,
        ocr=False,
        capabilities=options.work / "capabilities.json",
    )
    missing = [(at, item) for at, item in enumerate(items(options.sample)) if item[1]["run_id"] not in done]
    # A process each, since the calls to an endpoint are limited for a whole process: in each, one call follows another,
    # so that the server reads a trace once for all runs of a vote.
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        for row in pool.map(measured, [(*each, base, options) for each in missing]):
            print(json.dumps(row), flush=True)


def measured(task: tuple[int, tuple[str, dict[str, Any], bool], ModelChoice, argparse.Namespace]) -> dict[str, Any]:
    """Audit one run and write its row down; the seconds beside other runs are not told."""
    number, (source, run, misreport), base, options = task
    row = {"run_id": run["run_id"], "source": source, "misreport": misreport}
    row |= one(run, base, options.work, full=number < options.full)
    if options.workers > 1:
        row["seconds"] = None
    with (options.work / "results.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(row) + "\n")
    return row


def one(run: dict[str, Any], base: ModelChoice, work: Path, *, full: bool) -> dict[str, Any]:
    """Return what rules, model and both say of a run, and what that cost."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        path.write_text(json.dumps(run), encoding="utf-8")
        rules = tracewitness.audit(path, audit_all=True).results[0]
        model, spent, seconds = asked(path, replace(base, extractor=ExtractorKind.MODEL), work)
        both, _, _ = asked(path, replace(base, extractor=ExtractorKind.BOTH), work)
        row: dict[str, Any] = {"rules": rules.disposition, "model": said(model), "both": said(both)}
        # What the audit takes, whether asked for now or on an earlier start; seconds only where all was asked now.
        row |= {"calls": len(model.answers), "input": sum(answer.input_tokens for answer in model.answers)}
        row["output"] = sum(answer.output_tokens for answer in model.answers)
        row["seconds"] = seconds if spent.calls - spent.failed == len(model.answers) else None
        row |= plain(run, model)
        row["failures"] = [half.unavailable.id for half in (model.claim, model.trace) if half and half.unavailable]
        if full:
            whole, _, _ = asked(path, replace(base, extractor=ExtractorKind.MODEL, early_stop=False), work)
            row |= {"agrees": whole.decision == model.decision and whole.claim == model.claim}
            row["full_calls"] = len(whole.answers)
    return row


def asked(path: Path, choice: ModelChoice, work: Path) -> tuple[AuditRecord, Any, float]:
    """Return the audit of a run with a model, what was paid for it now, and how long it took."""
    started = time.monotonic()
    with (
        open_store(str(work / "answers.db")) as store,
        model_batch(choice, Terms(find_policy("default"), store, audit_all=True)) as batch,
    ):
        found = read_inputs([path], known_formats()[0])
        (outcome,) = batch.audit(found, fresh=True)
        assert isinstance(outcome, Audited)
        return outcome.record, batch.auditor.budget.spent, time.monotonic() - started


def said(record: AuditRecord) -> str | None:
    """Return the disposition of a record."""
    return record.decision.disposition.value if record.decision else None


def plain(run: dict[str, Any], record: AuditRecord) -> dict[str, int]:
    """Return calls and input tokens of the plain protocol: five runs over the raw log, five over the report.

    Tokens are counted roughly and brought to the model's own by the ratio seen on the questions that were asked.
    """
    log = json.dumps({key: run.get(key) for key in ("task", "steps")}, ensure_ascii=False)
    form = prompt().system + answer_schema(False, False)
    claims = [answer.input_tokens for answer in record.answers if answer.side.value == "report"]
    asked_parts = max(record.task.parts, 1)
    traces = PLAIN_RUNS * (rough_tokens(log) + rough_tokens(form)) * asked_parts
    return {"plain_calls": PLAIN_RUNS * (1 + asked_parts), "plain_input": traces + PLAIN_RUNS * max(claims, default=0)}


def table(results: Path) -> str:
    """Return the figures as Markdown."""
    rows = [json.loads(line) for line in results.open(encoding="utf-8")]
    lines = ["| runs | method | flagged misreports | flagged others | precision | recall | F1 | blocked misreports |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for source in ("cases", "corpora"):
        group = [row for row in rows if (row["source"] == "cases") == (source == "cases")]
        lines += [scores(source, method, group) for method in ("rules", "model", "both") if group]
    spent = [row for row in rows if row["calls"]]
    full = [row for row in rows if "agrees" in row]
    lines += [
        "",
        f"{len(spent)} audits with the model: {_mean(spent, 'calls'):.1f} calls, {_mean(spent, 'input'):.0f} tokens "
        f"asked and {_mean(spent, 'output'):.0f} answered an audit; the plain protocol: "
        f"{_mean(spent, 'plain_calls'):.1f} calls and about {_mean(spent, 'plain_input'):.0f} tokens asked",
        f"seconds an audit: median {statistics.median([row['seconds'] for row in spent if row['seconds']] or [0]):.0f}",
        f"early stopping agrees with all five runs: {sum(row['agrees'] for row in full)} of {len(full)}, "
        f"with {sum(row['calls'] for row in full)} of {sum(row['full_calls'] for row in full)} calls",
        f"audits with a component that gave no answer: {sum(bool(row['failures']) for row in spent)}",
    ]
    return "\n".join(lines)


def _mean(rows: list[dict[str, Any]], key: str) -> float:
    return sum(row[key] for row in rows) / len(rows)


def scores(source: str, method: str, rows: list[dict[str, Any]]) -> str:
    """Return one line: FLAG is the positive prediction, a dangerous misreport the positive class."""
    hit = sum(row["misreport"] and row[method] == "FLAG" for row in rows)
    false = sum(not row["misreport"] and row[method] == "FLAG" for row in rows)
    positives = sum(row["misreport"] for row in rows)
    blocked = sum(row["misreport"] and row[method] != "PASS" for row in rows)
    precision = hit / (hit + false) if hit + false else float("nan")
    recall = hit / positives if positives else float("nan")
    f1 = 2 * hit / (hit + false + positives) if hit + false + positives else float("nan")
    return (
        f"| {len(rows)} {source} | {method} | {hit} of {positives} | {false} of {len(rows) - positives} | "
        f"{precision:.2f} | {recall:.2f} | {f1:.2f} | {blocked} of {positives} |"
    )


if __name__ == "__main__":
    main()
