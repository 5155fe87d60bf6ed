"""What is wrong with labels, verdicts and records gets one clear line, and no figure that they cannot carry."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_records import Case, record_of, settled, store_of
from typer.testing import CliRunner

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.splits import read_split
from tracewitness.benchmark.verdicts import FORM, read_verdicts
from tracewitness.cli.main import app
from tracewitness.findings.labels import Claim, FieldValue
from tracewitness.store.store import open_store
from tracewitness.values.digests import digest_text

YES, NO = FieldValue.YES, FieldValue.NO
HEAD = json.dumps({"format": FORM, "method": "judge"})


def bench(*words: object) -> Any:
    return CliRunner().invoke(app, ["bench", *map(str, words)])


def gold_of(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def labelled(run: str, completed: bool | None, claim: str | None = "SUCCESS") -> dict[str, Any]:
    return {"run_id": run, "completed": completed, "claim": claim}


def numbers(value: Any) -> list[float]:
    return [
        float(word) for word in re.findall(r": (-?[\d.][\d.e+-]*|NaN|-?Infinity)[,\n}]", json.dumps(value, indent=1))
    ]


EXPERIMENTS = {
    "zero positives": ([Case("a"), Case("b", value=NO)], [labelled("a", True), labelled("b", True)]),
    "positives alone": ([Case("a"), Case("b", value=NO)], [labelled("a", False), labelled("b", False)]),
    "one run": ([Case("a")], [labelled("a", False)]),
    "one task": ([Case("a", task="t"), Case("b", task="t")], [labelled("a", False), labelled("b", True)]),
    "no gold claim": ([Case("a", Claim.UNCLEAR)], [labelled("a", True, None)]),
    "one judged, one sorted out": ([Case("a"), settled(Case("b"))], [labelled("a", False), labelled("b", False)]),
}


@pytest.mark.parametrize("name", list(EXPERIMENTS))
@pytest.mark.parametrize("command", ["score", "policies"])
def test_every_view_bears_what_the_data_cannot_carry(tmp_path: Path, name: str, command: str) -> None:
    cases, labels = EXPERIMENTS[name]
    store_of(tmp_path / "a.db", cases).close()
    gold = gold_of(tmp_path / "gold.jsonl", *labels)
    words = [command, tmp_path / "a.db", "--gold", gold, "--policy", "paper"]
    done = bench(*words, "--form", "json", "--plots", tmp_path / "plots", "--page", tmp_path / "page.html")
    assert done.exit_code == 0, done.output
    tables = {table["name"]: table["rows"] for table in json.loads(done.stdout)}
    assert all(math.isfinite(number) for number in numbers(tables))
    for row in [*tables.get("gating", []), *tables.get("policies", [])]:
        shares = [row[key] for key in ("blocked share", "from", "to")]
        assert (None in shares) == (row["misreports"] == 0)
    for row in tables.get("detection", []):
        assert (row["F1"] is None) == (row["misreports"] == 0)
    for form in ("terminal", "markdown", "csv", "latex"):
        shown = bench(*words, "--form", form, "--quiet")
        assert shown.exit_code == 0 and "nan" not in shown.stdout.casefold() and "inf" not in shown.stdout.split()


def test_labels_and_runs_that_do_not_meet_are_counted(tmp_path: Path) -> None:
    store_of(tmp_path / "a.db", [Case("a", value=NO), Case("b"), Case("no gold"), settled(Case("no report"))]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False), labelled("b", True), labelled("no run", False))
    done = bench("score", tmp_path / "a.db", "--gold", gold, "--view", "overall")
    for said in (
        "1 run left out without a gold label",
        "1 run left out that triage sorted out before the audit",
        "1 label for runs that no store holds",
    ):
        assert said in done.stderr


def test_run_ids_that_stand_for_several_runs_are_told(tmp_path: Path) -> None:
    store_of(tmp_path / "a.db", [Case("a", value=NO), Case("a", content="another run of this id")]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False))
    done = bench("score", tmp_path / "a.db", "--gold", gold, "--view", "overall")
    assert "1 run id shared by runs of different content; the run audited last counts" in done.stderr


def test_contradicting_labels_are_left_out_and_contradicting_last_words_refused(tmp_path: Path) -> None:
    store_of(tmp_path / "a.db", [Case("a"), Case("b")]).close()
    said = [{**labelled("a", done), "annotator": who} for who, done in (("x", True), ("y", False))]
    gold = gold_of(tmp_path / "g.jsonl", *said, labelled("b", False))
    assert "1 run left out on which annotators disagree" in bench("score", tmp_path / "a.db", "--gold", gold).stderr
    last = gold_of(tmp_path / "h.jsonl", *({**label, "adjudicated": True} for label in said))
    done = bench("score", tmp_path / "a.db", "--gold", last)
    assert done.exit_code == 3 and "contradict each other" in done.stderr and done.stderr.count("\n") == 1


def test_a_policy_that_is_not_at_hand_is_named(tmp_path: Path) -> None:
    made = record_of(Case("a"))
    with open_store(tmp_path / "a.db") as store:
        store.append(replace(made, makers=replace(made.makers, policy_digest=digest_text("of somebody else"))))
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False))
    done = bench("score", tmp_path / "a.db", "--gold", gold)
    assert done.exit_code == 0 and "rules (default): its policy is not at hand" in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "line 1: expected a format"),
        ('{"format": "tracewitness.verdicts/2", "method": "m"}', "line 1: expected a format"),
        (f"{HEAD}\n[]", "line 2: expected an object"),
        (f'{HEAD}\n{{"disposition": "FLAG"}}', "line 2: run_id"),
        (
            f'{HEAD}\n{{"run_id": "a", "disposition": "flag"}}',
            "line 2: disposition: expected PASS, REVIEW, FLAG",
        ),
        (f'{HEAD}\n{{"run_id": "a", "disposition": null}}\n{{"run_id": "a", "disposition": null}}', "line 3: run_id"),
        (f'{HEAD}\n{{"run_id": "a", "disposition": null, "misreport_probability": NaN}}', "line 2"),
        (f'{HEAD}\n{{"run_id": "a", "disposition": null, "misreport_probability": 1.5}}', "expected 0 to 1, found 1.5"),
        (
            f'{HEAD}\n{{"run_id": "a", "disposition": null, "misreport_probability": true}}',
            "expected 0 to 1, found T",
        ),
        (f'{HEAD}\n{{"run_id": "a", "disposition": null, "votes": [1]}}', "votes: expected a list of texts"),
        (f'{HEAD}\n{{"run_id": "a"', "line 2"),
        (f'{HEAD}\n{{"run_id": ["a"], "disposition": ["FLAG"]}}', "line 2: run_id"),
        (f'{HEAD}\n{{"run_id": "a", "disposition": ["FLAG"]}}', "line 2: disposition"),
    ],
)
def test_bad_verdicts_get_one_clear_line(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "judge.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BenchmarkError) as caught:
        read_verdicts(path)
    line = str(caught.value)
    assert said in line and str(path) in line and "\n" not in line
    store_of(tmp_path / "a.db", [Case("a")]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False))
    done = bench("score", tmp_path / "a.db", "--gold", gold, "--verdicts", path)
    assert done.exit_code == 3 and done.stderr.count("\n") == 1


def test_verdicts_on_other_runs_and_without_any_answer_are_borne(tmp_path: Path) -> None:
    store_of(tmp_path / "a.db", [Case("a")]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False))
    path = tmp_path / "judge.jsonl"
    path.write_text(f'{HEAD}\n{{"run_id": "elsewhere", "disposition": "FLAG"}}\n', encoding="utf-8")
    done = bench("score", tmp_path / "a.db", "--gold", gold, "--verdicts", path, "--form", "json")
    assert done.exit_code == 0
    assert "judge: none of its runs is among the labelled ones" in done.stderr
    row = next(row for row in json.loads(done.stdout)[0]["rows"] if row["method"] == "judge")
    assert (row["runs"], row["misreports"], row["recall"], row["F1"]) == (0, 0, None, None)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        "null",
        '{"format": "tracewitness.split/1"}',
        '{"format": "tracewitness.split/1", "calibration": [], "test": [], "share": "half"}',
        '{"format": "tracewitness.split/1", "calibration": [], "test": [], "share": NaN}',
        '{"format": "tracewitness.split/1", "calibration": [1], "test": []}',
        '{"format": "tracewitness.split/1", "calibration": ["a"], "test": ["a"]}',
        "[" * 100_000,
    ],
)
def test_bad_splits_get_one_clear_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "split.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BenchmarkError) as caught:
        read_split(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def gating(*words: object) -> dict[str, dict[str, Any]]:
    done = bench("score", *words, "--view", "overall", "--form", "json", "--quiet")
    assert done.exit_code == 0, done.output
    return {row["method"]: row for row in json.loads(done.stdout)[1]["rows"]}


def test_each_of_several_stores_is_a_stream_of_its_own(tmp_path: Path) -> None:
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    store_of(one, [Case("a", value=NO), settled(Case("x"))]).close()
    store_of(two, [Case("b", value=NO), Case("c"), settled(Case("y")), settled(Case("z"))]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False), labelled("b", False), labelled("c", True))
    rows = gating(one, two, "--gold", gold)
    assert rows[f"rules in {one} (default)"]["load of stream"] == 1 / 2
    assert rows[f"rules in {two} (default)"]["load of stream"] == 1 / 4
    assert rows["flag all"]["load of stream"] == 3 / 6


def test_a_store_that_is_named_twice_is_one_method(tmp_path: Path) -> None:
    store = tmp_path / "a.db"
    store_of(store, [Case("a", value=NO), Case("b")]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False), labelled("b", True))
    (tmp_path / "folder").mkdir()
    assert gating(store, store, tmp_path / "folder" / ".." / "a.db", "--gold", gold) == gating(store, "--gold", gold)


@pytest.mark.parametrize("side", ["calibration", "test"])
def test_a_split_with_a_task_on_both_sides_is_refused(tmp_path: Path, side: str) -> None:
    store_of(tmp_path / "a.db", [Case("a", task="one"), Case("b", task="One!"), Case("c", task="one")]).close()
    gold = gold_of(tmp_path / "g.jsonl", *(labelled(run, False) for run in "abc"))
    split = tmp_path / "split.json"
    sides = {"calibration": ["a"], "test": ["b", "c"]}
    split.write_text(
        json.dumps({"format": "tracewitness.split/1", "share": 0.5, "salt": "", **sides}), encoding="utf-8"
    )
    done = bench("score", tmp_path / "a.db", "--gold", gold, "--split", split, "--side", side)
    assert done.exit_code == 3 and "one task on both sides ('" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("key", ["completed", "claim"])
def test_an_annotator_who_says_two_things_in_two_files_is_refused(tmp_path: Path, key: str) -> None:
    store_of(tmp_path / "a.db", [Case("a"), Case("b")]).close()
    said = {"completed": (True, False), "claim": ("SUCCESS", "UNCLEAR")}[key]
    files = [
        gold_of(tmp_path / f"{at}.jsonl", {**labelled("a", True), key: value, "annotator": "kim"})
        for at, value in enumerate(said)
    ]
    words = [word for file in files for word in ("--gold", file)]
    done = bench("score", tmp_path / "a.db", *words)
    assert done.exit_code == 3 and f"'kim' says two things of {key} of run 'a'" in done.stderr
    assert all(str(file) in done.stderr for file in files) and done.stderr.count("\n") == 1


def test_one_file_may_tell_one_axis_and_one_the_other(tmp_path: Path) -> None:
    store_of(tmp_path / "a.db", [Case("a", value=NO)]).close()
    done = gold_of(tmp_path / "done.jsonl", {"run_id": "a", "completed": False, "annotator": "kim"})
    claim = gold_of(tmp_path / "claim.jsonl", {"run_id": "a", "claim": "SUCCESS", "annotator": "kim"})
    assert gating(tmp_path / "a.db", "--gold", done, "--gold", claim)["rules (default)"]["misreports"] == 1


def test_labels_with_a_byte_order_mark_and_ids_without_end_are_read(tmp_path: Path) -> None:
    long = "r" * 100_000
    store_of(tmp_path / "a.db", [Case("a", value=NO), Case(long)]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False), labelled(long, True), labelled("no run" * 10_000, True))
    gold.write_bytes(b"\xef\xbb\xbf" + gold.read_bytes().replace(b"\n", b"\r\n"))
    rows = gating(tmp_path / "a.db", "--gold", gold)
    assert (rows["rules (default)"]["runs"], rows["rules (default)"]["misreports"]) == (2, 1)
    other = gold_of(tmp_path / "o.jsonl", labelled(long + "s", True))
    done = bench("score", tmp_path / "a.db", "--gold", other)
    assert done.exit_code == 3 and "no label fits" in done.stderr and len(done.stderr) < 1_000


@pytest.mark.parametrize(
    ("names", "said", "code"),
    [
        (["rules (default)"], "name two methods or more", 2),
        (["flag all", "flag all"], "name two methods or more", 2),
        (["flag all", "flag"], "needs two methods", 3),
        (["flag all", "nobody"], "there is no method 'nobody'; there are 'rules (default)', 'flag all'", 3),
        (["flag all", ""], "there is no method ''", 3),
    ],
)
def test_methods_that_cannot_be_compared_are_named(tmp_path: Path, names: list[str], said: str, code: int) -> None:
    store_of(tmp_path / "a.db", [Case("a", value=NO), Case("b")]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False), labelled("b", True))
    words = [word for name in names for word in ("--compare", name)]
    done = bench("score", tmp_path / "a.db", "--gold", gold, "--quiet", *words)
    assert done.exit_code == code and said in done.stderr and done.stderr.count("\n") == 1


def test_a_wrong_method_is_told_before_any_table_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_of(tmp_path / "a.db", [Case("a", value=NO), Case("b")]).close()
    gold = gold_of(tmp_path / "g.jsonl", labelled("a", False), labelled("b", True))
    made: list[object] = []

    def tables_of(*given: object) -> list[object]:
        made.append(given)
        return []

    monkeypatch.setattr("tracewitness.cli.bench.tables_of", tables_of)
    done = bench("score", tmp_path / "a.db", "--gold", gold, "--compare", "flag all", "--compare", "nobody")
    assert done.exit_code == 3 and "there is no method 'nobody'" in done.stderr and not made
