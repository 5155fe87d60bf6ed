"""Many audits with models: what is asked, paid, kept, recorded, stopped and taken up again."""

import asyncio
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import Call, FakeEndpoint, Fault, Faults, Reply, completion, failure, smallest
from scripted_judge import answer, asks_for_claim, is_question

import tracewitness
from tracewitness.asking.budget import Price, Stopped
from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.auditing.many_runs import failed
from tracewitness.auditing.one_run import Run
from tracewitness.auditing.outcome import Audit, Audited
from tracewitness.backends.naming import parse_model_name
from tracewitness.backends.remembering import remember
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.labels import Claim, Disposition, TraceState
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store, open_store
from tracewitness.store.transfer import export_jsonl, import_jsonl
from tracewitness.testing import RunBuilder
from tracewitness.wiring.choices import ChoiceError, ExtractorKind, ModelChoice, VoteKind
from tracewitness.wiring.driving import model_batch
from tracewitness.wiring.models import Terms
from tracewitness.wiring.policies import find_policy

DEFAULT = find_policy("default")


def built(number: int) -> RunBuilder:
    return (
        RunBuilder(f"r{number}")
        .task(f"Delete the file 'draft-{number}.txt'.")
        .step("click", target="Delete", after=f"toast 'draft-{number}.txt deleted'\nlist Files (0)")
        .report(f"Done. I deleted draft-{number}.txt.")
    )


def runs(count: int) -> list[Run]:
    return [built(number).build() for number in range(count)]


def chosen(endpoint: FakeEndpoint, **changes: Any) -> ModelChoice:
    base: dict[str, Any] = {"extractor": ExtractorKind.MODEL, "window_tokens": 800, **changes}
    return ModelChoice(f"{endpoint.url}#fake", f"{endpoint.url}#fake", **base)


def audited(
    choice: ModelChoice, items: Iterable[Run], store: Store | None = None, **options: bool
) -> tuple[list[AuditRecord], Any]:
    with model_batch(choice, Terms(DEFAULT, store)) as batch:
        outcomes: list[Audit] = list(batch.audit(items, **options))
        return [each.record for each in outcomes if isinstance(each, Audited)], batch.auditor.budget


def asked(endpoint: FakeEndpoint) -> Counter[str]:
    """Return how often each question was asked; the probes of what the endpoint can do are left out."""
    return Counter(
        json.dumps([call.body["messages"], call.body.get("seed")]) for call in endpoint.calls if is_question(call)
    )


def test_a_model_reads_both_sides_and_the_record_says_so() -> None:
    with FakeEndpoint(answer) as endpoint:
        (record,), budget = audited(chosen(endpoint), runs(1))
    assert record.decision is not None and record.claim is not None
    assert (record.claim.claim, record.decision.trace_state) == (Claim.SUCCESS, TraceState.COMPLETED)
    assert record.decision.disposition is Disposition.PASS
    assert [used.prompts[0].prompt_id for used in record.makers.models] == ["claim/1", "evidence/2"]
    assert {note.ballots.subject for note in record.ballots} >= {"claim", "action", "final_support"}
    assert sum(asked(endpoint).values()) == budget.spent.calls == len(record.answers) == 6
    assert budget.spent.microusd == 0


def test_each_side_may_have_a_model_of_its_own() -> None:
    with FakeEndpoint(answer) as reports, FakeEndpoint(answer) as traces:
        choice = ModelChoice(f"{reports.url}#a", f"{traces.url}#b", extractor=ExtractorKind.MODEL, runs=1)
        (record,), _ = audited(choice, runs(1))
    assert [used.model.rpartition("#")[2] for used in record.makers.models] == ["a", "b"]
    assert all("Success flag:" in question for question in asked(reports))
    assert all("Task class:" in question for question in asked(traces))


def test_a_second_start_pays_for_no_call_twice(tmp_path: Path) -> None:
    with FakeEndpoint(answer) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        first, _ = audited(chosen(endpoint), runs(5), store)
        paid = sum(asked(endpoint).values())
        again, budget = audited(chosen(endpoint), runs(5), store, fresh=True)
        assert sum(asked(endpoint).values()) == paid
        assert budget.spent.calls == 0
    assert [record.decision for record in first] == [record.decision for record in again]


def test_rules_and_model_ask_the_questions_of_the_model_alone(tmp_path: Path) -> None:
    with FakeEndpoint(answer) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        audited(chosen(endpoint), runs(2), store)
        paid = sum(asked(endpoint).values())
        records, _ = audited(chosen(endpoint, extractor=ExtractorKind.BOTH), runs(2), store)
        assert sum(asked(endpoint).values()) == paid
    assert {record.makers.extractor.partition("+")[0] for record in records} == {"both"}


