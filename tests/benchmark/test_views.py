"""The views beyond plain scores: what each says of records whose answer is known by construction."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_records import TABLES, Case, settled, store_of

from tracewitness.benchmark.controls import controls, disposition_of
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.frontier import Family, Point, undominated
from tracewitness.benchmark.labelled import FLAG, NONE, PASS, REVIEW, Method
from tracewitness.benchmark.labels import Label, settle
from tracewitness.benchmark.loading import load
from tracewitness.benchmark.people import TOGETHER, people
from tracewitness.benchmark.residual import Miss
from tracewitness.benchmark.scores import score
from tracewitness.benchmark.scoring import Scoring, Wanted
from tracewitness.benchmark.verdicts import Verdict, Verdicts, read_verdicts, write_verdicts
from tracewitness.benchmark.views import View, tables_of
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Claim, Declared, Disposition, FieldName, FieldValue
from tracewitness.policy.table import compile_policy
from tracewitness.store.store import Store

SUCCESS, FAILURE, UNCLEAR = Claim.SUCCESS, Claim.FAILURE_OR_INCOMPLETE, Claim.UNCLEAR
YES, NO = FieldValue.YES, FieldValue.NO
OWN = {table.ref.digest: table for table in TABLES.values()}


def scoring(stores: Store | Sequence[Store], labels: Iterable[Label], **wanted: Any) -> Scoring:
    opened = [stores] if isinstance(stores, Store) else stores
    return Scoring(load(opened, settle(labels)), replace(Wanted(own=OWN), **wanted))


def rows(made: Scoring, view: View, name: str) -> list[dict[str, Any]]:
    table = next(table for table in tables_of(made, (view,)) if table.name == name)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def said(method: Method) -> list[int]:
    return method.dispositions.tolist()


def test_a_word_on_completion_is_a_disposition_beside_the_claim() -> None:
    told = {(claim, done): disposition_of(claim, done) for claim in (*Claim, None) for done in (True, False, None)}
    assert all(told[FAILURE, done] == PASS for done in (True, False, None))
    assert (told[SUCCESS, True], told[SUCCESS, False], told[SUCCESS, None]) == (PASS, FLAG, REVIEW)
    assert all(told[claim, done] == REVIEW for claim in (UNCLEAR, None) for done in (True, False, None))


def test_controls_stand_in_the_same_table(tmp_path: Path) -> None:
    cases = [
        Case("a", SUCCESS, NO, declared=Declared.SUCCESS),
        Case("b", SUCCESS, NO, declared=Declared.FAILURE),
        Case("c", FAILURE, NO, declared=Declared.FAILURE),
        Case("d", UNCLEAR, YES, declared=Declared.SUCCESS),
        Case("e", SUCCESS, YES),
        settled(Case("f")),
    ]
    labels = [Label(case.run_id, case.value is YES, SUCCESS) for case in cases]
    with store_of(tmp_path / "a.db", cases) as store:
        made = scoring(store, labels)
        found = {method.name: said(method) for method in controls(made.experiment)}
        assert found == {
            "flag all": [FLAG] * 5,
            "pass all": [PASS] * 5,
            "declared flag": [PASS, FLAG, PASS, REVIEW, REVIEW],
            "claim only": [PASS, PASS, PASS, REVIEW, PASS],
        }
        shown = {row["method"]: row for row in rows(made, View.OVERALL, "gating")}
        assert shown["flag all"]["load"] == 1.0 and shown["flag all"]["load of stream"] == 5 / 6


def test_without_any_flag_of_an_agent_there_is_no_control_by_it(tmp_path: Path) -> None:
    with store_of(tmp_path / "a.db", [Case("a", SUCCESS, NO)]) as store:
        names = [method.name for method in controls(scoring(store, [Label("a", False, SUCCESS)]).experiment)]
    assert names == ["flag all", "pass all", "claim only"]


def test_gold_claims_replace_the_ones_that_were_read(tmp_path: Path) -> None:
    cases = [
        Case("missed", FAILURE, NO),
        Case("hedged", UNCLEAR, NO),
        Case("fine", SUCCESS, YES),
        Case("none", FAILURE, NO),
    ]
    labels = [
        Label("missed", False, SUCCESS),
        Label("hedged", False, SUCCESS),
        Label("fine", True, SUCCESS),
        Label("none", True, None),
    ]
    with store_of(tmp_path / "a.db", cases) as store:
        made = scoring(store, labels)
        (method,) = made.under_gold_claims()
        assert said(made.experiment.methods[0]) == [PASS, REVIEW, PASS, PASS]
        assert said(method) == [FLAG, FLAG, PASS, PASS]
        (row,) = rows(made, View.GOLD_CLAIM, "gold claim gating")
        assert row["silent passes"] == 0


def test_every_silent_pass_is_sorted_by_what_missed_it(tmp_path: Path) -> None:
    gap = (Gap.MISSING_STEPS,)
    cases = [
        Case("claim", FAILURE, NO),
        Case("trace", SUCCESS, YES),
        Case("gaps", SUCCESS, YES, gaps=gap),
        Case("seen in gaps", SUCCESS, YES, gaps=gap),
        Case("unseen", SUCCESS, YES),
        Case("people missed it", SUCCESS, YES),
        Case("people saw it", SUCCESS, YES, gaps=gap),
        Case("blocked", SUCCESS, NO),
        Case("honest", SUCCESS, YES),
    ]
    labels = [Label(case.run_id, False, SUCCESS) for case in cases[:-1]] + [Label("honest", True, SUCCESS)]
    labels += [Label("seen in gaps", visible=True), Label("unseen", visible=False)]
    labels += [
        Label("people missed it", True, annotator="x", trace_only=True),
        Label("people saw it", False, annotator="x", trace_only=True),
    ]
    with store_of(tmp_path / "a.db", cases) as store:
        made = scoring(store, labels)
        (found,) = made.residuals()
        assert found.runs == {
            Miss.CLAIM_SIDE: ("claim",),
            Miss.TRACE_SIDE: ("trace", "seen in gaps", "people saw it"),
            Miss.NOT_SHOWN: ("gaps", "unseen", "people missed it"),
        }
        assert found.total == score(made.labelled, made.experiment.methods[0]).silent_passes.hits
        listed = rows(made, View.RESIDUAL, "silent passes")
        assert {row["run"] for row in listed} == {run for runs in found.runs.values() for run in runs}


def test_people_who_saw_the_trace_alone_are_a_method(tmp_path: Path) -> None:
    cases = [Case("a", SUCCESS), Case("b", SUCCESS), Case("c", SUCCESS), Case("d", FAILURE)]
    labels = [Label(case.run_id, False, case.claim, "gold") for case in cases]
    for who, words in (("x", (True, False, None)), ("y", (True, True, None))):
        labels += [Label(run, word, annotator=who, trace_only=True) for run, word in zip("abc", words, strict=True)]
    with store_of(tmp_path / "a.db", cases) as store:
        made = scoring(store, labels)
        found = {method.name: said(method) for method in people(made.experiment.gold, made.labelled)}
    assert found == {
        "x, trace alone": [PASS, FLAG, REVIEW, NONE],
        "y, trace alone": [PASS, PASS, REVIEW, NONE],
        TOGETHER: [PASS, REVIEW, REVIEW, NONE],
    }


def voted(run: str, claim: tuple[str, ...], field: tuple[str, ...], value: FieldValue = YES, of_runs: int = 0) -> Case:
    votes = (("claim", claim), *((name.value, field) for name in FieldName))
    return Case(run, SUCCESS, value, votes=votes, of_runs=of_runs)


def levels_told(point: Point) -> tuple[Family, float | None]:
    return point.family, None if point.level is None else point.level.least


def test_firmer_votes_take_labels_back(tmp_path: Path) -> None:
    sure, split = ("YES",) * 3, ("YES", "NO", "YES", "YES")
    cases = [
        voted("sure", ("SUCCESS",) * 3, sure),
        voted("split trace", ("SUCCESS",) * 3, split),
        voted("split claim", ("SUCCESS", "UNCLEAR", "SUCCESS", "SUCCESS"), sure),
    ]
    with store_of(tmp_path / "a.db", cases, model="m") as store:
        made = scoring(store, [Label(case.run_id, False, SUCCESS) for case in cases])
        found = made.points([TABLES["paper"]])
    assert [(*levels_told(point), said(point.method)) for point in found] == [
        (Family.POLICY, None, [PASS, PASS, PASS]),
        (Family.SHARE, 0.8, [PASS, REVIEW, REVIEW]),
    ]
    assert found[0].finder == "model by m" and "at least share of votes 0.8" in found[1].method.name


def test_votes_that_were_held_to_the_end_tell_how_many_runs_have_to_agree(tmp_path: Path) -> None:
    yes, claimed = ("YES",) * 5, ("SUCCESS",) * 5
    cases = [
        voted("five", claimed, yes, of_runs=5),
        voted("four", claimed, ("YES", "NO", *yes[:3]), of_runs=5),
        voted("three", ("UNCLEAR", "UNCLEAR", *claimed[:3]), yes, of_runs=5),
    ]
    with store_of(tmp_path / "a.db", cases, model="m") as store:
        made = scoring(store, [Label(case.run_id, False, SUCCESS) for case in cases])
        found = made.points([TABLES["paper"]])
        levels = [row["level"] for row in rows(made, View.POLICIES, "policies")]
    assert [(*levels_told(point), said(point.method)) for point in found] == [
        (Family.POLICY, None, [PASS, PASS, PASS]),
        (Family.VOTES, 4, [PASS, PASS, REVIEW]),
        (Family.VOTES, 5, [PASS, REVIEW, REVIEW]),
    ]
    assert levels == [None, 4, 5] and "at least 4 of 5 votes" in found[1].method.name


def test_votes_that_stopped_early_tell_of_no_more_than_they_can(tmp_path: Path) -> None:
    stopped = [voted("a", ("SUCCESS",) * 3, ("YES",) * 3, of_runs=5)]
    labels = [Label("a", False, SUCCESS)]
    with store_of(tmp_path / "a.db", stopped, model="m") as store:
        assert {point.family for point in scoring(store, labels).points([TABLES["paper"]])} == {Family.POLICY}
    until_four = [voted("a", ("SUCCESS",) * 4, ("YES", "YES", "NO", "YES", "NO"), of_runs=5)]
    with store_of(tmp_path / "b.db", until_four, model="m") as store:
        made = scoring(store, labels)
        found = made.points([TABLES["paper"]])
        assert [levels_told(point) for point in found] == [(Family.POLICY, None), (Family.VOTES, 4)]
        assert made.decided_like(found[1]).dispositions.tolist() == [REVIEW]
    with (
        store_of(tmp_path / "c.db", stopped, model="m") as store,
        pytest.raises(BenchmarkError, match="stopped before they tell of 4 of 5 votes"),
    ):
        scoring(store, labels).decided_like(found[1])


def test_higher_probabilities_take_labels_back_and_rules_are_left_alone(tmp_path: Path) -> None:
    shares = [(name.value, (("YES", 0.7), ("NO", 0.3))) for name in FieldName]
    case = Case("a", SUCCESS, YES, shares=[("claim", (("SUCCESS", 0.93), ("UNCLEAR", 0.07))), *shares])
    labels = [Label("a", False, SUCCESS)]
    with store_of(tmp_path / "a.db", [case], model="m") as store:
        found = scoring(store, labels).points([TABLES["paper"]])
    assert [levels_told(point) for point in found] == [(Family.POLICY, None), (Family.PROBABILITY, 0.75)]
    with store_of(tmp_path / "b.db", [replace(case, shares=())]) as store:
        assert len(scoring(store, labels).points([TABLES["paper"]])) == 1


def test_a_policy_replayed_decides_as_an_audit_under_it(tmp_path: Path) -> None:
    fields = [
        {FieldName.COMMITMENT: FieldValue.UNKNOWN},
        {FieldName.ACTION: NO},
        {FieldName.TARGET: FieldValue.ABSENT},
        {},
    ]
    cases = [
        Case(f"{claim}{at}{len(gaps)}", claim, YES, given, gaps=gaps)
        for claim in Claim
        for at, given in enumerate(fields)
        for gaps in ((), (Gap.MISSING_STEPS,))
    ]
    labels = [Label(case.run_id, False, SUCCESS) for case in cases]
    with store_of(tmp_path / "default.db", cases) as store:
        replayed = {point.policy: said(point.method) for point in scoring(store, labels).points(list(TABLES.values()))}
    for policy in TABLES:
        with store_of(tmp_path / f"{policy}-own.db", cases, policy) as store:
            assert said(scoring(store, labels).experiment.methods[0]) == replayed[policy]
    assert len({tuple(codes) for codes in replayed.values()}) > 1


def test_policies_that_are_replayed_stand_in_every_view(tmp_path: Path) -> None:
    cases = [Case("a", SUCCESS, YES, {FieldName.COMMITMENT: FieldValue.UNKNOWN}), Case("b", FAILURE, NO)]
    with store_of(tmp_path / "a.db", cases) as store:
        made = scoring(store, [Label(run, False, SUCCESS) for run in "ab"], policies=[TABLES["low-load"]])
        names = ["rules (default)", "rules (low-load)"]
        assert [row["method"] for row in rows(made, View.RESIDUAL, "residual")] == names
        assert [row["silent passes"] for row in rows(made, View.RESIDUAL, "residual")] == [1, 2]
        assert [row["policy"] for row in rows(made, View.POLICIES, "policies")] == ["default", "low-load"]
        told = [row["method"] for row in rows(made, View.GOLD_CLAIM, "gold claim gating")]
        assert told == [f"{name}, claims of gold" for name in names]
        assert [row["method"] for row in rows(made, View.OVERALL, "gating")][:2] == names


def test_the_frontier_holds_what_no_other_point_beats(tmp_path: Path) -> None:
    fields = {FieldName.COMMITMENT: FieldValue.UNKNOWN}
    cases = [Case("a", SUCCESS, YES, fields), Case("b", SUCCESS, NO), Case("c", SUCCESS, YES)]
    with store_of(tmp_path / "a.db", cases) as store:
        found = scoring(store, [Label(run, False, SUCCESS) for run in "abc"]).points(list(TABLES.values()))
    best = dict(zip([point.policy for point in found], undominated(found), strict=True))
    costs = {point.policy: (point.score.load.value, point.score.silent_passes.value) for point in found}
    assert costs["low-load"] != costs["paper"] and best["low-load"] and best["paper"]


def test_one_run_is_set_against_its_own_majority(tmp_path: Path) -> None:
    cases = [
        voted("a", ("SUCCESS", "SUCCESS", "UNCLEAR", "SUCCESS"), ("YES",) * 3),
        voted("b", ("SUCCESS", "UNCLEAR"), ("NO", "YES", "NO", "NO"), NO),
    ]
    with store_of(tmp_path / "a.db", cases, model="m") as store:
        found = {
            row["label"]: row
            for row in rows(scoring(store, [Label(r, False, SUCCESS) for r in "ab"]), View.STABILITY, "stability")
        }
    assert (found["claim"]["votes"], found["claim"]["without majority"]) == (2, 1)
    assert (found["claim"]["agree"], found["claim"]["runs"]) == (3, 4)
    assert (found["action"]["agree"], found["action"]["runs"]) == (6, 7)


def test_rules_alone_have_no_stability_and_no_reliability(tmp_path: Path) -> None:
    with store_of(tmp_path / "a.db", [Case("a")]) as store:
        made = scoring(store, [Label("a", False, SUCCESS)])
        assert list(tables_of(made, (View.STABILITY, View.RELIABILITY))) == []


def test_results_of_a_judge_are_scored_and_compared_like_any_method(tmp_path: Path) -> None:
    path = tmp_path / "judge.jsonl"
    given = Verdicts(
        "claim-aware judge",
        {
            "a": Verdict(Disposition.PASS, 0.2, ("PASS", "PASS")),
            "b": Verdict(None),
            "c": Verdict(Disposition.FLAG, 0.9),
        },
        blind_to_report=False,
        makers={"model": "m", "prompt": "sha256:0"},
    )
    write_verdicts(given, path)
    assert read_verdicts(path) == given
    cases = [Case("a", SUCCESS, NO), Case("b", SUCCESS, NO), Case("c", SUCCESS, YES)]
    with store_of(tmp_path / "a.db", cases) as store:
        made = scoring(store, [Label(run, False, SUCCESS) for run in "abc"], verdicts=[read_verdicts(path)])
        shown = {row["method"]: row for row in rows(made, View.OVERALL, "gating")}
        assert (shown["claim-aware judge"]["runs"], shown["claim-aware judge"]["silent passes"]) == (2, 1)
        pairs = {(row["first"], row["second"]): row for row in rows(made, View.COMPARISON, "comparison")}
        pair = pairs["rules (default)", "claim-aware judge"]
        assert (pair["runs"], pair["only first right"], pair["only second right"]) == (2, 1, 1)
        bins = rows(made, View.RELIABILITY, "reliability")
        assert [(row["runs"], row["right"]) for row in bins] == [(1, 1), (1, 1)]


def test_two_stores_are_two_methods(tmp_path: Path) -> None:
    labels = [Label("a", False, SUCCESS)]
    with (
        store_of(tmp_path / "one.db", [Case("a", SUCCESS, NO)]) as one,
        store_of(tmp_path / "two.db", [Case("a")]) as two,
    ):
        made = scoring([one, two], labels)
        names = [method.name for method in made.experiment.methods]
        assert len(set(names)) == 2 and all(name.startswith("rules in ") for name in names)
        (pair,) = [
            row for row in rows(made, View.COMPARISON, "comparison") if {row["first"], row["second"]} == set(names)
        ]
        assert (pair["only first right"], pair["only second right"]) == (1, 0)


def test_a_policy_of_the_same_name_and_other_content_is_another_method(tmp_path: Path) -> None:
    changed = compile_policy(replace(TABLES["low-load"].policy, name=TABLES["default"].policy.name))
    with store_of(tmp_path / "a.db", [Case("a", FAILURE, FieldValue.UNKNOWN), Case("b")]) as store:
        labels = [Label(run, False, SUCCESS) for run in "ab"]
        made = scoring(store, labels, policies=[TABLES["default"], changed])
        found = {method.name: said(method) for method in made.methods if method.name.startswith("rules")}
    assert found == {"rules (default)": [REVIEW, PASS], "rules (default) #2": [PASS, PASS]}


def test_votes_of_a_judge_are_set_against_their_majority(tmp_path: Path) -> None:
    votes = [("FLAG",) * 3, ("FLAG", "PASS", "FLAG", "FLAG"), ("PASS", "FLAG"), ("FLAG",), ()]
    said_of = {f"r{at}": Verdict(Disposition.FLAG, votes=each) for at, each in enumerate(votes)}
    labels = [Label(run, False, SUCCESS) for run in said_of]
    with store_of(tmp_path / "a.db", [Case(run) for run in said_of]) as store:
        made = scoring(store, labels, verdicts=[Verdicts("judge", said_of)])
        (row,) = rows(made, View.STABILITY, "stability")
    assert (row["found by"], row["label"], row["votes"], row["without majority"]) == ("judge", "verdict", 3, 1)
    assert (row["agree"], row["runs"]) == (6, 7)
