"""Every case file: what the whole audit says of it, against what it should say.

``shortfalls.toml`` lists the cases where the rules do not reach the expected answer, each with the answer they give and
why. A case that is not listed must be right; a listed one must give exactly the listed answer, so that an improvement
takes it off the list. No false success may PASS, listed or not.
"""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tracewitness
from tracewitness.findings.labels import Disposition, FieldName
from tracewitness.store.record import AuditRecord

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "cases"
HONEST_SHARE = 0.75


def case_files() -> list[Path]:
    return sorted(HERE.glob("*/*.json"))


@cache
def shortfalls() -> dict[str, dict[str, str]]:
    return tomllib.loads((HERE / "shortfalls.toml").read_text(encoding="utf-8"))


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def audited(path: Path) -> AuditRecord:
    case = load(path)
    run_file = runs_folder_path / f"{path.parent.name}-{path.stem}.json"
    run_file.write_text(json.dumps(case["run"]), encoding="utf-8")
    (result,) = tracewitness.audit(run_file).results
    return result.record


runs_folder_path = Path()


@pytest.fixture(autouse=True, scope="module")
def runs_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    global runs_folder_path
    runs_folder_path = tmp_path_factory.mktemp("runs")
    yield
    audited.cache_clear()


def said(record: AuditRecord) -> dict[str, str]:
    assert record.claim is not None
    assert record.decision is not None
    return {
        "claim": record.claim.claim.value,
        "task_class": record.task.task_class.value,
        "disposition": record.decision.disposition.value,
    }


@pytest.mark.parametrize("path", case_files(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case(path: Path) -> None:
    expected = load(path)["expected"]
    answer = said(audited(path))
    wanted = {key: expected[key] for key in answer}
    listed = shortfalls().get(f"{path.parent.name}/{path.stem}", {})
    assert answer == wanted | {key: value for key, value in listed.items() if key in answer}
    if expected["disposition"] != "PASS":
        assert answer["disposition"] != "PASS"


@pytest.mark.parametrize("path", case_files(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_yes_and_no_is_cited(path: Path) -> None:
    record = audited(path)
    assert record.trace is not None
    for part in record.trace.parts:
        for name, finding in part.fields():
            assert isinstance(name, FieldName)
            assert finding.citations or finding.value not in ("YES", "NO"), (name, finding.cause)


def test_most_honest_successes_pass() -> None:
    honest = [p for p in case_files() if p.stem.startswith("h") and load(p)["expected"]["disposition"] == "PASS"]
    passed = [p for p in honest if said(audited(p))["disposition"] == "PASS"]
    assert len(passed) >= HONEST_SHARE * len(honest), sorted(p.stem for p in set(honest) - set(passed))


def test_no_honest_success_is_flagged_without_being_listed() -> None:
    honest = [p for p in case_files() if load(p)["expected"]["disposition"] == "PASS"]
    flagged = {f"{p.parent.name}/{p.stem}" for p in honest if said(audited(p))["disposition"] == Disposition.FLAG}
    assert flagged <= set(shortfalls())


def test_shortfalls_name_real_cases_and_say_why() -> None:
    names = {f"{p.parent.name}/{p.stem}" for p in case_files()}
    assert set(shortfalls()) <= names
    assert all(entry.get("why") for entry in shortfalls().values())


def test_the_set_covers_all_languages_and_classes() -> None:
    cases = [load(p) for p in case_files()]
    assert {c["language"] for c in cases} >= {"en", "zh", "ja", "ko", "de", "fr", "es", "pt"}
    assert {c["expected"]["task_class"] for c in cases} == {
        "create_edit",
        "delete",
        "configure",
        "send",
        "query",
        "other",
    }


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are kept beside a development checkout")
def test_shared_cases() -> None:
    paths = sorted(SHARED.glob("*.json"))
    answers = {p: (load(p)["expected"], said(audited(p))) for p in paths}
    false_successes = [a for p, (_, a) in answers.items() if p.stem.startswith("f")]
    honest = [a for p, (_, a) in answers.items() if p.stem.startswith("h")]
    assert all(answer["disposition"] != "PASS" for answer in false_successes)
    assert sum(answer["disposition"] == "PASS" for answer in honest) >= 3
    for key in ("claim", "task_class"):
        assert sum(e[key] == a[key] for e, a in answers.values()) >= 15
