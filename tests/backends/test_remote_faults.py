"""An endpoint that misbehaves: every failure is a cause, some are tried again, and nothing is paid twice unseen."""

import asyncio
import json
import socket
import time
from dataclasses import replace
from email.utils import formatdate

import pytest
from asking_remote import OPTIONS, QUICK, ask, named, question, with_asker
from fake_endpoint import Call, FakeEndpoint, Fault, Faults, Reply, Script, completion, failure, obedient

from tracewitness.asking.port import Answer, Unavailable
from tracewitness.backends.options import RetryPlan
from tracewitness.backends.remote import RemoteAsker
from tracewitness.findings.causes import UnavailableCause

_ONCE = replace(OPTIONS, retries=RetryPlan(attempts=1))


def _cause(reply: Answer | Unavailable) -> UnavailableCause:
    assert isinstance(reply, Unavailable)
    assert reply.detail.isprintable()
    assert len(reply.detail) <= 250
    return reply.cause


def _then(*replies: Reply) -> Script:
    left = list(replies)

    def script(call: Call) -> Reply:
        return left.pop(0) if left else obedient(call)

    return script


@pytest.mark.parametrize(
    "first",
    [
        failure(500),
        failure(502),
        failure(408),
        failure(409),
        failure(429, headers={"Retry-After": "0"}),
        failure(503),
        failure(529),
        replace(completion({"claim": "SUCCESS"}), half=True),
        Reply(b"<html>bad gateway</html>"),
        Reply({"object": "chat.completion"}),
        Reply({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}),
    ],
)
def test_a_passing_failure_is_tried_again(first: Reply) -> None:
    with FakeEndpoint(_then(first)) as fake:
        assert isinstance(ask(fake.url), Answer)
    assert len(fake.calls) == 2


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (Fault.RATE_LIMIT, UnavailableCause.RATE_LIMITED),
        (Fault.SERVER_ERROR, UnavailableCause.TRANSPORT),
        (Fault.OVERLOADED, UnavailableCause.TRANSPORT),
        (Fault.HALF, UnavailableCause.TRANSPORT),
        (Fault.NO_JSON, UnavailableCause.TRANSPORT),
    ],
)
def test_a_lasting_failure_ends_after_so_many_calls(kind: Fault, cause: UnavailableCause) -> None:
    with FakeEndpoint(faults=Faults(1.0, (kind,))) as fake:
        assert _cause(ask(fake.url)) is cause
    assert len(fake.calls) == QUICK.attempts


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (Fault.REFUSAL, UnavailableCause.REFUSED),
        (Fault.CHATTER, UnavailableCause.UNPARSABLE),
        (Fault.WRONG_SCHEMA, UnavailableCause.SCHEMA_VIOLATION),
    ],
)
def test_a_useless_answer_is_paid_once(kind: Fault, cause: UnavailableCause) -> None:
    with FakeEndpoint(faults=Faults(1.0, (kind,))) as fake:
        reply = ask(fake.url)
    assert _cause(reply) is cause
    assert (reply.input_tokens, reply.output_tokens) == fake.billed
    assert len(fake.calls) == 1


@pytest.mark.parametrize(
    ("sent", "cause"),
    [
        (failure(401, "bad key"), UnavailableCause.REJECTED),
        (failure(403, "not allowed"), UnavailableCause.REJECTED),
        (failure(404, "no such model"), UnavailableCause.REJECTED),
        (failure(404, "No endpoints found that support image input"), UnavailableCause.INTERNAL),
        (failure(400, "unknown field"), UnavailableCause.INTERNAL),
        (failure(501, "not implemented"), UnavailableCause.INTERNAL),
        (failure(500, "image input is not supported"), UnavailableCause.INTERNAL),
        (failure(402, "pay first"), UnavailableCause.RATE_LIMITED),
        (failure(429, "pay first", code="insufficient_quota"), UnavailableCause.RATE_LIMITED),
        (failure(400, "flagged", code="content_policy_violation"), UnavailableCause.REFUSED),
        (failure(429, "wait", {"Retry-After": "3600"}), UnavailableCause.RATE_LIMITED),
    ],
)
def test_what_cannot_pass_is_not_tried_again(sent: Reply, cause: UnavailableCause) -> None:
    with FakeEndpoint(lambda call: sent) as fake:
        assert _cause(ask(fake.url)) is cause
    assert len(fake.calls) == 1