def test_the_same_run_twice_in_a_batch_is_paid_for_once(tmp_path: Path) -> None:
    with FakeEndpoint(answer, latency=0.02) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        records, _ = audited(chosen(endpoint), [*runs(1), *runs(1), *runs(1)], store)
        assert max(asked(endpoint).values()) == 1
    assert len(records) == 3


KINDS = tuple(kind for kind in Fault if kind is not Fault.HANG)


@pytest.mark.slow
def test_five_hundred_audits_survive_an_endpoint_that_fails_every_fifth_call(tmp_path: Path) -> None:
    faulty(tmp_path, 500, tuple(Fault))


def test_audits_survive_an_endpoint_that_fails_every_fifth_call(tmp_path: Path) -> None:
    faulty(tmp_path, 40, KINDS)


def faulty(tmp_path: Path, count: int, kinds: tuple[Fault, ...]) -> None:
    delivered: Counter[str] = Counter()

    with FakeEndpoint(answer, Faults(0.2, kinds, seed=7)) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        choice = ModelChoice(
            f"{endpoint.url}#fake",
            f"{endpoint.url}#fake",
            extractor=ExtractorKind.MODEL,
            runs=3,
            call_seconds=3.0,
            window_tokens=800,
            capabilities=known(tmp_path, endpoint),
        )
        records, budget = audited(choice, runs(count), store)
        whole = {Fault.CHATTER, Fault.WRONG_SCHEMA, Fault.REFUSAL}
        for call, fault in zip(endpoint.calls, endpoint.faults, strict=True):
            if fault is None:
                delivered[json.dumps([call.body["messages"], call.body.get("seed")])] += 1
        assert len(records) == count == len({record.run_id for record in records})
        assert store.stats().audits == count
        assert max(delivered.values()) == 1, "an answer that came whole was paid for twice"
        answered = sum(fault is None for fault in endpoint.faults)
        assert budget.spent.calls - budget.spent.failed == answered
        for record in records:
            assert_no_failure_is_a_verdict(record)
        assert any(failed(record) for record in records) == any(
            record.decision is not None and record.decision.disposition is Disposition.REVIEW for record in records
        )
        refused = [fault for fault in endpoint.faults if fault in whole]
        assert refused, "the seed brings no fault of this kind"
    with open_store(str(tmp_path / "a.db")) as store:
        stopped = [record for record in store.iter_records() if failed(record)]
    assert len(stopped) < count / 2


def known(tmp_path: Path, endpoint: FakeEndpoint) -> Path:
    """Return a file that knows what the endpoint can do, so that no probe meets a fault."""
    file = tmp_path / "models.json"
    remember(file, parse_model_name(f"{endpoint.url}#fake"), Capabilities(AnswerForm.JSON_SCHEMA))
    return file


def assert_no_failure_is_a_verdict(record: AuditRecord) -> None:
    assert record.decision is not None and record.claim is not None and record.trace is not None
    if failed(record):
        assert record.decision.disposition is Disposition.REVIEW
        return
    assert (record.claim.claim, record.decision.trace_state) == (Claim.SUCCESS, TraceState.COMPLETED)


def test_what_failed_for_good_is_asked_again_only_on_request(tmp_path: Path) -> None:
    willing = False

    def script(call: Call) -> dict[str, Any] | Reply:
        return (
            answer(call)
            if willing or asks_for_claim(call) or not is_question(call)
            else completion(None, call, refusal="No.")
        )

    with FakeEndpoint(script) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        (first,), _ = audited(chosen(endpoint), runs(1), store)
        assert first.trace is not None and first.trace.unavailable is UnavailableCause.REFUSED
        willing = True
        (second,), _ = audited(chosen(endpoint), runs(1), store)
        assert second.trace == first.trace
        (third,), _ = audited(chosen(endpoint), runs(1), store, retry_failed=True)
        assert third.decision is not None and third.decision.disposition is Disposition.PASS
        (last,), _ = audited(chosen(endpoint), runs(1), store)
        assert last.decision == third.decision
        assert store.stats().audits == 2


