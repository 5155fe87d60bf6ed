"""A real server of a tiny model: what the protocol's stand-ins in other tests assume holds there too."""

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

from asking_remote import OPTIONS, SCHEMA, ask, named, question

from real_server import CONTEXT, RealServer
from tracewitness.asking.capabilities import AnswerForm
from tracewitness.asking.port import Answer, Question, Unavailable
from tracewitness.backends.connecting import connect
from tracewitness.backends.naming import parse_model_name
from tracewitness.findings.causes import UnavailableCause

_OPTIONS = replace(OPTIONS, timeout=120.0, thinking=False)


def _ask(server: RealServer, asked: Question, form: AnswerForm) -> Answer | Unavailable:
    return ask(named(server.url), asked, form, _OPTIONS, logprobs=True)


def test_it_is_connected_and_remembered(real_server: RealServer, tmp_path: Path) -> None:
    async def run() -> None:
        made = await connect(parse_model_name(real_server.url), _OPTIONS, tmp_path / "m.json")
        try:
            replies = await asyncio.gather(*(made.asker.ask(question(run_number=n)) for n in range(4)))
        finally:
            await made.aclose()
        assert all(isinstance(reply, Answer) for reply in replies), replies
        assert made.capabilities.form is AnswerForm.JSON_SCHEMA
        assert made.capabilities.logprobs
        assert not made.capabilities.images
        assert made.capabilities.context_tokens == CONTEXT

    asyncio.run(run())


def test_both_enforced_forms(real_server: RealServer) -> None:
    for form in (AnswerForm.JSON_SCHEMA, AnswerForm.JSON_OBJECT):
        reply = _ask(real_server, question(answer_tokens=300), form)
        assert isinstance(reply, Answer), reply
        assert json.loads(reply.raw) == reply.value
        assert (reply.microusd, reply.input_tokens > 0, reply.output_tokens > 0) == (0, True, True)


def test_the_tokens_join_up_to_the_answer(real_server: RealServer) -> None:
    reply = _ask(real_server, question(answer_tokens=300, logprobs=True), AnswerForm.JSON_SCHEMA)
    assert isinstance(reply, Answer), reply
    assert "".join(token.text for token in reply.tokens) == reply.raw
    for token in reply.tokens:
        assert token.text in dict(token.alternatives)
        assert all(logprob <= 0 for _, logprob in token.alternatives)


def test_a_run_number_repeats_its_answer(real_server: RealServer) -> None:
    first, again = (_ask(real_server, question(run_number=5, answer_tokens=300), AnswerForm.JSON_SCHEMA) for _ in "ab")
    assert isinstance(first, Answer)
    assert isinstance(again, Answer)
    assert first.raw == again.raw


def test_a_question_too_long_for_it(real_server: RealServer) -> None:
    reply = _ask(real_server, question(user="x " * 2 * CONTEXT), AnswerForm.JSON_SCHEMA)
    assert isinstance(reply, Unavailable)
    assert reply.cause is UnavailableCause.CONTEXT_OVERFLOW
    assert str(CONTEXT) in reply.detail


def test_an_answer_that_does_not_fit(real_server: RealServer) -> None:
    schema = SCHEMA.replace('"type":"string"', '"minLength":200,"type":"string"').replace(
        '"required":["claim"]', '"required":["claim","note"]'
    )
    reply = _ask(real_server, question(schema=schema, answer_tokens=5), AnswerForm.JSON_SCHEMA)
    assert isinstance(reply, Unavailable)
    assert reply.cause is UnavailableCause.ANSWER_CUT
    assert reply.output_tokens == 5


def test_it_runs_in_a_process_of_its_own(real_server: RealServer) -> None:
    assert real_server.pid != os.getpid()
