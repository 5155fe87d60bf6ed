"""Audits with models on the command line and from Python: what is said, and how it ends, when something is wrong."""

import asyncio
import warnings
from pathlib import Path

import pytest
from cli_samples import call, honest, write
from fake_endpoint import Call, FakeEndpoint, Reply, failure
from scripted_judge import answer, is_question

import tracewitness


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return write(tmp_path / "runs", honest())


def with_cache(folder: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(folder / "cache")}


@pytest.mark.parametrize(
    ("model", "said"),
    [("http://127.0.0.1:1/v1#x", "could not be reached"), ("https://models.example/v1#x", "needs a key")],
)
def test_a_model_that_cannot_be_asked_is_no_fault_of_this_program(
    model: str, said: str, runs: Path, tmp_path: Path
) -> None:
    done = call("audit", runs, "--no-store", "--model", model, folder=tmp_path, **with_cache(tmp_path))
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert said in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", ""], "names no model"),
        (["--report-model", ""], "names no model"),
        (["--report-model", "nope"], "names no model"),
        (["--trace-model", "nope", "--extractor", "rules"], "names no model"),
        (["--trace-model", "vllm:x", "--extractor", "rules"], "never asks vllm:x"),
        (["--record", "a.jsonl"], "come from a model"),
        (["--replay-answers", "a.jsonl"], "come from a model"),
        (["--model", "vllm:x", "--budget-usd", "inf"], "budget in dollars: expected 0 or more, found inf"),
        (["--report-model", "vllm:x", "--admit", "narration"], "needs a model that reads traces"),
        (["--model", "vllm:x", "--record", "."], "cannot be written"),
    ],
)
def test_a_choice_that_makes_no_sense_is_wrong_usage(words: list[str], said: str, runs: Path, tmp_path: Path) -> None:
    done = call("audit", runs, "--no-store", *words, folder=tmp_path, **with_cache(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert said in done.err and "internal failure" not in done.err


def test_a_dry_run_is_not_green_where_an_input_cannot_be_read(runs: Path, tmp_path: Path) -> None:
    words = ["--dry-run", "--model", "vllm:x"]
    fine = call("audit", runs, *words, folder=tmp_path, **with_cache(tmp_path))
    assert fine.code == 0 and "1 run to audit" in fine.out
    assert "of the store" not in fine.err
    (runs / "broken.json").write_text("{", encoding="utf-8")
    for paths in ([runs], ["missing"], [runs, "missing"]):
        done = call("audit", *paths, *words, folder=tmp_path, **with_cache(tmp_path))
        assert done.code == 3
        assert paths[-1] == runs or "missing" in done.err


def test_why_a_call_brought_no_answer_is_said_in_the_endpoint_s_words(runs: Path, tmp_path: Path) -> None:
    def script(asked: Call) -> Reply:
        told = failure(404, "The model \x1b[31mwas taken down") if is_question(asked) else answer(asked)
        assert isinstance(told, Reply)
        return told

    with FakeEndpoint(script) as endpoint:
        words = ["audit", runs, "--no-store", "--model", f"{endpoint.url}#fake"]
        done = call(*words, folder=tmp_path, **with_cache(tmp_path))
        quiet = call(*words, "-q", folder=tmp_path, **with_cache(tmp_path))
    assert done.code == 11
    assert "6 calls without an answer" in done.err and "HTTP 404: The model \\u001b[31mwas taken down" in done.err
    assert (quiet.code, quiet.out, quiet.err) == (11, "", "")


def test_audit_says_what_to_use_inside_a_running_loop(runs: Path) -> None:
    async def inside() -> None:
        tracewitness.audit(runs, models="vllm:x")

    with warnings.catch_warnings(), pytest.raises(RuntimeError, match=r"await audit_async"):
        warnings.simplefilter("error")
        asyncio.run(inside())


@pytest.mark.parametrize("verb", [["audit", "runs"], ["explain", "honest"]])
def test_a_store_in_a_place_where_none_can_be_is_an_unusable_store(verb: list[str], runs: Path, tmp_path: Path) -> None:
    done = call(*verb, "--store", "/proc/audits.db", folder=tmp_path)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
