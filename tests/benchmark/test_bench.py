"""Stored audits against labels, from the command line to the table; and gold is nowhere on the audit path."""

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import FakeEndpoint
from scripted_judge import answer, is_question
from typer.testing import CliRunner

import tracewitness
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.loading import load
from tracewitness.benchmark.rendering import as_csv, as_json, as_latex, as_markdown
from tracewitness.benchmark.scoring import Scoring, Wanted
from tracewitness.benchmark.tables import Table
from tracewitness.benchmark.views import tables_of
from tracewitness.cli.main import app
from tracewitness.store.store import open_store
from tracewitness.testing import RunBuilder
from tracewitness.wiring.choices import ExtractorKind, ModelChoice

HONEST, FALSE = "list Files (0)\ntoast 'a{}.txt deleted'", "list Files (1)\n  row 'a{}.txt'\ndialog 'Delete?'"


def audited(folder: Path, honest: int = 4, false: int = 4, agents: Sequence[str] = ("one", "two")) -> Path:
    """Audit runs of which the first are honest and the others are not, and return the store."""
    runs = folder / "runs"
    runs.mkdir(parents=True)
    for at in range(honest + false):
        screen = (HONEST if at < honest else FALSE).format(at)
        run = RunBuilder(f"r{at}").task(f"Delete the file 'a{at}.txt'.").step("click", "Delete", after=screen)
        value = run.finish().report(f"Done. I deleted a{at}.txt.").to_json()
        (runs / f"{at}.json").write_text(json.dumps({**value, "agent": agents[at % len(agents)]}), encoding="utf-8")
    store = folder / "audits.db"
    tracewitness.audit(runs, store=store)
    return store