def test_what_failed_in_passing_is_taken_up_by_itself(tmp_path: Path) -> None:
    up = False

    def script(call: Call) -> dict[str, Any] | Reply:
        return answer(call) if up or asks_for_claim(call) or not is_question(call) else failure(400, "maintenance")

    with FakeEndpoint(script) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        (first,), _ = audited(chosen(endpoint, runs=1), runs(1), store)
        assert first.trace is not None and first.trace.unavailable is not None
        assert first.trace.unavailable.passing
        up = True
        (second,), _ = audited(chosen(endpoint, runs=1), runs(1), store)
        assert second.decision is not None and second.decision.disposition is Disposition.PASS


def test_a_budget_of_tokens_stops_the_batch_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with FakeEndpoint(answer) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        few, budget = audited(chosen(endpoint, budget_tokens=30_000, at_once=2), runs(30), store)
        assert budget.used_up and 0 < len(few) < 30
        assert budget.spent.tokens <= 30_000
        for record in few:
            assert_no_failure_is_a_verdict(record)
        rest, _ = audited(chosen(endpoint), runs(30), store)
        assert len(rest) == 30 and not any(failed(record) for record in rest)
        assert max(asked(endpoint).values()) == 1


def test_a_budget_of_dollars_counts_the_price(tmp_path: Path) -> None:
    with FakeEndpoint(answer) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        price = Price(1.0, 10.0)
        records, budget = audited(chosen(endpoint, budget_usd=0.2, price=price, at_once=2), runs(30), store)
    assert budget.used_up and 0 < len(records) < 30
    assert 0 < budget.spent.microusd <= 200_000
    assert sum(answer.microusd or 0 for record in records for answer in record.answers) == budget.spent.microusd


def test_a_budget_of_dollars_without_a_price_is_refused() -> None:
    choice = ModelChoice("https://models.example/v1#x", "rules", budget_usd=1.0, call_seconds=1.0)
    with (
        pytest.raises(ChoiceError, match="--price"),
        model_batch(choice, Terms(DEFAULT, rehearse=True)),
    ):
        pass


def test_an_endpoint_that_stays_out_of_reach_ends_the_batch(tmp_path: Path) -> None:
    with FakeEndpoint(answer) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        few, _ = audited(chosen(endpoint), runs(1), store)
        assert len(few) == 1
        choice = chosen(endpoint, at_once=4, capabilities=known(tmp_path, endpoint))

        def gone(call: Call) -> Reply:
            return failure(404, "no such model")

        endpoint._script = gone  # pyright: ignore[reportPrivateUsage]
        asked_before = len(endpoint.calls)
        records, budget = audited(choice, runs(300), store)
        assert budget.stopped is Stopped.ENDPOINT
        assert len(records) < 100 and len(endpoint.calls) - asked_before < 100
        assert all(failed(record) for record in records[1:])
        endpoint._script = answer  # pyright: ignore[reportPrivateUsage]
        again, budget = audited(choice, runs(10), store, retry_failed=True)
        assert budget.stopped is None and not any(failed(record) for record in again)


def test_records_with_ballots_and_kept_answers_leave_a_store_and_come_back(tmp_path: Path) -> None:
    with FakeEndpoint(answer) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        records, _ = audited(chosen(endpoint), runs(3), store)
        export_jsonl(store, tmp_path / "out.jsonl")
        with open_store(str(tmp_path / "b.db")) as other:
            import_jsonl(other, tmp_path / "out.jsonl")
            assert [record.ballots for record in other.iter_records()] == [record.ballots for record in records]
            assert other.stats().answers == store.stats().answers > 0
            again, budget = audited(chosen(endpoint), runs(3), other, fresh=True)
    assert budget.spent.calls == 0
    assert [record.decision for record in again] == [record.decision for record in records]


def test_a_rehearsal_asks_nothing_and_tells_the_least_that_an_audit_costs() -> None:
    with FakeEndpoint(answer) as endpoint:
        with model_batch(chosen(endpoint), Terms(DEFAULT, rehearse=True)) as batch:
            assert len(list(batch.audit(runs(3)))) == 3
            foreseen = batch.auditor.foreseen
        assert endpoint.calls == []
        _, budget = audited(chosen(endpoint), runs(3))
    assert budget.spent.calls == foreseen.calls
    assert budget.spent.output_tokens <= foreseen.most_output_tokens


def test_a_rehearsal_takes_kept_answers_for_paid(tmp_path: Path) -> None:
    with FakeEndpoint(answer) as endpoint, open_store(str(tmp_path / "a.db")) as store:
        choice = chosen(endpoint, capabilities=known(tmp_path, endpoint))
        _, paid = audited(choice, runs(2), store)
        calls, kept = len(endpoint.calls), store.stats().answers
        with model_batch(choice, Terms(DEFAULT, store, rehearse=True)) as batch:
            assert len(list(batch.audit(runs(3)))) == 3
            foreseen = batch.auditor.foreseen
        assert (len(endpoint.calls), store.stats().answers) == (calls, kept)
        assert foreseen.kept == paid.spent.calls
        _, rest = audited(choice, runs(3), store)
        assert rest.spent.calls == foreseen.calls > 0


