"""The tables of ``bench score`` and ``leak show`` against plain counting: no statistic of the project is used here."""

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from made_records import Case, store_of
from typer.testing import CliRunner

from tracewitness.cli.main import app
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Claim, FieldValue, Language, TaskClass

RUNS, VOTES = 44, 5
RULES, JUDGE = "rules by m (paper)", "my judge"
CLAIMS = [Claim.SUCCESS] * 6 + [Claim.FAILURE_OR_INCOMPLETE, Claim.UNCLEAR]
VALUES = [FieldValue.YES] * 5 + [FieldValue.NO] * 3 + [FieldValue.UNKNOWN]
Run = dict[str, Any]


def decided(claim: str, value: str) -> str:
    """Return what the publication's table says where every field has the same value."""
    if claim == "UNCLEAR" or value == "UNKNOWN":
        return "REVIEW"
    return "FLAG" if claim == "SUCCESS" and value == "NO" else "PASS"


def drawn(seed: int) -> list[Run]:
    """Return runs with what was read, found, voted and labelled."""
    chance = random.Random(seed)
    made: list[Run] = []
    for at in range(RUNS):
        claim, value = chance.choice(CLAIMS).value, chance.choice(VALUES).value
        made.append(
            {
                "id": f"r{at}",
                "task": f"task {chance.randrange(28)}",
                "agent": chance.choice(["one", "two", "three"]),
                "class": chance.choice([TaskClass.CREATE_EDIT, TaskClass.DELETE, TaskClass.SEND]),
                "language": chance.choice([Language.EN, Language.DE]),
                "steps": chance.choice([1, 5, 6, 15, 16, 40, 41]),
                "claim": claim,
                "value": value,
                "gaps": chance.random() < 0.3,
                "audited": at % 11 != 10,
                "votes": [chance.choice(["YES", "YES", "YES", "NO"]) for _ in range(chance.choice([3, 4, VOTES]))],
                "rules": decided(claim, value),
                "judge": chance.choice(["PASS", "PASS", "FLAG", "FLAG", "REVIEW", None]),
                "completed": chance.random() < 0.5,
                "gold claim": chance.choice([Claim.SUCCESS] * 5 + [Claim.UNCLEAR]).value,
                "visible": chance.choice([None, None, True, False]),
                "lee": chance.random(),
                "suspect": "checker is broken" if at % 13 == 12 else None,
                "labelled": at % 9 != 8,
            }
        )
    return made


def stored(run: Run) -> Case:
    votes = (("action", tuple(run["votes"])),)
    return Case(
        run["id"],
        Claim(run["claim"]),
        FieldValue(run["value"]),
        task=run["task"],
        agent=run["agent"],
        task_class=run["class"],
        gaps=(Gap.MISSING_STEPS,) if run["gaps"] else (),
        audited=run["audited"],
        votes=votes,
        language=run["language"],
        steps=run["steps"],
        of_runs=VOTES,
    )


def labels_of(run: Run) -> list[dict[str, Any]]:
    """Return the labels of a run: kim says what is so; lee agrees or does not, and then ann has the last word."""
    if not run["labelled"]:
        return []
    base = {"run_id": run["id"], "claim": run["gold claim"]}
    kim = {**base, "completed": run["completed"], "annotator": "kim", "suspect": run["suspect"]}
    told = [{**kim, "visible": run["visible"]}]
    if run["lee"] < 0.7:
        told.append({**base, "completed": run["completed"] ^ (run["lee"] < 0.2), "annotator": "lee"})
    if run["lee"] < 0.2:
        told.append({**base, "completed": run["completed"], "annotator": "ann", "adjudicated": True})
    return told


