import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

import tracewitness
from tracewitness.store.store import open_store
from tracewitness.testing import RunBuilder
from tracewitness.wiring.policies import UnknownPolicyError, find_policy


def unsupported(run_id: str = "r") -> RunBuilder:
    return (
        RunBuilder(run_id)
        .task("Delete the project 'staging-eu'.")
        .step("open", after="list Projects (2)\n  item 'prod-eu'\n  item 'staging-eu'")
        .finish(after="list Projects (2)\n  item 'prod-eu'\n  item 'staging-eu'")
        .report("Done. I deleted the project 'staging-eu'.")
    )


def write(folder: Path) -> Path:
    (folder / "r.json").write_text(json.dumps(unsupported().to_json()), encoding="utf-8")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    return folder


def test_the_public_names_are_few_and_pinned() -> None:
    types = ["AuditBatch", "AuditInputError", "AuditResult", "Explanation", "ModelChoice"]
    assert tracewitness.__all__ == [*types, "__version__", "audit", "audit_async"]
    assert dir(tracewitness) == sorted(tracewitness.__all__)
    assert all(getattr(tracewitness, name) for name in tracewitness.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'judge'"):
        _ = tracewitness.judge  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]


def test_importing_the_package_loads_nothing() -> None:
    code = "import sys, tracewitness; print(sorted(name for name in sys.modules if 'tracewitness' in name))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tracewitness', 'tracewitness.version']"


def test_a_run_gives_a_result() -> None:
    result = tracewitness.audit(unsupported().build())
    assert isinstance(result, tracewitness.AuditResult)
    assert (result.run_id, result.claim, result.task_class) == ("r", "SUCCESS", "delete")
    assert (result.trace_state, result.disposition) == ("NOT_COMPLETED", "FLAG")
    assert result.explain().row == "false_success"
    assert result.to_json()["disposition"] == "FLAG"


def test_paths_give_a_batch_with_what_could_not_be_read(tmp_path: Path) -> None:
    batch = tracewitness.audit(write(tmp_path))
    assert isinstance(batch, tracewitness.AuditBatch)
    assert [result.run_id for result in batch] == ["r"]
    assert (len(batch), batch[0], batch[:1]) == (1, batch.results[0], batch.results)
    assert [failure.path for failure in batch.failures] == [str(tmp_path / "broken.json")]
    assert batch.summary.dispositions["FLAG"] == 1  # pyright: ignore[reportArgumentType]


def test_the_asynchronous_twin_gives_the_same(tmp_path: Path) -> None:
    async def both() -> tuple[tracewitness.AuditResult, tracewitness.AuditBatch]:
        return await tracewitness.audit_async(unsupported().build()), await tracewitness.audit_async([write(tmp_path)])

    result, batch = asyncio.run(both())
    assert result.record.record_id == tracewitness.audit(unsupported().build()).record.record_id
    assert [one.record.record_id for one in batch] == [one.record.record_id for one in tracewitness.audit(tmp_path)]


def test_nothing_to_read_is_an_error_and_no_empty_success(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    for nothing in ("/nope", tmp_path / "empty", tmp_path / "broken.json", [tmp_path / "*.gz", "/nope"]):
        with pytest.raises(tracewitness.AuditInputError) as caught:
            tracewitness.audit(nothing)
        assert isinstance(caught.value, ValueError)
        assert str(caught.value) == "\n".join(failure.line() for failure in caught.value.failures)
        with pytest.raises(tracewitness.AuditInputError):
            asyncio.run(tracewitness.audit_async(nothing))
    with pytest.raises(tracewitness.AuditInputError, match="no paths were given"):
        tracewitness.audit([])


def test_records_are_kept_and_taken_up_where_a_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    write(tmp_path / "runs")
    for resumed in (0, 1):
        batch = tracewitness.audit(tmp_path / "runs", store=tmp_path / "a.db")
        assert batch.summary.resumed == resumed
    with open_store(tmp_path / "a.db") as store:
        assert tracewitness.audit(tmp_path / "runs", store=store, fresh=True).summary.resumed == 0
        assert store.stats().runs == 1


def test_a_policy_is_named_or_given() -> None:
    by_name = tracewitness.audit(unsupported().build(), policy="final-state")
    given = tracewitness.audit(unsupported().build(), policy=find_policy("final-state"))
    assert by_name.record.makers == given.record.makers
    with pytest.raises(UnknownPolicyError, match="no policy is called 'nothing'"):
        tracewitness.audit(unsupported().build(), policy="nothing")
