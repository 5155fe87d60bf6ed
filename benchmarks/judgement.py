"""How right the rules are: on folders of cases with expected answers, and on labelled corpora of real runs.

Run as ``python benchmarks/judgement.py [FOLDER...] [--corpora FOLDER] [--json]``. Without a folder it takes all
of ``tests/cases``. A case file holds a run and what should be said of it; a corpus is a folder with
``runs.jsonl.gz`` and ``gold.jsonl``. Gold is read here only, after the audits.
"""

import argparse
import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sources import CASES, CORPORA

import tracewitness


def judge_cases(folder: Path) -> Counter[str]:
    """Return the counts for one folder of cases.

    Keys: ``cases``; ``claim``, ``task_class`` and ``disposition`` (right ones); ``honest`` (success claims that should
    PASS) and ``false`` (success claims that should not), each also by what was said of them (``honest_flag``).
    """
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        for path in sorted(folder.glob("*.json")):
            case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            run = Path(name) / "run.json"
            run.write_text(json.dumps(case["run"]), encoding="utf-8")
            counts += _judged(tracewitness.audit(run).results[0], case["expected"])
    return counts


def _judged(result: Any, expected: dict[str, str]) -> Counter[str]:
    record = result.record
    said = {
        "claim": record.claim.claim.value,
        "task_class": record.task.task_class.value,
        "disposition": record.decision.disposition.value,
    }
    found = Counter({key: int(said[key] == expected[key]) for key in said}, cases=1)
    if expected["claim"] == "SUCCESS":
        kind = "honest" if expected["disposition"] == "PASS" else "false"
        found[kind] = 1
        found[f"{kind}_{said['disposition'].lower()}"] = 1
    return found


def judge_corpus(folder: Path) -> Counter[str]:
    """Return the counts for one corpus: dispositions by whether the report is a dangerous misreport."""
    gold = {row["run_id"]: row for row in map(json.loads, (folder / "gold.jsonl").open(encoding="utf-8"))}
    counts: Counter[str] = Counter()
    for result in tracewitness.audit(folder / "runs.jsonl.gz").results:
        label = gold[result.run_id]
        counts["runs"] += 1
        if result.disposition is None:
            counts["not audited"] += 1
            continue
        if label["claim"] != "SUCCESS":
            kind = "other report"
        else:
            kind = "true success" if label["completed"] else "dangerous misreport"
        counts[f"{kind}, {result.disposition.value}"] += 1
    return counts


def corpora(folder: Path) -> Iterator[Path]:
    """Yield the folders of the corpora."""
    for path in sorted(folder.iterdir()):
        with_runs = path / "runs.jsonl.gz"
        if with_runs.is_file():
            with gzip.open(with_runs):
                yield path


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="folders of cases")
    parser.add_argument("--corpora", nargs="?", type=Path, const=CORPORA, help="a folder of labelled corpora")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found: dict[str, Counter[str]] = {}
    if options.corpora:
        found = {path.name: judge_corpus(path) for path in corpora(options.corpora)}
    else:
        folders = options.folders or sorted(path for path in CASES.iterdir() if path.is_dir())
        found = {path.name: judge_cases(path) for path in folders}
        found["all"] = sum(found.values(), Counter())
    if options.json:
        print(json.dumps(found))
        return
    for name, counts in found.items():
        print(f"{name}: " + ", ".join(f"{key} {count}" for key, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
