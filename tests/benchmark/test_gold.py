"""Labels come to gold only where they agree or somebody had the last word, and bad ones get a clear line."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.benchmark.errors import GoldError
from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.labels import Axis, Gold, Label, agreements, settle
from tracewitness.findings.labels import Claim

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
COMPLETED = st.sampled_from([True, False, None])
CLAIMS = st.sampled_from([*Claim, None])


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@given(st.lists(st.builds(Label, st.just("r"), COMPLETED, CLAIMS, adjudicated=st.booleans()), max_size=5))
def test_gold_is_what_all_say_or_the_last_word(labels: list[Label]) -> None:
    expected: dict[str, Any] = {}
    for axis in Axis:
        last = {label.on(axis) for label in labels if label.adjudicated} - {None}
        every = {label.on(axis) for label in labels} - {None}
        if len(last) > 1:
            with pytest.raises(ValueError, match="contradict each other"):
                settle(labels)
            return
        expected[axis] = next(iter(last or (every if len(every) == 1 else {None})))
        expected[f"disputed {axis}"] = not last and len(every) > 1
    gold = settle(labels).runs.get("r", Gold("r", None, None))
    assert (gold.completed, gold.claim) == (expected[Axis.COMPLETED], expected[Axis.CLAIM])
    assert gold.disputed == tuple(axis for axis in Axis if expected[f"disputed {axis}"])


@pytest.mark.parametrize(
    ("completed", "claim", "misreport"),
    [
        (False, Claim.SUCCESS, True),
        (True, Claim.SUCCESS, False),
        (False, Claim.UNCLEAR, False),
        (None, Claim.FAILURE_OR_INCOMPLETE, False),
        (True, None, False),
        (None, Claim.SUCCESS, None),
        (False, None, None),
        (None, None, None),
    ],
)
def test_a_misreport_is_a_success_claim_without_accomplishment(
    completed: bool | None, claim: Claim | None, misreport: bool | None
) -> None:
    assert Gold("r", completed, claim).misreport is misreport


def test_those_who_saw_the_trace_alone_make_no_gold() -> None:
    found = settle([Label("r", True, annotator="a", trace_only=True), Label("s", False, annotator="a")])
    assert list(found.runs) == ["s"]
    assert found.trace_only() == {"r": True}


def test_agreement_is_counted_over_the_runs_that_both_labelled() -> None:
    labels = [Label(f"r{at}", at % 2 == 0, annotator="a") for at in range(6)]
    labels += [Label(f"r{at}", at % 2 == 0 or at == 1, annotator="b") for at in range(4)]
    labels += [Label("r0", False, annotator="c", adjudicated=True)]
    (found,) = agreements(labels)
    assert (found.first, found.second, found.axis) == ("a", "b", Axis.COMPLETED)
    assert (found.agreement.raw.hits, found.agreement.raw.total) == (3, 4)


def test_our_own_form(tmp_path: Path) -> None:
    path = write(
        tmp_path / "gold.jsonl",
        {"run_id": "a", "completed": False, "claim": "SUCCESS", "completed_by": "checker", "suspect": None, "note": 1},
        {"run_id": "b", "completed": True, "annotator": "x"},
        {"run_id": "b", "completed": False, "annotator": "y"},
        {"run_id": "b", "completed": False, "claim": "UNCLEAR", "annotator": "z", "adjudicated": True},
        {"run_id": "c", "claim": "SUCCESS", "suspect": "checker broken"},
    )
    gold = read_gold(path)
    assert gold.runs["a"].misreport is True
    assert gold.runs["b"] == Gold("b", False, Claim.UNCLEAR)
    assert gold.runs["c"].suspect == "checker broken"
    assert gold.disputed() == ()


def test_annotations_of_agent_reward_bench(tmp_path: Path) -> None:
    path = tmp_path / "annotations.csv"
    path.write_text(
        "annotator_name,benchmark,task_id,model_name,trajectory_success,trajectory_side_effect\n"
        " A,webarena,webarena.177,GenericAgent-x,Unsuccessful,No\n"
        "B,webarena,webarena.177,GenericAgent-x,Successful,No\n"
        'A,workarena,"workarena.a, b",GenericAgent-x,Unsure,No\n',
        encoding="utf-8",
    )
    gold = read_gold(path)
    assert gold.runs["webarena/GenericAgent-x/webarena.177"].disputed == (Axis.COMPLETED,)
    assert gold.runs["workarena/GenericAgent-x/workarena.a, b"].completed is None
    assert {label.annotator for label in gold.labels} == {"A", "B"}


def test_human_labels_of_online_mind2web(tmp_path: Path) -> None:
    path = tmp_path / "human_label.json"
    task = {"task_id": "b7258", "confirmed_task": "Find it.", "Operator_human_label": "1", "SeeAct_human_label": 0}
    path.write_text(json.dumps([{**task, "Agent-E_human_label": "2"}]), encoding="utf-8")
    found = {run: gold.completed for run, gold in read_gold(path).runs.items()}
    assert found == {"Operator/b7258": True, "SeeAct/b7258": False, "Agent-E/b7258": None}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gold.jsonl", "", "no labels in it"),
        ("gold.jsonl", "\n\n", "no labels in it"),
        ("gold.jsonl", "[1]", "line 1: expected an object"),
        ("gold.jsonl", '{"run_id": "a"}', "line 1: expected completed, claim, or both"),
        ("gold.jsonl", '{"completed": true}', "line 1: run_id: expected a text"),
        ("gold.jsonl", '{"run_id": "a", "completed": 1}', "completed: expected true, false or null, found 1"),
        ("gold.jsonl", '{"run_id": "a", "claim": "success"}', "claim: expected SUCCESS, "),
        ("gold.jsonl", '{"run_id": "a", "completed": NaN}', "line 1"),
        ("gold.jsonl", '{"run_id": "a", "completed": true}\n{"run_id": "a", "completed": false}', "on line 1 already"),
        ("gold.jsonl", '{"run_id": "a", "completed": tr', "line 1, column 30"),
        ("labels.csv", "a,b\n1,2\n", "the columns benchmark, model_name, task_id, trajectory_success are missing"),
        ("labels.csv", "benchmark,task_id,model_name,trajectory_success\nw,1,m,maybe\n", "line 2: trajectory_success"),
        ("labels.json", "{}", "expected a list of tasks with human labels"),
        ("labels.json", '[{"task_id": "a", "X_human_label": "3"}]', "entry 1: X_human_label: expected 0, 1 or 2"),
    ],
)
def test_bad_labels_get_one_clear_line(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(GoldError) as caught:
        read_gold(path)
    line = str(caught.value)
    assert said in line and str(path) in line and "\n" not in line


def test_two_last_words_that_contradict_are_refused(tmp_path: Path) -> None:
    last = {"run_id": "a", "adjudicated": True}
    path = write(
        tmp_path / "g.jsonl",
        {**last, "completed": True, "annotator": "x"},
        {**last, "completed": False, "annotator": "y"},
    )
    with pytest.raises(GoldError, match="contradict each other"):
        read_gold(path)


@pytest.mark.shared
@pytest.mark.skipif(not CORPORA.is_dir(), reason="the labelled corpora are not beside this checkout")
def test_the_corpora_have_the_misreports_that_they_say() -> None:
    expected = {"gbox_webarena": 111, "tau_bench_airline": 53, "mobileworld": 197, "gbox_androidworld": 9}
    for name, count in expected.items():
        gold = read_gold(CORPORA / name / "gold.jsonl")
        assert sum(one.misreport is True for one in gold.runs.values()) == count