def test_python_is_told_what_ended_a_batch(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"r{number}.json").write_text(json.dumps(built(number).to_json()), encoding="utf-8")
    with FakeEndpoint(answer) as endpoint:
        few = tracewitness.audit(tmp_path, models=chosen(endpoint, budget_tokens=20_000, at_once=2))
        none = asyncio.run(tracewitness.audit_async(tmp_path, models=chosen(endpoint, budget_tokens=0)))
        every = tracewitness.audit(tmp_path, models=chosen(endpoint))
    assert 0 < len(few) < 12 and few.stopped is Stopped.BUDGET
    assert none.stopped is Stopped.BUDGET
    assert len(every) == 12 and every.stopped is None


def test_recorded_answers_give_the_same_audit_without_an_endpoint(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"

    def script(call: Call) -> dict[str, Any] | Reply:
        if "draft-2" in call.text and not asks_for_claim(call):
            return completion(None, call, refusal="No.")
        return answer(call, "NO" if "draft-1" in call.text else "YES")

    with FakeEndpoint(script) as endpoint:
        first, _ = audited(chosen(endpoint, record=file), runs(3))
        choice = chosen(endpoint, replay=file)
    again, budget = audited(choice, runs(3))
    assert [record.decision for record in again] == [record.decision for record in first]
    assert [record.makers for record in again] == [record.makers for record in first]
    assert budget.spent.calls == 0
    other, _ = audited(choice, [built(9).build()])
    assert other[0].trace is not None and other[0].trace.unavailable is UnavailableCause.NOT_RECORDED


def test_token_probabilities_settle_a_label_in_one_pass() -> None:
    def script(call: Call) -> Reply:
        value = smallest(call.schema or {}) if not is_question(call) else answer(call)
        text = json.dumps(value)
        logprobs = [_entry(piece) for piece in _pieces(text) if piece]
        return completion(text, call, logprobs=logprobs if call.body.get("logprobs") else None)

    with FakeEndpoint(script) as endpoint:
        choice = chosen(endpoint, vote=VoteKind.LOGITS, logit_threshold=0.75)
        (record,), budget = audited(choice, runs(1))
    assert budget.spent.calls == 2
    shares = {note.ballots.subject: note.ballots.probabilities for note in record.ballots}
    assert {share.label: share.share for share in shares["action"]} == pytest.approx(
        {"YES": 0.8, "NO": 0.2, "UNKNOWN": 0.0}
    )
    assert record.decision is not None and record.decision.trace_state is TraceState.COMPLETED
    with FakeEndpoint(script) as endpoint:
        (record,), _ = audited(chosen(endpoint, vote=VoteKind.LOGITS, logit_threshold=0.9), runs(1))
    assert record.decision is not None and record.decision.trace_state is TraceState.UNKNOWN


def test_a_model_without_token_probabilities_cannot_settle_by_them() -> None:
    with (
        FakeEndpoint(answer) as endpoint,
        pytest.raises(ChoiceError, match="no token probabilities"),
        model_batch(chosen(endpoint, vote=VoteKind.LOGITS), Terms(DEFAULT)),
    ):
        pass


def _pieces(text: str) -> list[str]:
    return re.split(r'(?<=")(?=YES|NO|UNKNOWN|SUCCESS)|(?<=YES|ESS)(?=")', text)


def _entry(piece: str) -> dict[str, Any]:
    top = [{"token": piece, "logprob": -0.2231435513, "bytes": None}]
    if piece == "YES":
        top.append({"token": "NO", "logprob": -1.6094379124, "bytes": None})
    return {"token": piece, "logprob": -0.2231435513, "bytes": None, "top_logprobs": top}


def test_a_batch_that_is_killed_in_the_middle_of_a_vote_goes_on_without_paying_twice(tmp_path: Path) -> None:
    logs = tmp_path / "runs.jsonl"
    logs.write_text("".join(json.dumps(built(n).to_json()) + "\n" for n in range(12)), encoding="utf-8")
    with FakeEndpoint(answer, latency=0.15) as endpoint:
        command = [
            *(sys.executable, "-m", "tracewitness", "audit", str(logs), "--store", str(tmp_path / "a.db")),
            *("--model", f"{endpoint.url}#fake", "--extractor", "model", "--at-once", "2", "--quiet"),
        ]
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        started = subprocess.Popen(command, env=environment)
        _until(lambda: sum(asked(endpoint).values()) >= 10)
        started.send_signal(signal.SIGKILL)
        started.wait(30)
        ended = subprocess.run(command, env=environment, check=False)
        repeats = sum(count - 1 for count in asked(endpoint).values())
    assert ended.returncode == 0
    # What was under way when the process was killed is lost; at most as much as goes to an endpoint at once.
    assert repeats <= 2
    with open_store(str(tmp_path / "a.db")) as store:
        records = list(store.iter_records())
    assert len({record.run_id for record in records}) == len(records) == 12


def _until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"runs": 0}, "runs: expected 1 to 9"),
        ({"runs": 10}, "runs: expected 1 to 9"),
        ({"logit_threshold": 0.4}, "expected 0.5 to 1"),
        ({"extractor": ExtractorKind.BOTH}, "needs a model that reads traces"),
        ({"extractor": "all"}, "extractor: expected rules or model or both, found 'all'"),
        ({"vote": "logit"}, "vote: expected majority or logits, found 'logit'"),
        ({"temperature": -1}, "temperature: expected 0 to 2, found -1"),
        ({"temperature": math.nan}, "temperature: expected 0 to 2, found nan"),
        ({"window_tokens": 299}, "window tokens: expected 300 or more"),
        ({"images": -1}, "images: expected 0 or more"),
        ({"at_once": 0}, "at once: expected 1 or more"),
        ({"call_seconds": 0}, "call seconds: expected 1 or more"),
        ({"budget_tokens": -1}, "budget in tokens: expected 0 or more"),
        ({"budget_usd": math.inf}, "budget in dollars: expected 0 or more, found inf"),
        ({"record": Path("a.jsonl")}, "come from a model"),
        ({"replay": Path("a.jsonl")}, "come from a model"),
        ({"report": "vllm:x", "record": Path("a"), "replay": Path("b")}, "either recorded .* or played back"),
        ({"admit_narration": True}, "needs a model that reads traces"),
        ({"report": "vllm:x", "admit_narration": True}, "needs a model that reads traces"),
        ({"report": "vllm:x", "trace": "vllm:x", "extractor": "rules", "admit_narration": True}, "reads traces"),
    ],
)
def test_a_choice_that_cannot_be_met_is_refused_in_one_line(choice: dict[str, Any], problem: str) -> None:
    with pytest.raises(ChoiceError, match=problem):
        ModelChoice(**choice)


