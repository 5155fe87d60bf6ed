"""Seconds: ``bench score`` with all tables, over so many stored records; and the ratio to reading their bodies.

Run as ``python benchmarks/bench_speed.py [RECORDS]``. Of every five records three are by rules and two by a model that
voted five times on each label, over the same runs, several runs a task, in six classes, twelve agents and five
languages. Three policies more are replayed. The yardstick is what anything that looks into the records has to do:
reading each body and parsing its JSON, in the same process.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from measuring import Measured, processor_seconds, seconds
from sqlalchemy import insert, select

import tracewitness
from tracewitness.asking.vote import Ballots
from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.loading import load
from tracewitness.benchmark.rendering import as_json
from tracewitness.benchmark.scoring import Scoring, Wanted
from tracewitness.benchmark.views import tables_of
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import Claim, FieldName, FieldValue, TaskClass
from tracewitness.policy.table import compile_policy
from tracewitness.store.record import AuditRecord, BallotNote, ModelUse, ProseSide
from tracewitness.store.rows import audit_row
from tracewitness.store.schema import AUDITS
from tracewitness.store.store import Store, insert_texts, open_store
from tracewitness.testing import RunBuilder
from tracewitness.values.digests import digest_text
from tracewitness.wiring.policies import builtin_names, find_policy

AIM_SECONDS = 20.0
_KINDS = 60
_AGENTS, _LANGUAGES = 12, ("en", "de", "zh", "ja", "es")
_RUNS_A_TASK = 4


def kinds(folder: Path) -> list[AuditRecord]:
    """Return records of real audits, with the values that models might have found."""
    found: list[AuditRecord] = []
    store = folder / "kinds.db"
    for at in range(3):
        screen = ("list Files (0)\ntoast 'a.txt deleted'", "list Files (1)\n  row 'a.txt'", "screen")[at]
        run = RunBuilder(f"r{at}").task("Delete the file 'a.txt'.").step("click", "Delete", after=screen)
        tracewitness.audit(run.finish().report("Done. I deleted a.txt.").build(), store=store)
    with open_store(store) as opened:
        audited = list(opened.iter_records())
    for at in range(_KINDS):
        record = audited[at % 3]
        assert record.claim is not None and record.trace is not None
        claim = replace(record.claim, claim=tuple(Claim)[0 if at % 5 else at % 3])
        task = replace(record.task, task_class=tuple(TaskClass)[at % 6])
        found.append(replace(record, claim=claim, task=task))
    return found


def voted(record: AuditRecord, at: int) -> AuditRecord:
    """Return a record as a model that voted would have left it."""
    assert record.trace is not None and record.claim is not None
    part = record.trace.parts[0]
    by_model = {name.value: replace(found, cause=EvidenceCause.MODEL_READ) for name, found in part.fields()}
    values = dict(part.fields())
    notes = [BallotNote(ProseSide.TRACE, Ballots(name, 0, _labels(values[name].value, at))) for name in FieldName] + [
        BallotNote(ProseSide.REPORT, Ballots("claim", 0, _labels(record.claim.claim, at)))
    ]
    makers = replace(record.makers, extractor="model", models=(ModelUse(ProseSide.TRACE, "a model"),))
    trace = replace(record.trace, parts=(replace(part, **by_model),))
    return replace(record, makers=makers, trace=trace, ballots=tuple(notes))


def _labels(label: str, at: int) -> tuple[str, ...]:
    other = FieldValue.UNKNOWN if label != "UNKNOWN" else "NO"
    return (label,) * 3 if at % 4 else (label, str(other), label, label)


def rows(records: int, plain: list[AuditRecord]) -> Iterator[dict[str, Any]]:
    """Yield rows of the table of audits; rows of one kind differ in what experiments group by."""
    shapes = [audit_row(record) for record in plain], [audit_row(voted(record, at)) for at, record in enumerate(plain)]
    for at in range(records):
        model, run = at % 5 > 2, at // 5 * 3 + at % 5 % 3
        yield {
            **shapes[model][run % _KINDS],
            "record_id": str(digest_text(f"record {at}")),
            "run_id": f"bench/{run}",
            "run_digest": str(digest_text(f"run {run}")),
            "agent": f"agent-{run % _AGENTS}",
            "language": _LANGUAGES[run % 5],
            "steps": run % 60,
            "task_key": str(digest_text(f"task {run // _RUNS_A_TASK}")),
        }


def made(records: int, folder: Path) -> tuple[Path, Path]:
    """Return a store of so many records and a file of labels for its runs."""
    store, gold = folder / "audits.db", folder / "gold.jsonl"
    plain = kinds(folder)
    with open_store(store) as opened, opened.engine.begin() as connection:
        insert_texts(connection, {text for record in plain for text in record.prose})
        batch: list[dict[str, Any]] = []
        for row in rows(records, plain):
            batch.append(row)
            if len(batch) == 5_000:
                connection.execute(insert(AUDITS), batch)
                batch.clear()
        if batch:
            connection.execute(insert(AUDITS), batch)
    with gold.open("w", encoding="utf-8") as file:
        for run in range(-(-records // 5) * 3):
            label = {"run_id": f"bench/{run}", "completed": run * 7 % 10 > 3, "claim": "SUCCESS", "annotator": "a"}
            file.write(json.dumps(label) + "\n")
    return store, gold


def scored(store: Path, gold: Path) -> int:
    """Make all tables as text and return how long they are."""
    tables = [compile_policy(find_policy(name)) for name in builtin_names()]
    with open_store(store) as opened:
        experiment = load([opened], read_gold(gold))
        wanted = Wanted(policies=tables, own={table.ref.digest: table for table in tables})
        return len(as_json(list(tables_of(Scoring(experiment, wanted)))))


def bodies(opened: Store) -> int:
    """Read and parse the body of every record."""
    with opened.engine.connect() as connection:
        found = connection.execution_options(yield_per=2_000).execute(select(AUDITS.c.body))
        return sum(len(json.loads(row[0])) for row in found)


def bench_speed(records: int = 100_000) -> Iterator[Measured]:
    """Yield the seconds that all tables take, and their ratio to reading the bodies of the records."""
    with tempfile.TemporaryDirectory() as name:
        store, gold = made(records, Path(name))
        with open_store(store) as opened:
            yardstick = processor_seconds(lambda: bodies(opened))
        spent = processor_seconds(lambda: scored(store, gold))
        waited = seconds(lambda: scored(store, gold))
    detail = f"{spent:.1f} s of the processor, {waited:.1f} s in all; reading {yardstick:.1f} s"
    aim = AIM_SECONDS if records >= 100_000 else None
    yield Measured(f"bench of {records:,} records, seconds of the processor", spent, aim, False, detail)
    yield Measured(f"bench of {records:,} records / reading them", spent / yardstick, None, False, detail)


if __name__ == "__main__":
    for figure in bench_speed(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000):
        print(f"{figure.name}: {figure.value:.2f} ({figure.detail})")
