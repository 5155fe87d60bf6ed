"""The forms of answer, each against an endpoint that speaks the OpenAI protocol."""

import json

from asking_remote import GOOD, SCHEMA, ask, question
from fake_endpoint import Call, FakeEndpoint, Reply, completion, obedient, tool_completion

from tracewitness.asking.capabilities import AnswerForm
from tracewitness.asking.port import Answer, Unavailable
from tracewitness.findings.causes import UnavailableCause


def test_native_structured_output() -> None:
    with FakeEndpoint() as fake:
        reply = ask(fake.url, question(run_number=3, answer_tokens=77))
    assert isinstance(reply, Answer)
    assert (reply.value, reply.raw, reply.microusd) == (GOOD, json.dumps(GOOD), 0)
    assert (reply.input_tokens, reply.output_tokens) == fake.billed
    assert reply.seconds > 0
    body = fake.calls[0].body
    assert (body["seed"], body["max_tokens"], body["temperature"]) == (3, 77 + 4000, 0.7)
    assert fake.calls[0].form == "json_schema"
    assert "JSON Schema" not in fake.calls[0].text


def test_an_enumeration_says_that_it_holds_texts() -> None:
    with FakeEndpoint() as fake:
        ask(fake.url)
    assert fake.calls[0].schema is not None
    assert fake.calls[0].schema["properties"]["claim"] == {"enum": ["SUCCESS", "UNCLEAR"], "type": "string"}


def test_json_object_with_the_schema_beside_it() -> None:
    with FakeEndpoint() as fake:
        reply = ask(fake.url, form=AnswerForm.JSON_OBJECT)
    assert isinstance(reply, Answer)
    assert fake.calls[0].body["response_format"]["type"] == "json_object"
    assert fake.calls[0].schema is not None
    assert SCHEMA in fake.calls[0].text


def test_tool_call() -> None:
    with FakeEndpoint() as fake:
        reply = ask(fake.url, form=AnswerForm.TOOL_CALL)
    assert isinstance(reply, Answer)
    assert reply.value == GOOD
    assert json.loads(reply.raw) == GOOD
    assert fake.calls[0].body["tool_choice"] in ("required", {"type": "function", "function": {"name": "answer"}})


def test_a_model_that_answers_in_words_instead_of_calling_the_tool() -> None:
    with FakeEndpoint(lambda call: json.dumps(GOOD)) as fake:
        reply = ask(fake.url, form=AnswerForm.TOOL_CALL)
    assert isinstance(reply, Answer)


def test_broken_arguments_of_a_tool_are_unparsable() -> None:
    with FakeEndpoint(lambda call: tool_completion('{"claim": ')) as fake:
        reply = ask(fake.url, form=AnswerForm.TOOL_CALL)
    assert isinstance(reply, Unavailable)
    assert reply.cause is UnavailableCause.UNPARSABLE


def test_plain_text_is_put_right_in_one_more_turn() -> None:
    def script(call: Call) -> Reply:
        return completion("It was a success." if len(call.body["messages"]) == 2 else GOOD, call)

    with FakeEndpoint(script) as fake:
        reply = ask(fake.url, form=AnswerForm.PLAIN_TEXT)
    assert isinstance(reply, Answer)
    assert reply.raw == json.dumps(GOOD)
    assert (reply.input_tokens, reply.output_tokens) == fake.billed
    roles = [message["role"] for message in fake.calls[1].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "holds no JSON object" in fake.calls[1].text


def test_plain_text_is_put_right_once_only() -> None:
    with FakeEndpoint(lambda call: {"claim": "MAYBE"}) as fake:
        reply = ask(fake.url, form=AnswerForm.PLAIN_TEXT)
    assert isinstance(reply, Unavailable)
    assert reply.cause is UnavailableCause.SCHEMA_VIOLATION
    assert (reply.input_tokens, reply.output_tokens) == fake.billed
    assert len(fake.calls) == 2
    assert "MAYBE" not in reply.detail


def test_the_other_forms_have_no_second_turn() -> None:
    with FakeEndpoint(lambda call: "no") as fake:
        reply = ask(fake.url)
    assert isinstance(reply, Unavailable)
    assert reply.cause is UnavailableCause.UNPARSABLE
    assert len(fake.calls) == 1
    assert reply.output_tokens == fake.billed[1]


def test_a_cut_answer_a_refusal_and_a_filter() -> None:
    cases = [
        (completion('{"claim": "SUC', finish_reason="length"), UnavailableCause.ANSWER_CUT),
        (completion(None, refusal="No."), UnavailableCause.REFUSED),
        (completion("", finish_reason="content_filter"), UnavailableCause.REFUSED),
        (completion("", finish_reason="refusal"), UnavailableCause.REFUSED),
        (completion(""), UnavailableCause.UNPARSABLE),
    ]
    for sent, cause in cases:
        with FakeEndpoint(lambda call, sent=sent: sent) as fake:
            reply = ask(fake.url)
        assert isinstance(reply, Unavailable)
        assert reply.cause is cause
        assert len(fake.calls) == 1


def test_an_answer_that_parses_is_taken_though_the_limit_was_reached() -> None:
    with FakeEndpoint(lambda call: completion(GOOD, finish_reason="length")) as fake:
        assert isinstance(ask(fake.url), Answer)


def test_the_same_question_is_the_same_request() -> None:
    with FakeEndpoint(obedient) as fake:
        ask(fake.url, question(run_number=1))
        ask(fake.url, question(run_number=1))
        ask(fake.url, question(run_number=2))
    bodies = [call.body for call in fake.calls]
    assert bodies[0] == bodies[1] != bodies[2]