def test_a_choice_takes_plain_words_and_paths() -> None:
    words: dict[str, Any] = {"extractor": "model", "vote": "logits", "record": "a.jsonl", "capabilities": "m.json"}
    choice = ModelChoice("vllm:x", "vllm:x", **words)
    assert (choice.extractor, choice.vote) == (ExtractorKind.MODEL, VoteKind.LOGITS)
    assert (choice.record, choice.capabilities) == (Path("a.jsonl"), Path("m.json"))


def test_answers_of_one_model_are_not_played_back_as_those_of_another(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    with FakeEndpoint(answer) as endpoint:
        audited(chosen(endpoint, record=file), runs(1))
        url = endpoint.url
    for name, problem in (("openai:gpt-4.1", "are those of"), (f"{url}#other", "are those of"), (url, None)):
        choice = ModelChoice(name, name, extractor=ExtractorKind.MODEL, window_tokens=800, replay=file)
        if problem is None:
            assert len(audited(choice, runs(1))[0]) == 1
            continue
        with pytest.raises(ChoiceError, match=problem):
            audited(choice, runs(1))


def test_answers_of_one_side_alone_are_not_played_back_for_both(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    with FakeEndpoint(answer) as endpoint:
        name = f"{endpoint.url}#fake"
        audited(ModelChoice(report=name, record=file), runs(1))
    with pytest.raises(ChoiceError, match="no model that reads traces"):
        audited(ModelChoice(name, name, replay=file), runs(1))
    assert len(audited(ModelChoice(report=name, replay=file), runs(1))[0]) == 1


def test_a_rehearsal_writes_no_file_of_answers(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    choice = ModelChoice("vllm:x", "vllm:x", record=file)
    with model_batch(choice, Terms(DEFAULT, rehearse=True)) as batch:
        assert len(list(batch.audit(runs(1)))) == 1
    assert not file.exists()