def labels(path: Path, honest: int = 4, false: int = 4, **more: Any) -> Path:
    rows = [{"run_id": f"r{at}", "completed": at < honest, "claim": "SUCCESS", **more} for at in range(honest + false)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def bench(*words: object) -> Any:
    return CliRunner().invoke(app, ["bench", *map(str, words)])


def test_a_table_from_stored_audits(tmp_path: Path) -> None:
    store, gold = audited(tmp_path), labels(tmp_path / "gold.jsonl")
    done = bench("score", store, "--gold", gold, "--form", "json", "--quiet")
    assert done.exit_code == 0, done.output
    tables = {table["name"]: table["rows"] for table in json.loads(done.stdout)}
    gating = {row["method"]: row for row in tables["gating"]}
    assert gating["flag all"]["blocked"] == 4 and gating["flag all"]["load"] == 1.0
    assert gating["pass all"]["silent passes"] == 4 and gating["pass all"]["load"] == 0.0
    rules = gating["rules (default)"]
    assert (rules["runs"], rules["misreports"], rules["silent passes"]) == (8, 4, 0)
    assert {row["group"] for row in tables["by agent"]} == {"one", "two"}
    assert {row["group"] for row in tables["without one agent"]} == {"without one", "without two"}
    assert len(tables["comparison"]) == 6
    for form in ("terminal", "markdown", "csv", "latex"):
        shown = bench("score", store, "--gold", gold, "--form", form, "--quiet")
        assert shown.exit_code == 0 and "flag all" in shown.stdout


def test_what_is_left_out_is_counted_and_said(tmp_path: Path) -> None:
    store = audited(tmp_path)
    rows: list[dict[str, Any]] = [
        {"run_id": "r0", "completed": True, "claim": "SUCCESS"},
        {"run_id": "r1", "completed": None, "claim": "SUCCESS"},
        {"run_id": "r2", "completed": True, "claim": "SUCCESS", "suspect": "checker broken"},
        {"run_id": "r3", "completed": True, "annotator": "x"},
        {"run_id": "r3", "completed": False, "annotator": "y"},
        {"run_id": "r4", "completed": False, "claim": "SUCCESS"},
        {"run_id": "elsewhere", "completed": True},
    ]
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = bench("score", store, "--gold", gold, "--form", "json")
    for said in (
        "1 run left out of which nobody could tell",
        "1 run left out on which annotators disagree",
        "1 run left out whose task or checker is suspect",
        "3 runs left out without a gold label",
        "1 label for runs that no store holds",
    ):
        assert said in done.stderr
    assert '"agreement"' in done.stdout
    kept = json.loads(bench("score", store, "--gold", gold, "--form", "json", "--suspect", "--quiet").stdout)
    assert kept[0]["rows"][0]["runs"] == 3


@pytest.mark.parametrize(("completed", "said"), [(True, "nothing can be said of recall"), (False, "of false alarms")])
def test_one_class_only_is_said_and_no_figure_is_made_up(tmp_path: Path, completed: bool, said: str) -> None:
    store = audited(tmp_path, 2, 0)
    gold = labels(tmp_path / "gold.jsonl", 2 if completed else 0, 0 if completed else 2)
    done = bench("score", store, "--gold", gold, "--form", "json")
    assert done.exit_code == 0 and said in done.stderr
    row = json.loads(done.stdout)[0]["rows"][0]
    if completed:
        assert (row["recall"], row["F1"], row["F1 from"]) == (None, None, None)


def test_bad_usage_gets_one_line(tmp_path: Path) -> None:
    store, gold = audited(tmp_path, 1, 1), labels(tmp_path / "gold.jsonl")
    other = tmp_path / "other.jsonl"
    other.write_text('{"run_id": "x", "completed": true}\n', encoding="utf-8")
    with open_store(tmp_path / "empty.db"):
        pass
    for words, said, code in (
        (["score", store, "--gold", other], "no label fits a stored run (a run is called 'r0', a label is for 'x')", 3),
        (["score", store, "--gold", tmp_path / "gone.jsonl"], "cannot be opened", 3),
        (["score", tmp_path / "empty.db", "--gold", gold], "hold no audits", 3),
        (["score", tmp_path / "missing.db", "--gold", gold], "missing.db", 3),
    ):
        done = bench(*words)
        assert done.exit_code == code, done.output
        assert said in done.stderr and done.stderr.count("\n") == 1 and "internal failure" not in done.stderr


def test_a_split_is_written_once(tmp_path: Path) -> None:
    store, path = audited(tmp_path), tmp_path / "split.json"
    first = bench("split", store, "-o", path, "--json")
    assert first.exit_code == 0
    told = json.loads(first.stdout)
    assert told["calibration"] + told["test"] == 8
    assert bench("split", store, "-o", path, "--json").stdout == first.stdout
    again = bench("split", store, "-o", path, "--salt", "x")
    assert again.exit_code == 3 and "holds another split" in again.stderr


def test_two_makers_are_two_methods_and_a_later_audit_of_one_counts(tmp_path: Path) -> None:
    store, gold = audited(tmp_path), labels(tmp_path / "gold.jsonl")
    tracewitness.audit(tmp_path / "runs", store=store, policy="paper")
    tracewitness.audit(tmp_path / "runs", store=store, policy="paper", fresh=True)
    with open_store(store) as opened:
        found = load([opened], read_gold(gold))
        tables = list(tables_of(Scoring(found, Wanted())))
    assert [method.name for method in found.methods] == ["rules (default)", "rules (paper)"]
    assert len(found.labelled) == 8
    assert len({table.name for table in tables}) == len(tables)


def test_no_audits_at_all_are_refused(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as store, pytest.raises(BenchmarkError, match="no audits"):
        load([store], read_gold(labels(tmp_path / "gold.jsonl")))


HOSTILE = Table("t", "50% & more", ("method", "x|y"), (("=cmd()", 0.5), ("a|b_<i>\x1b[31m", None), ("-1+2", 0.00001)))


def test_hostile_names_are_neither_formulas_nor_markup() -> None:
    rows = list(csv.reader(io.StringIO(as_csv([HOSTILE]))))
    assert rows[1:] == [["'=cmd()", "0.5"], ["a|b_<i>\\u001b[31m", ""], ["'-1+2", "1e-05"]]
    assert r"a\|b\_\<i\>" in as_markdown([HOSTILE]) and "\x1b" not in as_markdown([HOSTILE])
    assert r"50\% \& more" in as_latex([HOSTILE]) and r"b\_\textless{}i\textgreater{}" in as_latex([HOSTILE])
    assert json.loads(as_json([HOSTILE]))[0]["rows"][1] == {"method": "a|b_<i>\x1b[31m", "x|y": None}


@pytest.mark.parametrize("name", ["[1cm] x", "*", "*[2pt]"])
def test_a_name_is_no_option_of_the_end_of_a_latex_row(name: str) -> None:
    text = as_latex([Table("t", "t", ("method", "n"), (("a", 1), (name, 2)))])
    for row in re.split(r"\\\\|\\(?:top|mid)rule", text)[1:]:
        assert not row.lstrip().startswith(("[", "*"))


@pytest.mark.parametrize("letter", ["\x7f", "\x85", "\x9b", "\xad", "\u200b", "\u202e", "\u2028", "\ufeff", "\ud800"])
def test_json_shows_no_letter_that_a_terminal_obeys_and_keeps_it(letter: str) -> None:
    text = as_json([Table("t", "t", ("method", "n"), ((f"a{letter}31mb", 1),))])
    assert letter not in text and text.encode("utf-8")
    assert json.loads(text)[0]["rows"][0]["method"] == f"a{letter}31mb"


def test_gold_in_a_run_folder_reaches_no_prompt_record_or_decision(tmp_path: Path) -> None:
    plain = audited(tmp_path / "plain")
    folder = tmp_path / "labelled"
    store = audited(folder)
    secret = "GOLDCANARY1729"
    for name in ("gold.jsonl", "gold.json"):
        labels(folder / "runs" / name, note=secret, suspect=secret)
    again = tracewitness.audit(folder / "runs", store=folder / "again.db")
    with open_store(plain) as first, open_store(folder / "again.db") as second:
        before, after = list(first.iter_records()), list(second.iter_records())
    assert [record.decision for record in before] == [record.decision for record in after]
    assert secret not in repr(after) and secret not in repr(again.failures)
    assert secret.encode() not in (folder / "again.db").read_bytes()
    assert store.is_file()


def test_gold_in_a_run_folder_is_in_no_prompt_and_votes_of_a_model_are_scored(tmp_path: Path) -> None:
    folder, secret = tmp_path / "labelled", "GOLDCANARY1729"
    audited(folder)
    gold = labels(folder / "runs" / "gold.jsonl", note=secret, suspect=None)
    store = tmp_path / "model.db"
    with FakeEndpoint(answer) as endpoint:
        choice = ModelChoice(report=f"{endpoint.url}#m", trace=f"{endpoint.url}#m", extractor=ExtractorKind.MODEL)
        tracewitness.audit(folder / "runs", store=store, models=choice)
        prompts = [json.dumps(call.body) for call in endpoint.calls if is_question(call)]
    assert prompts and not any(secret in prompt for prompt in prompts)
    done = bench("score", store, "--gold", gold, "--form", "json", "--policy", "paper")
    assert done.exit_code == 0, done.output
    tables = {table["name"]: table["rows"] for table in json.loads(done.stdout)}
    stability = {row["label"]: row for row in tables["stability"]}
    assert stability["claim"]["votes"] == 8 and stability["claim"]["share"] == 1.0
    assert tables["reliability"][0]["confidence"] == 1.0
    assert any(row["what"].endswith("trace prompt") for row in tables["made of"])
