"""A key goes to its endpoint and nowhere else."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from asking_remote import OPTIONS, ask, named, question
from fake_endpoint import Call, FakeEndpoint, Reply, Script, completion, failure, obedient, tool_completion
from fake_providers import anthropic, anthropic_failure, google, google_failure

from tracewitness.asking.capabilities import AnswerForm
from tracewitness.asking.port import Answer, Unavailable
from tracewitness.backends.connecting import connect
from tracewitness.backends.listing import ProbeError
from tracewitness.backends.naming import Provider

_KEY = "hidden-0123456789-key"
_VARIABLES = {
    Provider.ENDPOINT: "TRACEWITNESS_API_KEY",
    Provider.OPENAI: "OPENAI_API_KEY",
    Provider.OPENROUTER: "OPENROUTER_API_KEY",
    Provider.DEEPSEEK: "DEEPSEEK_API_KEY",
    Provider.QWEN: "DASHSCOPE_API_KEY",
    Provider.ANTHROPIC: "ANTHROPIC_API_KEY",
    Provider.GOOGLE: "GOOGLE_API_KEY",
}
_MODELS = {
    Provider.OPENAI: "gpt-4.1",
    Provider.OPENROUTER: "openai/gpt-4.1",
    Provider.ANTHROPIC: "claude-haiku-4-5",
    Provider.GOOGLE: "gemini-2.5-flash",
}


def _telling(provider: Provider) -> Script:
    """Answer the first calls well, and the last with an error that repeats the key it was sent."""

    def script(call: Call) -> Reply:
        sent = " ".join(call.headers.values())
        assert _KEY in sent
        if "LAST" in json.dumps(call.body):
            match provider:
                case Provider.ANTHROPIC:
                    return anthropic_failure(401, "authentication_error", f"bad key {_KEY}: {sent}")
                case Provider.GOOGLE:
                    return google_failure(400, "INVALID_ARGUMENT", f"bad key {_KEY}: {sent}")
                case _:
                    return failure(401, f"Incorrect API key provided: {_KEY}. {sent}")
        match provider:
            case Provider.ANTHROPIC:
                return anthropic(call)
            case Provider.GOOGLE:
                return google(call)
            case _:
                return obedient(call)

    return script


@pytest.mark.parametrize("provider", list(_VARIABLES))
def test_a_key_shows_nowhere(provider: Provider, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.DEBUG)
    remembered = tmp_path / "models.json"

    async def run(url: str) -> list[str]:
        name = named(url, provider, _MODELS.get(provider, "fake"))
        environment = {_VARIABLES[provider]: _KEY}
        made = await connect(name, OPTIONS, remembered, environment=environment, probe_anew=True)
        try:
            good, bad = await made.asker.ask(question()), await made.asker.ask(question(user="LAST"))
            assert isinstance(good, Answer), good
            assert isinstance(bad, Unavailable)
            seen: list[Any] = [made, made.asker, made.asker.model, made.asker.parameters, vars(made.asker), good, bad]
            return [text for each in seen for text in (repr(each), str(each))]
        finally:
            await made.aclose()

    with FakeEndpoint(_telling(provider)) as fake:
        root = provider in {Provider.ANTHROPIC, Provider.GOOGLE}
        texts = asyncio.run(run(fake.root if root else fake.url))
    texts += [record.getMessage() + str(record.__dict__) for record in caplog.records]
    texts += [caplog.text, remembered.read_text(encoding="utf-8")]
    assert caplog.records
    assert not [text for text in texts if _KEY in text]


@pytest.mark.parametrize("form", [AnswerForm.JSON_SCHEMA, AnswerForm.TOOL_CALL, AnswerForm.PLAIN_TEXT])
def test_a_key_that_the_model_repeats_in_its_answer_is_masked(form: AnswerForm) -> None:
    def script(call: Call) -> Reply:
        told = {"claim": "SUCCESS", "note": f"Sent with {call.headers['authorization']}."}
        return tool_completion(told) if call.form == "tool_call" else completion(told, call)

    with FakeEndpoint(script) as fake:
        answer = ask(fake.url, form=form, key=_KEY)
        short = ask(fake.url, form=form, key="SUCCESS")
    assert isinstance(answer, Answer) and isinstance(short, Answer)
    assert answer.value == {"claim": "SUCCESS", "note": "Sent with Bearer [key]."}
    assert _KEY not in repr(answer)
    assert short.value["claim"] == "SUCCESS"


def test_a_key_shows_in_no_error(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        await connect(named(url), OPTIONS, tmp_path / "m.json", environment={"TRACEWITNESS_API_KEY": _KEY})

    with FakeEndpoint(lambda call: failure(401, f"Incorrect API key provided: {_KEY}")) as fake:
        with pytest.raises(ProbeError) as caught:
            asyncio.run(run(fake.url))
    error: BaseException | None = caught.value
    while error is not None:
        assert _KEY not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__
    assert not (tmp_path / "m.json").exists()


def test_no_key_is_sent_to_an_endpoint_of_another_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(variable, _KEY)

    async def run(url: str) -> None:
        made = await connect(named(url), OPTIONS)
        assert isinstance(await made.asker.ask(question()), Answer)
        await made.aclose()

    with FakeEndpoint() as fake:
        asyncio.run(run(fake.url))
    assert not [call for call in fake.calls if _KEY in str(call.headers)]
