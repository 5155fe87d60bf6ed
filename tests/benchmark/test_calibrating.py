"""A promise is chosen with its price, kept over draws, refused where labels are too few, and written as a policy."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from independent import rarely_more
from labelled_samples import labelled, method
from made_records import TABLES, Case, store_of
from typer.testing import CliRunner

from tracewitness.benchmark.calibrating import calibrate, risk_of, why_none
from tracewitness.benchmark.frontier import Family, Level, Point
from tracewitness.benchmark.labelled import FLAG, PASS, Labelled
from tracewitness.benchmark.policy_file import calibrated, policy_toml
from tracewitness.benchmark.scores import score
from tracewitness.cli.main import app
from tracewitness.findings.labels import Claim, FieldName, FieldValue
from tracewitness.policy.analysis import check
from tracewitness.policy.parsing import parse_policy
from tracewitness.stats.risk import Promise

PROMISE = Promise(0.1, 0.95)


def point(truth: Labelled, codes: Sequence[int], policy: str = "default", level: float | None = None) -> Point:
    told = method(f"{policy} {level}", codes)
    least = None if level is None else Level(Family.PROBABILITY, level)
    return Point("rules", TABLES[policy], least, told, score(truth, told, intervals=False))


def drawn(
    chance: np.random.Generator, size: int, risks: Sequence[float], per_task: int = 1
) -> tuple[Labelled, list[Point]]:
    """Draw runs that are all misreports, of which each candidate lets through the share that is its risk.

    Runs of a task share their fate, and a laxer candidate lets through what a stricter one does.
    """
    fate = np.repeat(chance.random(size), per_task)
    tasks = np.repeat(np.arange(size), per_task).tolist()
    truth = labelled([True] * len(fate), tasks)
    levels = np.linspace(1, 0.55, len(risks)).tolist()
    found = [
        point(truth, np.where(fate < risk, PASS, FLAG).tolist(), level=level)
        for risk, level in zip(risks, levels, strict=True)
    ]
    return truth, found


@pytest.mark.parametrize("per_task", [1, 3])
@pytest.mark.parametrize("in_order", [True, False])
def test_the_promise_is_kept_over_draws(per_task: int, in_order: bool) -> None:
    """Of draws whose candidates straddle the bound, those that choose one beyond it are as rare as was promised."""
    chance = np.random.default_rng(20_261_130)
    risks = (0.01, 0.04, 0.08, 0.101, 0.12, 0.2)
    draws, broken, chosen = 400, 0, 0
    for _ in range(draws):
        truth, candidates = drawn(chance, 150, risks, per_task)
        found = calibrate(truth, candidates, PROMISE, in_order=in_order)
        if found.chosen is not None:
            chosen += 1
            broken += risks[candidates.index(found.chosen.point)] > PROMISE.most
    # Were the promise broken in exactly 5 % of all draws, more than this would come about once in a thousand times.
    assert broken <= rarely_more(draws, 1 - PROMISE.confidence)
    assert chosen > draws / 2


def test_policies_tried_together_share_the_error() -> None:
    chance = np.random.default_rng(7)
    draws, broken = 300, 0
    names = list(TABLES)
    for _ in range(draws):
        truth = labelled([True] * 100)
        # Each policy alone is just beyond the bound, and they err independently: the worst case for trying many.
        candidates = [point(truth, np.where(chance.random(100) < 0.101, PASS, FLAG).tolist(), name) for name in names]
        found = calibrate(truth, candidates, PROMISE)
        assert found.sequences == len(names)
        broken += found.chosen is not None
    assert broken <= rarely_more(draws, 1 - PROMISE.confidence)


def test_the_least_load_among_those_that_keep_the_promise_is_chosen() -> None:
    truth = labelled([True] * 100 + [False] * 100)
    strict = point(truth, [FLAG] * 200, level=1.0)
    fair = point(truth, [FLAG] * 98 + [PASS] * 2 + [FLAG] * 20 + [PASS] * 80, level=0.8)
    lax = point(truth, [FLAG] * 60 + [PASS] * 140)
    found = calibrate(truth, [lax, fair, strict], PROMISE)
    assert [one.kept for one in found.tested] == [True, True, False]
    assert found.chosen is not None and found.chosen.point is fair


def test_a_sequence_ends_where_its_first_test_fails() -> None:
    truth = labelled([True] * 100)
    strict = point(truth, [PASS] * 50 + [FLAG] * 50, level=1.0)
    lucky = point(truth, [FLAG] * 100)
    assert calibrate(truth, [strict, lucky], PROMISE).chosen is None


def at_level(truth: Labelled, codes: Sequence[int], level: Level | None) -> Point:
    told = method(f"votes {level}", codes)
    return Point("model", TABLES["paper"], level, told, score(truth, told, intervals=False))


def test_shares_of_the_votes_that_happened_to_be_asked_are_no_candidates() -> None:
    truth = labelled([True] * 100)
    assert calibrate(truth, [at_level(truth, [FLAG] * 100, Level(Family.SHARE, 0.8))], PROMISE).tested == ()


def test_how_many_runs_have_to_agree_is_a_candidate() -> None:
    truth = labelled([True] * 100 + [False] * 100)
    found = [
        at_level(truth, [PASS] * 30 + [FLAG] * 70 + [PASS] * 100, None),
        at_level(truth, [FLAG] * 99 + [PASS] * 101, Level(Family.VOTES, 4, 5)),
        at_level(truth, [FLAG] * 200, Level(Family.VOTES, 5, 5)),
    ]
    chosen = calibrate(truth, found, PROMISE)
    assert [one.kept for one in chosen.tested] == [True, True, False] and chosen.sequences == 1
    assert chosen.chosen is not None and chosen.chosen.point.level is not None
    assert chosen.chosen.point.level.option == "--runs 5 --agree 4"


def test_runs_of_one_task_count_as_one_witness() -> None:
    truth = labelled([True] * 60, [at // 3 for at in range(60)])
    risk = risk_of(truth, method("m", [PASS] * 3 + [FLAG] * 57))
    assert (risk.share.hits, risk.share.total, risk.units, risk.mean, risk.by_task) == (3, 60, 20, 0.05, True)
    alone = risk_of(labelled([True] * 60), method("m", [PASS] * 3 + [FLAG] * 57))
    assert not alone.by_task and alone.p_value(0.15) < risk.p_value(0.15)


@pytest.mark.parametrize(
    ("positives", "silent", "said"),
    [
        (0, 0, "needs at least 29 labelled misreports, even if none passes silently; there are 0"),
        (28, 0, "needs at least 29 labelled misreports, even if none passes silently; there are 28"),
        (40, 2, "passes 2 of 40 misreports; at that rate it would need about"),
        (40, 20, "more labels would not help at that rate"),
    ],
)
def test_a_refusal_tells_how_many_labels_it_would_need(positives: int, silent: int, said: str) -> None:
    truth = labelled([True] * positives + [False] * 10)
    candidate = point(truth, [PASS] * silent + [FLAG] * (positives + 10 - silent))
    found = calibrate(truth, [candidate], PROMISE)
    assert found.chosen is None and said in why_none(found)


def test_the_number_that_a_refusal_names_is_enough() -> None:
    needed = 29
    truth = labelled([True] * needed)
    assert calibrate(truth, [point(truth, [FLAG] * needed)], PROMISE).chosen is not None


@pytest.mark.parametrize("name", list(TABLES))
def test_a_policy_written_out_is_read_back_as_it_was(name: str) -> None:
    policy = TABLES[name].policy
    assert parse_policy(policy_toml(policy, ["one\nline \x1b"]), "x") == policy
    told = calibrated(policy, 'At most 0.05 of "misreports" pass \\ silently.')
    read = parse_policy(policy_toml(told), "x")
    assert read == told and read.name == f"{name}-calibrated" and read.rows == policy.rows
    assert calibrated(read, "").name == read.name
    assert [proof.holds for proof in check(read).proofs] == [proof.holds for proof in check(policy).proofs]


def bench(*words: object) -> Any:
    return CliRunner().invoke(app, ["bench", *map(str, words)])


def experiment(tmp_path: Path, runs: int) -> tuple[Path, Path, Path]:
    """Store runs of which half are misreports; the default policy sends those with an unknown commitment to people."""
    fields = {FieldName.COMMITMENT: FieldValue.UNKNOWN}
    cases = [
        Case(f"r{at}", Claim.SUCCESS, FieldValue.NO if at % 2 else FieldValue.YES, {} if at % 4 else fields)
        for at in range(runs)
    ]
    store_of(tmp_path / "a.db", cases).close()
    gold = tmp_path / "gold.jsonl"
    labels = ({"run_id": f"r{at}", "completed": at % 2 == 0, "claim": "SUCCESS"} for at in range(runs))
    gold.write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
    split = tmp_path / "split.json"
    assert bench("split", tmp_path / "a.db", "-o", split).exit_code == 0
    return tmp_path / "a.db", gold, split


def test_calibrating_writes_a_policy_with_its_numbers_and_checks_it_on_the_other_side(tmp_path: Path) -> None:
    store, gold, split = experiment(tmp_path, 800)
    policy = tmp_path / "mine.toml"
    tried = ("--policy", "default", "--policy", "low-load")
    page = tmp_path / "page.html"
    words = ("--gold", gold, "--split", split, "-o", policy, *tried, "--page", page, "--form", "json")
    done = bench("calibrate", store, *words)
    assert done.exit_code == 0, done.output
    assert "rules (low-load)" in page.read_text(encoding="utf-8")
    tables = {table["name"]: table["rows"] for table in json.loads(done.stdout)}
    assert [row["candidate"] for row in tables["calibration"] if row["chosen"]] == ["rules (low-load)"]
    assert tables["check"][0]["holds"] == "yes" and tables["check"][0]["misreports"] > 100
    text = policy.read_text(encoding="utf-8")
    for said in ("at most 0.05", "confidence 0.95", "sha256:", "Command: tracewitness", "The other side of the split"):
        assert said in text
    assert parse_policy(text, "mine").name == "low-load-calibrated"
    again = bench("policies", store, "--gold", gold, "--policy", policy, "--form", "json", "--quiet")
    assert json.loads(again.stdout)[0]["rows"][0]["policy"] == "low-load-calibrated"


def test_a_promise_that_the_labels_cannot_carry_writes_nothing(tmp_path: Path) -> None:
    store, gold, _ = experiment(tmp_path, 40)
    policy = tmp_path / "mine.toml"
    done = bench("calibrate", store, "--gold", gold, "-o", policy, "--quiet")
    assert done.exit_code == 3 and "needs at least" in done.stderr and done.stderr.count("\n") == 1
    assert not policy.exists()
    for option in ("--silent-pass", "--confidence"):
        wrong = bench("calibrate", store, "--gold", gold, "-o", policy, option, "1.5")
        assert wrong.exit_code == 2 and option in wrong.stderr
