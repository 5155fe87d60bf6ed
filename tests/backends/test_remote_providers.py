"""Anthropic and Google: what is sent to them, and what is made of their replies."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from asking_remote import GOOD, OPTIONS, SCHEMA, ask, named, question
from fake_endpoint import Call, FakeEndpoint, Reply, Script
from fake_providers import (
    anthropic,
    anthropic_failure,
    anthropic_message,
    google,
    google_content,
    google_failure,
)

from tracewitness.asking.capabilities import AnswerForm
from tracewitness.asking.port import Answer, Picture, Unavailable
from tracewitness.backends.naming import Provider
from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import digest_bytes

_CLAUDE = (Provider.ANTHROPIC, "claude-haiku-4-5", anthropic)
_GEMINI = (Provider.GOOGLE, "gemini-2.5-flash", google)
_PICTURE = Picture(digest_bytes(b"one"), "image/png", b"one", "step 1, after")


def _said(text: str) -> Script:
    def script(call: Call) -> Reply:
        if "generateContent" in call.path:
            return google_content({"text": text})
        return anthropic_message({"type": "text", "text": text})

    return script


@pytest.mark.parametrize(("provider", "model", "script"), [_CLAUDE, _GEMINI])
@pytest.mark.parametrize("form", [AnswerForm.JSON_SCHEMA, AnswerForm.TOOL_CALL])
def test_a_form_that_the_provider_enforces(provider: Provider, model: str, script: Script, form: AnswerForm) -> None:
    with FakeEndpoint(script) as fake:
        reply = ask(named(fake.root, provider, model), form=form, key="test-key")
    assert isinstance(reply, Answer), reply
    assert reply.value == GOOD
    assert json.loads(reply.raw) == GOOD
    assert (reply.input_tokens, reply.output_tokens) == (11, 7)
    assert reply.model == f"{provider}:{model}"


@pytest.mark.parametrize(("provider", "model"), [_CLAUDE[:2], _GEMINI[:2]])
@pytest.mark.parametrize("form", [AnswerForm.JSON_OBJECT, AnswerForm.PLAIN_TEXT])
def test_a_form_told_in_words(provider: Provider, model: str, form: AnswerForm) -> None:
    with FakeEndpoint(_said(f"Sure: {json.dumps(GOOD)}")) as fake:
        reply = ask(named(fake.root, provider, model), form=form, key="test-key")
    assert isinstance(reply, Answer), reply
    assert json.dumps(SCHEMA)[1:-1] in json.dumps(fake.calls[0].body)


def test_what_anthropic_is_sent() -> None:
    options = replace(OPTIONS, thinking=True)
    with FakeEndpoint(anthropic) as fake:
        ask(
            named(fake.root, *_CLAUDE[:2]),
            question(run_number=3, pictures=(_PICTURE,), answer_tokens=100),
            options=options,
            key="test-key",
        )
    call = fake.calls[0]
    assert (call.path.partition("?")[0], call.headers["authorization"]) == ("/v1/messages", "Bearer test-key")
    assert call.body["thinking"] == {"type": "enabled", "budget_tokens": 4000}
    assert call.body["max_tokens"] == 4100
    assert not {"temperature", "seed"} & set(call.body)
    content: list[dict[str, Any]] = call.body["messages"][0]["content"]
    assert [part.get("text", part["type"]) for part in content] == ["The report.", "step 1, after", "image"]


def test_what_google_is_sent() -> None:
    options = replace(OPTIONS, thinking=False)
    with FakeEndpoint(google) as fake:
        ask(
            named(fake.root, *_GEMINI[:2]),
            question(run_number=3, pictures=(_PICTURE,), answer_tokens=100),
            options=options,
            key="test-key",
        )
    call = fake.calls[0]
    assert call.path == "/v1beta/models/gemini-2.5-flash:generateContent"
    assert call.headers["x-goog-api-key"] == "test-key"
    config = call.body["generationConfig"]
    assert (config["seed"], config["temperature"], config["maxOutputTokens"]) == (3, 0.7, 100)
    assert config["thinkingConfig"] == {"thinking_budget": 0}
    parts: list[dict[str, Any]] = call.body["contents"][0]["parts"]
    assert [part.get("text", "picture") for part in parts] == ["The report.", "step 1, after", "picture"]


def test_claudes_thoughts_are_not_the_answer() -> None:
    def script(call: Call) -> Reply:
        reply = anthropic(call)
        body: Any = reply.body
        thought = {"type": "thinking", "thinking": '{"claim": "UNCLEAR"}', "signature": "s"}
        return replace(reply, body={**body, "content": [thought, *body["content"]]})

    with FakeEndpoint(script) as fake:
        reply = ask(named(fake.root, *_CLAUDE[:2]), key="test-key")
    assert isinstance(reply, Answer), reply
    assert reply.value == GOOD


def test_geminis_thoughts_are_not_the_answer() -> None:
    def script(call: Call) -> Reply:
        reply = google(call)
        body: Any = reply.body
        body["candidates"][0]["content"]["parts"].insert(0, {"text": '{"claim": "UNCLEAR"}', "thought": True})
        return reply

    with FakeEndpoint(script) as fake:
        reply = ask(named(fake.root, *_GEMINI[:2]), key="test-key")
    assert isinstance(reply, Answer), reply
    assert reply.value == GOOD


@pytest.mark.parametrize(
    ("provider", "sent", "cause", "calls"),
    [
        (_CLAUDE, anthropic_message(None, "refusal"), UnavailableCause.REFUSED, 1),
        (_CLAUDE, anthropic_message({"type": "text", "text": '{"cl'}, "max_tokens"), UnavailableCause.ANSWER_CUT, 1),
        (
            _CLAUDE,
            anthropic_failure(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
            UnavailableCause.CONTEXT_OVERFLOW,
            1,
        ),
        (
            _CLAUDE,
            anthropic_failure(413, "request_too_large", "Request exceeds the maximum size"),
            UnavailableCause.CONTEXT_OVERFLOW,
            1,
        ),
        (_CLAUDE, anthropic_failure(401, "authentication_error", "invalid x-api-key"), UnavailableCause.REJECTED, 1),
        (_CLAUDE, anthropic_failure(429, "rate_limit_error", "slow down"), UnavailableCause.RATE_LIMITED, 4),
        (_CLAUDE, anthropic_failure(529, "overloaded_error", "Overloaded"), UnavailableCause.TRANSPORT, 4),
        (_CLAUDE, anthropic_failure(500, "api_error", "broken"), UnavailableCause.TRANSPORT, 4),
        (_GEMINI, google_content(None, "SAFETY"), UnavailableCause.REFUSED, 1),
        (_GEMINI, google_content({"text": '{"cl'}, "MAX_TOKENS"), UnavailableCause.ANSWER_CUT, 1),
        (_GEMINI, Reply({"promptFeedback": {"blockReason": "SAFETY"}}), UnavailableCause.REFUSED, 1),
        (
            _GEMINI,
            google_failure(
                400,
                "INVALID_ARGUMENT",
                "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
            ),
            UnavailableCause.CONTEXT_OVERFLOW,
            1,
        ),
        (_GEMINI, google_failure(400, "INVALID_ARGUMENT", "Unknown name"), UnavailableCause.INTERNAL, 1),
        (_GEMINI, google_failure(429, "RESOURCE_EXHAUSTED", "slow down"), UnavailableCause.RATE_LIMITED, 4),
        (_GEMINI, google_failure(503, "UNAVAILABLE", "The model is overloaded."), UnavailableCause.TRANSPORT, 4),
        (_GEMINI, Reply(b"<html>"), UnavailableCause.TRANSPORT, 4),
    ],
)
def test_what_is_made_of_a_failure(
    provider: tuple[Provider, str, Callable[[Call], Reply]], sent: Reply, cause: UnavailableCause, calls: int
) -> None:
    with FakeEndpoint(lambda call: sent) as fake:
        reply = ask(named(fake.root, *provider[:2]), key="test-key")
    assert isinstance(reply, Unavailable)
    assert reply.cause is cause, reply.detail
    # Neither library tries again by itself.
    assert len(fake.calls) == calls