def written(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def tables_of(*words: object) -> dict[str, list[dict[str, Any]]]:
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return {table["name"]: table["rows"] for table in json.loads(done.stdout)}


@pytest.fixture(scope="module", params=[1, 2, 3])
def experiment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    runs, folder = drawn(request.param), tmp_path_factory.mktemp("recomputed")
    store_of(folder / "a.db", list(map(stored, runs)), "paper", model="m", extractor="rules").close()
    gold = written(folder / "gold.jsonl", [label for run in runs for label in labels_of(run)])
    head = {"format": "tracewitness.verdicts/1", "method": JUDGE}
    said = [{"run_id": run["id"], "disposition": run["judge"]} for run in runs if run["audited"]]
    verdicts = written(folder / "v.jsonl", [head, *said])
    words = ("bench", "score", folder / "a.db", "--gold", gold, "--verdicts", verdicts, "--form", "json", "--quiet")
    kept = [run for run in runs if run["audited"] and run["labelled"] and not run["suspect"]]
    return runs, kept, words, tables_of(*words)


# --- plain counting ----------------------------------------------------------------------------------------------


def positive(run: Run) -> bool:
    return run["gold claim"] == "SUCCESS" and not run["completed"]


def share(hits: int, total: int) -> float | None:
    return hits / total if total else None


def wilson(hits: int, total: int) -> tuple[float, float] | tuple[None, None]:
    """Return the ends by solving (p - hits/total)^2 = z^2 p (1 - p) / total for p."""
    if not total:
        return None, None
    z2, p = 1.959963984540054**2, hits / total
    a, b, c = 1 + z2 / total, -(2 * p + z2 / total), p * p
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def coin(heads: int, tosses: int) -> float:
    rarer = sum(math.comb(tosses, count) for count in range(min(heads, tosses - heads) + 1))
    return min(1.0, 2 * rarer / 2**tosses)


def stepped_down(values: Sequence[float]) -> list[float]:
    ranked = sorted(values)
    return [max(min(1.0, (len(values) - at) * ranked[at]) for at in range(ranked.index(one) + 1)) for one in values]


def counted(runs: Sequence[Run], method: str) -> dict[str, float | None]:
    """Return the figures of a method on runs, by the names that tables give them."""
    judged = [run for run in runs if run[method] is not None]
    bad = [run for run in judged if positive(run)]
    flagged = [run for run in judged if run[method] == "FLAG"]
    hits = sum(positive(run) for run in flagged)
    blocked = sum(run[method] != "PASS" for run in bad)
    load = sum(run[method] != "PASS" for run in judged)
    found: dict[str, float | None] = {"runs": len(judged), "misreports": len(bad)}
    for name, one in (
        ("precision", (hits, len(flagged))),
        ("recall", (hits, len(bad))),
        ("load", (load, len(judged))),
    ):
        found[name] = share(*one)
        found[f"{name} from"], found[f"{name} to"] = wilson(*one)
    found["F1"] = 2 * hits / (len(flagged) + len(bad)) if bad else None
    found["blocked share"], found["silent passes"] = share(blocked, len(bad)), len(bad) - blocked
    found["from"], found["to"] = wilson(blocked, len(bad))
    return found


def agrees(row: Mapping[str, Any], figures: Mapping[str, float | None], but: str = "") -> None:
    """Hold every cell that both have against what was counted."""
    shared = row.keys() & figures.keys()
    assert {"runs", "misreports"} <= shared
    for name in shared:
        expected = figures[name]
        assert row[name] == (None if expected is None else pytest.approx(expected, abs=1e-9)), (but, name, row)


METHODS = {RULES: "rules", JUDGE: "judge"}


def test_both_views(experiment: Any) -> None:
    runs, kept, _, tables = experiment
    for view in ("detection", "gating"):
        rows = {row["method"]: row for row in tables[view]}
        for name, key in METHODS.items():
            agrees(rows[name], counted(kept, key), name)
    rows = {row["method"]: row for row in tables["gating"]}
    blocked = sum(run["audited"] and run["rules"] != "PASS" for run in runs)
    assert rows[RULES]["load of stream"] == pytest.approx(blocked / len(runs))
    assert rows[JUDGE]["load of stream"] is None  # it gave no answer for some
    assert rows[RULES]["silent-pass risk"] == pytest.approx(1 - rows[RULES]["blocked share"])
    assert rows["flag all"]["load of stream"] == pytest.approx(sum(run["audited"] for run in runs) / len(runs))


def band(steps: int) -> str:
    bands = {5: "1 to 5 steps", 15: "6 to 15 steps", 40: "16 to 40 steps"}
    return next((name for most, name in bands.items() if steps <= most), "over 40 steps")


GROUPINGS: Mapping[str, Callable[[Run], str]] = {
    "task class": lambda run: run["class"].value,
    "agent": lambda run: run["agent"],
    "language": lambda run: run["language"].value,
    "trace length": lambda run: band(run["steps"]),
}


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_groups(experiment: Any, grouping: str) -> None:
    _, kept, _, tables = experiment
    group_of = GROUPINGS[grouping]
    rows = {(row["method"], row["group"]): row for row in tables[f"by {grouping}"]}
    for name, key in METHODS.items():
        for group in {group_of(run) for run in kept}:
            inside = [run for run in kept if group_of(run) == group]
            if any(run[key] is not None for run in inside):
                agrees(rows.pop((name, group)), counted(inside, key), group)
    assert not [row for row in rows if row[0] in METHODS]


def test_leaving_one_agent_out(experiment: Any) -> None:
    _, kept, _, tables = experiment
    rows = {(row["method"], row["group"]): row for row in tables["without one agent"]}
    for name, key in METHODS.items():
        for agent in ("one", "two", "three"):
            agrees(rows[name, f"without {agent}"], counted([run for run in kept if run["agent"] != agent], key), agent)


def test_the_paired_comparison_of_all_and_of_chosen_methods(experiment: Any) -> None:
    _, kept, words, tables = experiment
    every = [
        *METHODS.values(),
        *({"flag all": "FLAG", "pass all": "PASS", "claim only": "by claim"}),
    ]
    by_claim = {"SUCCESS": "PASS", "FAILURE_OR_INCOMPLETE": "PASS", "UNCLEAR": "REVIEW"}
    said = [{**run, "flag all": "FLAG", "pass all": "PASS", "claim only": by_claim[run["claim"]]} for run in kept]

    def pair(first: str, second: str) -> tuple[int, int, int, float]:
        both = [run for run in said if run[first] is not None and run[second] is not None]
        right = [tuple((run[key] == "FLAG") == positive(run) for key in (first, second)) for run in both]
        ours, theirs = right.count((True, False)), right.count((False, True))
        return len(both), ours, theirs, coin(ours, ours + theirs)

    names = {key: name for name, key in METHODS.items()}
    expected = {(names.get(a, a), names.get(b, b)): pair(a, b) for a, b in combinations(every, 2)}
    corrected = dict(zip(expected, stepped_down([one[3] for one in expected.values()]), strict=True))
    rows = {(row["first"], row["second"]): row for row in tables["comparison"]}
    assert rows.keys() == expected.keys()
    for key, row in rows.items():
        counts = (row["runs"], row["only first right"], row["only second right"], row["p"])
        assert counts == pytest.approx(expected[key]) and row["p (Holm)"] == pytest.approx(corrected[key])
    both = [run for run in kept if run["judge"] is not None]
    f1 = [counted(both, key)["F1"] or 0.0 for key in METHODS.values()]
    assert rows[RULES, JUDGE]["F1 difference"] == pytest.approx(f1[0] - f1[1])

    chosen = tables_of(*words, "--view", "overall", "--compare", JUDGE, "--compare", "rules by m")
    (row,) = chosen["comparison"]
    assert (row["first"], row["second"]) == (JUDGE, RULES) and row["p"] == row["p (Holm)"]
    assert (row["only first right"], row["only second right"]) == expected[RULES, JUDGE][2:0:-1]
    three = tables_of(*words, "--compare", JUDGE, "--compare", RULES, "--compare", "flag", "--view", "comparison")
    p = [row["p"] for row in three["comparison"]]
    assert [row["p (Holm)"] for row in three["comparison"]] == pytest.approx(stepped_down(p)) and len(p) == 3


def test_agreement_of_annotators(experiment: Any) -> None:
    runs, _, _, tables = experiment
    rows = [label for run in runs for label in labels_of(run)]
    said = {who: {row["run_id"]: row["completed"] for row in rows if row["annotator"] == who} for who in ("kim", "lee")}
    both = sorted(said["kim"].keys() & said["lee"].keys())
    table = Counter((said["kim"][run], said["lee"][run]) for run in both)
    agree = table[True, True] + table[False, False]
    kim, lee = table[True, True] + table[True, False], table[True, True] + table[False, True]
    total = len(both)
    by_chance = (kim * lee + (total - kim) * (total - lee)) / total**2
    (row,) = [row for row in tables["agreement"] if row["label"] == "completed"]
    assert (row["first"], row["second"], row["runs"], row["agree"]) == ("kim", "lee", total, agree)
    assert row["kappa"] == pytest.approx((agree / total - by_chance) / (1 - by_chance))


def test_every_silent_pass_is_sorted(experiment: Any) -> None:
    _, kept, _, tables = experiment
    silent = [run for run in kept if positive(run) and run["rules"] == "PASS"]
    expected: dict[str, str] = {}
    for run in silent:
        if decided(run["gold claim"], run["value"]) != "PASS":
            expected[run["id"]] = "claim side"
        elif run["visible"] is False or (run["visible"] is None and run["gaps"]):
            expected[run["id"]] = "not shown by the record"
        else:
            expected[run["id"]] = "trace side"
    (row,) = tables["residual"]
    kinds = Counter(expected.values())
    assert silent and row["silent passes"] == len(silent)
    assert all(row[kind] == kinds[kind] for kind in ("claim side", "trace side", "not shown by the record"))
    assert {row["run"]: row["missed by"] for row in tables["silent passes"]} == expected


def test_one_run_against_its_own_majority(experiment: Any) -> None:
    _, kept, _, tables = experiment
    votes: list[list[str]] = [run["votes"] for run in kept]
    counts = [(max(Counter(each).values()), len(each)) for each in votes]
    settled = [(most, asked) for most, asked in counts if most * 2 > asked]
    (row,) = [row for row in tables["stability"] if row["label"] == "action"]
    assert (row["votes"], row["without majority"]) == (len(counts), len(counts) - len(settled))
    assert (row["agree"], row["runs"]) == tuple(map(sum, zip(*settled, strict=True)))


# --- leak --------------------------------------------------------------------------------------------------------

SHOWN = ("blind", "report", "narration")
D = "sha256:" + "0" * 64


@pytest.fixture(scope="module", params=[4, 5])
def leaked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return runs with what a judge said of each, and the tables of a folder that was written by hand."""
    chance, folder = random.Random(request.param), tmp_path_factory.mktemp("leaked")
    states = ["COMPLETED", "NOT_COMPLETED", "UNKNOWN", None]
    runs: list[Run] = [
        {"id": f"r{at}", "completed": chance.random() < 0.4, **{name: chance.choice(states) for name in SHOWN}}
        for at in range(40)
    ]
    more = {"source": "s", "claim": "SUCCESS", "has_report": True, "has_narration": True}
    candidates = [{"run_id": r["id"], "task_key": r["id"], "completed": r["completed"], **more} for r in runs]
    maker = {"digest": D, "model": "m", "parameters": "{}", "prompts": [["p", D]], "runs": 1, "threshold": None}
    plan = {"form": "tracewitness.leak/1", "judge": "claim-aware", "showings": SHOWN, "runs": candidates, "seed": 0}
    plan |= {"gold": [D], "left_out": {}, "maker": {**maker, "window_tokens": 6000}}
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    cost = {"calls": 1, "input_tokens": 1, "output_tokens": 1, "microusd": None}
    rest: dict[str, Any] = {
        "run": D,
        "judge": "claim-aware",
        "makers": D,
        "model": "m",
        "ballots": [],
        "shares": [],
        "reasons": "",
    }
    said = [
        {"run_id": r["id"], "showing": name, "state": r[name], "beside": True, **rest, **cost}
        | {"unavailable": None if r[name] else "refused"}
        for r in runs
        for name in SHOWN
    ]
    written(folder / "judgements.jsonl", said)
    return runs, tables_of("leak", "show", folder, "--form", "json")


def test_recall_by_showing_and_its_difference(leaked: Any) -> None:
    runs, tables = leaked
    rows = {row["shown"]: row for row in tables["leakage"]}
    for name in SHOWN:
        judged = [run for run in runs if run[name] is not None]
        bad = [run for run in judged if not run["completed"]]
        hits = sum(run[name] == "NOT_COMPLETED" for run in bad)
        row = rows[name]
        assert (row["runs"], row["no answer"], row["misreports"], row["found"]) == (
            len(judged),
            len(runs) - len(judged),
            len(bad),
            hits,
        )
        ends = (row["recall from"], row["recall to"])
        assert row["recall"] == pytest.approx(hits / len(bad)) and ends == pytest.approx(wilson(hits, len(bad)))
        both = [run for run in bad if run["blind"] is not None]
        less = sum((run[name] == "NOT_COMPLETED") - (run["blind"] == "NOT_COMPLETED") for run in both)
        assert row["less blind"] == (None if name == "blind" else pytest.approx(less / len(both)))


def test_flips_and_pairs(leaked: Any) -> None:
    runs, tables = leaked

    def right(run: Run, name: str) -> bool:
        return run[name] == ("COMPLETED" if run["completed"] else "NOT_COMPLETED")

    expected = {
        (run["id"], name): "harmful" if right(run, "blind") else "recovery"
        for run in runs
        for name in SHOWN[1:]
        if run["blind"] and run[name] and right(run, "blind") != right(run, name)
    }
    assert {(row["run"], row["shown"]): row["flip"] for row in tables["leakage-flips"]} == expected
    p: dict[str, list[float]] = {"p": [], "p right": []}
    for row in tables["leakage-pairs"]:
        both = [run for run in runs if run[row["first"]] and run[row["second"]]]
        found = [
            tuple(run[row[at]] == "NOT_COMPLETED" for at in ("first", "second")) for run in both if not run["completed"]
        ]
        well = [tuple(right(run, row[at]) for at in ("first", "second")) for run in both]
        for rows, words, name in ((found, "finds", "p"), (well, "right", "p right")):
            one, two = rows.count((True, False)), rows.count((False, True))
            assert (row[f"only first {words}"], row[f"only second {words}"]) == (one, two)
            assert row[name] == pytest.approx(coin(one, one + two))
            p[name].append(row[name])
    for name, values in p.items():
        corrected = [row[f"{name} (Holm)"] for row in tables["leakage-pairs"]]
        assert corrected == pytest.approx(stepped_down(values)) and len(values) == 3
