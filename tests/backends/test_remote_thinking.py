"""Thinking, token probabilities, pictures, costs: what goes along with an answer."""

import json
from dataclasses import replace
from typing import Any

import pytest
from asking_remote import GOOD, OPTIONS, ask, named, question
from fake_endpoint import Call, FakeEndpoint, Reply, completion, token_entries
from pydantic_ai.messages import ModelResponse
from pydantic_ai.usage import RequestUsage

from tracewitness.asking.budget import Price
from tracewitness.asking.capabilities import AnswerForm
from tracewitness.asking.port import Answer, Picture, Unavailable
from tracewitness.backends.naming import Provider
from tracewitness.backends.replies import cost_of
from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import digest_bytes

_RAW = json.dumps(GOOD)
_OTHER = '{"claim": "UNCLEAR"}'


@pytest.mark.parametrize(
    "sent",
    [
        completion(_RAW, reasoning_content=_OTHER),
        completion(_RAW, reasoning=_OTHER),
        completion(f"<think>{_OTHER}</think>\n{_RAW}"),
        completion(f"<thinking>{_OTHER}</thinking>\n{_RAW}"),
        completion(f"{_OTHER} is wrong</think>\n{_RAW}"),
    ],
    ids=["reasoning_content", "reasoning", "think", "thinking", "no opening tag"],
)
def test_thoughts_are_never_the_answer(sent: Reply) -> None:
    with FakeEndpoint(lambda call: sent) as fake:
        reply = ask(fake.url)
    assert isinstance(reply, Answer)
    assert reply.value == GOOD
    assert "UNCLEAR" not in reply.raw


@pytest.mark.parametrize(
    "sent",
    [
        completion(f"<think>{_RAW}"),
        completion(f"<think>{_RAW}", finish_reason="length"),
        completion("", reasoning_content=_RAW),
        completion(None, reasoning_content=_RAW, finish_reason="length"),
    ],
)
def test_thoughts_without_an_answer_are_none(sent: Reply) -> None:
    with FakeEndpoint(lambda call: sent) as fake:
        reply = ask(fake.url)
    assert isinstance(reply, Unavailable)
    assert reply.cause in {UnavailableCause.UNPARSABLE, UnavailableCause.ANSWER_CUT}


@pytest.mark.parametrize(
    ("provider", "model", "thinking", "sent"),
    [
        (Provider.ENDPOINT, "qwen3", False, {"chat_template_kwargs": {"enable_thinking": False}, "max_tokens": 1500}),
        (Provider.VLLM, "qwen3", True, {"chat_template_kwargs": {"enable_thinking": True}, "max_tokens": 5500}),
        (Provider.QWEN, "qwen3-8b", False, {"enable_thinking": False, "max_tokens": 1500}),
        (Provider.OPENAI, "gpt-5-mini", False, {"reasoning_effort": "minimal", "max_completion_tokens": 5500}),
        (Provider.OPENAI, "gpt-5.1", False, {"reasoning_effort": "none", "temperature": 0.7}),
        (Provider.OPENAI, "gpt-5-mini", True, {"reasoning_effort": "medium"}),
        (Provider.OPENAI, "gpt-4.1", None, {"temperature": 0.7}),
        (Provider.OLLAMA, "qwen3", False, {"reasoning_effort": "none"}),
        (Provider.DEEPSEEK, "deepseek-flash", False, {"reasoning_effort": "none"}),
        (Provider.OPENROUTER, "qwen/qwen3-8b", False, {"reasoning": {"effort": "none"}}),
    ],
)
def test_thinking_is_switched_as_the_provider_wants_it(
    provider: Provider, model: str, thinking: bool | None, sent: dict[str, Any]
) -> None:
    with FakeEndpoint() as fake:
        reply = ask(named(fake.url, provider, model), options=replace(OPTIONS, thinking=thinking))
    assert isinstance(reply, Answer), reply
    body = fake.calls[0].body
    assert {key: body.get(key) for key in sent} == sent
    assert json.loads(reply.parameters)["temperature"] == body.get("temperature")


def test_a_model_that_thinks_by_itself_is_sent_no_temperature() -> None:
    with FakeEndpoint() as fake:
        reply = ask(named(fake.url, Provider.OPENAI, "gpt-5-mini"), question(logprobs=True), logprobs=True)
    assert isinstance(reply, Answer), reply
    assert not {"temperature", "logprobs", "top_logprobs"} & set(fake.calls[0].body)