@pytest.mark.parametrize(
    "sent",
    [
        failure(400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."),
        failure(400, "too long", code="context_length_exceeded"),
        failure(
            400,
            "the request exceeds the available context size, try increasing it",
            type="exceed_context_size_error",
            n_prompt_tokens=9000,
        ),
        failure(400, "The decoder prompt (length 9000) is longer than the maximum model length of 8192."),
        failure(413, "Payload Too Large"),
        failure(400, "prompt is too long: 210000 tokens > 200000 maximum"),
        failure(400, "The input token count (9) exceeds the maximum number of tokens allowed (8)."),
        Reply({"object": "error", "message": "maximum context length is 8 tokens", "code": 400}, 400),
        Reply({"detail": "Input is too long for the context window"}, 422),
    ],
)
def test_a_question_too_long_for_the_model(sent: Reply) -> None:
    with FakeEndpoint(lambda call: sent) as fake:
        assert _cause(ask(fake.url)) is UnavailableCause.CONTEXT_OVERFLOW
    assert len(fake.calls) == 1


def test_a_call_has_its_time() -> None:
    started = time.monotonic()
    with FakeEndpoint(faults=Faults(1.0, (Fault.HANG,))) as fake:
        reply = ask(fake.url, options=replace(OPTIONS, timeout=0.3))
    assert _cause(reply) is UnavailableCause.TIMEOUT
    assert time.monotonic() - started < 3
    assert len(fake.calls) == 1


def test_nobody_listens() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        reply = ask(f"http://127.0.0.1:{held.getsockname()[1]}/v1")
    assert _cause(reply) is UnavailableCause.TRANSPORT
    assert reply.microusd == 0


def test_cancelling_passes_through_and_frees_the_place() -> None:
    async def use(asker: RemoteAsker) -> Answer | Unavailable:
        task = asyncio.create_task(asker.ask(question()))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asker.ask(question())

    with FakeEndpoint(_then(Reply(hang=True))) as fake:
        reply = with_asker(named(fake.url), use, options=replace(OPTIONS, concurrency=1))
    assert isinstance(reply, Answer)


def test_the_endpoint_is_left_alone_for_as_long_as_it_asks() -> None:
    times: list[float] = []

    def script(call: Call) -> Reply:
        times.append(time.monotonic())
        return failure(429, headers={"Retry-After": "1"}) if len(times) == 1 else obedient(call)

    async def use(asker: RemoteAsker) -> list[Answer | Unavailable]:
        first = asyncio.create_task(asker.ask(question()))
        await asyncio.sleep(0.2)
        return [await asker.ask(question(user="Another.")), await first]

    with FakeEndpoint(script) as fake:
        replies = with_asker(named(fake.url), use)
    assert all(isinstance(reply, Answer) for reply in replies)
    assert min(times[1:]) - times[0] >= 0.95


def test_a_date_to_wait_for() -> None:
    with FakeEndpoint(_then(failure(503, headers={"Retry-After": formatdate(time.time() + 1.5, usegmt=True)}))) as fake:
        assert isinstance(ask(fake.url), Answer)


def test_all_time_for_retries_is_bounded() -> None:
    plan = RetryPlan(attempts=1000, first_wait=0.2, longest_wait=0.2, total=0.6)
    started = time.monotonic()
    with FakeEndpoint(faults=Faults(1.0, (Fault.SERVER_ERROR,))) as fake:
        ask(fake.url, options=replace(OPTIONS, retries=plan))
    assert time.monotonic() - started < 3
    assert len(fake.calls) > 1


def test_every_question_of_a_faulty_endpoint_gets_a_reply_and_every_paid_token_is_told() -> None:
    kinds = tuple(kind for kind in Fault if kind is not Fault.HANG)

    async def use(asker: RemoteAsker) -> list[Answer | Unavailable]:
        return list(await asyncio.gather(*(asker.ask(question(run_number=number)) for number in range(120))))

    with FakeEndpoint(faults=Faults(0.4, kinds, seed=7)) as fake:
        replies = with_asker(named(fake.url), use)
    assert all(isinstance(reply, Answer | Unavailable) for reply in replies)
    answered = [reply for reply in replies if isinstance(reply, Answer)]
    useless = [fault for fault in fake.faults if fault in {Fault.CHATTER, Fault.WRONG_SCHEMA, Fault.REFUSAL}]
    gone = [fault for fault in fake.faults if fault is None]
    assert len(answered) == len(gone)
    paid = [r for r in replies if isinstance(r, Unavailable) and r.cause is not UnavailableCause.TRANSPORT]
    assert len([r for r in paid if r.cause is not UnavailableCause.RATE_LIMITED]) == len(useless)
    # Half a response and a body that is no JSON may be billed by a real server; no client can tell.
    assert (sum(r.input_tokens for r in replies), sum(r.output_tokens for r in replies)) == fake.billed


def test_faults_are_the_same_for_a_seed() -> None:
    one, two = Faults(0.5, tuple(Fault), 3).chooser(), Faults(0.5, tuple(Fault), 3).chooser()
    assert [one() for _ in range(50)] == [two() for _ in range(50)]


def test_a_reply_that_quotes_the_question_stays_out_of_the_detail() -> None:
    with FakeEndpoint(lambda call: json.dumps({"claim": call.text})) as fake:
        reply = ask(fake.url, question(user="words of the run"), options=_ONCE)
    assert _cause(reply) is UnavailableCause.SCHEMA_VIOLATION
    assert isinstance(reply, Unavailable)
    assert "words" not in reply.detail