def test_tokens_and_their_alternatives() -> None:
    pieces = ['{"', "claim", '": "', "SUCCESS", '"}']

    def script(call: Call) -> Reply:
        return completion("".join(pieces), call, logprobs=token_entries(pieces, {"UN": -2.5, "?": 0.1}))

    with FakeEndpoint(script) as fake:
        reply = ask(fake.url, question(logprobs=True), logprobs=True)
        ask(fake.url, question(), logprobs=True)
        ask(fake.url, question(logprobs=True))
    assert isinstance(reply, Answer)
    assert [token.text for token in reply.tokens] == pieces
    assert reply.tokens[3].alternatives == (("SUCCESS", -0.1), ("UN", -2.5), ("?", 0.0))
    assert (fake.calls[0].body["logprobs"], fake.calls[0].body["top_logprobs"]) == (True, 10)
    assert ["logprobs" in call.body for call in fake.calls] == [True, False, False]


def test_what_the_server_cut_off_is_cut_off_the_tokens() -> None:
    pieces = ["```json\n ", ' {"', 'claim": "SUCCESS', '"}\n', "```", ""]
    with FakeEndpoint(lambda call: completion(_RAW, logprobs=token_entries(pieces, {" [": -2.0}))) as fake:
        reply = ask(fake.url, question(logprobs=True), logprobs=True)
    assert isinstance(reply, Answer)
    assert [token.text for token in reply.tokens] == ['{"', 'claim": "SUCCESS', '"}']
    assert reply.tokens[0].alternatives == (('{"', -0.1), ("[", -2.0))
    assert reply.tokens[2].alternatives[0] == ('"}', -0.1)


def test_tokens_of_a_thought_are_left_out() -> None:
    pieces = ["<think>", "hm", "</think>", '{"claim": ', '"SUCCESS"}']
    with FakeEndpoint(lambda call: completion("".join(pieces), logprobs=token_entries(pieces))) as fake:
        reply = ask(fake.url, question(logprobs=True), logprobs=True)
    assert isinstance(reply, Answer)
    assert [token.text for token in reply.tokens] == pieces[3:]


@pytest.mark.parametrize("pieces", [["something", " else"], ['{"claim": ', '"UNCLEAR"}'], [_RAW[:-1]], []])
def test_tokens_of_another_text_are_left_out(pieces: list[str]) -> None:
    with FakeEndpoint(lambda call: completion(GOOD, logprobs=token_entries(pieces))) as fake:
        reply = ask(fake.url, question(logprobs=True), logprobs=True)
    assert isinstance(reply, Answer)
    assert reply.tokens == ()


def test_pictures_stand_behind_their_labels() -> None:
    pictures = tuple(
        Picture(digest_bytes(data), "image/png", data, label)
        for data, label in ((b"one", "step 1, after"), (b"two", ""), (b"three", "step 3, after"))
    )
    with FakeEndpoint() as fake:
        assert isinstance(ask(fake.url, question(pictures=pictures), images=True), Answer)
    content = fake.calls[0].body["messages"][1]["content"]
    assert [part.get("text", part["type"]) for part in content] == [
        "The report.",
        "step 1, after",
        "image_url",
        "image_url",
        "step 3, after",
        "image_url",
    ]
    assert content[2]["image_url"]["url"] == "data:image/png;base64,b25l"


def test_the_given_price_counts() -> None:
    with FakeEndpoint() as fake:
        reply = ask(fake.url, options=replace(OPTIONS, price=Price(2.0, 10.0)))
    assert reply.microusd == 2 * fake.billed[0] + 10 * fake.billed[1]


def test_both_turns_are_paid() -> None:
    with FakeEndpoint(lambda call: "no") as fake:
        reply = ask(fake.url, form=AnswerForm.PLAIN_TEXT, options=replace(OPTIONS, price=Price(1.0, 1.0)))
    assert reply.microusd == sum(fake.billed)


def test_the_listed_price_and_none() -> None:
    usage = RequestUsage(input_tokens=1_000_000, output_tokens=0)
    listed = ModelResponse(parts=[], usage=usage, model_name="gpt-4.1-mini", provider_name="openai")
    unlisted = ModelResponse(parts=[], usage=usage, model_name="mine", provider_name="endpoint")
    assert cost_of(listed, OPTIONS, free=False).microusd == 400_000
    assert cost_of(unlisted, OPTIONS, free=False).microusd is None
    assert cost_of(unlisted, OPTIONS, free=True).microusd == 0
