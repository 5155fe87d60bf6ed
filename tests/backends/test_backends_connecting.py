"""From a model's name to a model: what it can do, found out once and kept; connections that are shared and closed."""

import asyncio
import base64
import json
import subprocess
import sys
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from asking_remote import OPTIONS, named, question
from fake_endpoint import Call, FakeEndpoint, Fault, Faults, Script, completion, failure, smallest, token_entries
from fake_endpoint import Reply as Sent
from fake_providers import anthropic, google

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.dialogue import Dialogue, Reply, settle
from tracewitness.asking.port import Answer, Askers, Unavailable
from tracewitness.backends.connecting import Connected, connect
from tracewitness.backends.endpoints import open_endpoint
from tracewitness.backends.keys import MissingKeyError
from tracewitness.backends.listing import ProbeError
from tracewitness.backends.missing import MissingPackageError, needs_packages
from tracewitness.backends.naming import ModelName, Provider, UnknownModelError, parse_model_name
from tracewitness.backends.remembering import recall, remember

T = TypeVar("T")

_COLOURS = {(255, 0, 0): "red", (0, 160, 0): "green", (0, 0, 255): "blue", (255, 230, 0): "yellow"}


def _with(name: ModelName, use: Callable[[Connected], Awaitable[T]], **more: Any) -> T:
    async def run() -> T:
        made = await connect(name, OPTIONS, **more)
        try:
            return await use(made)
        finally:
            await made.aclose()

    return asyncio.run(run())


def _found(name: ModelName | str, **more: Any) -> Capabilities:
    async def use(made: Connected) -> Capabilities:
        return made.capabilities

    return _with(named(name) if isinstance(name, str) else name, use, **more)


_NO_PICTURES = failure(500, "image input is not supported - hint: you may need to provide the mmproj")


def _taking(*forms: str, logprobs: bool = False, images: bool = False, blind: Sent = _NO_PICTURES) -> Script:
    """Take some forms of answer, and refuse or pass over what is not among them."""

    def script(call: Call) -> Sent:
        if call.form != "plain_text" and call.form not in forms:
            return failure(400, f"{call.form} is not supported")
        if call.body.get("logprobs") and not logprobs:
            return failure(400, "logprobs are not supported")
        if _pictures(call) and not images:
            return blind
        return _told(call)

    return script


def _told(call: Call) -> Sent:
    schema: dict[str, Any] = call.schema or {}
    if call.form == "plain_text":
        if "JSON Schema" not in call.text:
            return completion("Hello!", call)
        schema = json.loads(call.text.split("and with nothing else:\n")[1].split("\n")[0])
    value = smallest(schema)
    if seen := _pictures(call):
        value = dict(zip(("first", "second"), seen, strict=True))
    if call.form == "tool_call":
        raw = json.dumps(value)
        tool = {"id": "c", "type": "function", "function": {"name": "answer", "arguments": raw}}
        return completion(None, call, tool_calls=[tool])
    raw = json.dumps(value)
    return completion(raw, call, **({"logprobs": token_entries([raw])} if call.body.get("logprobs") else {}))


def _pictures(call: Call) -> list[str]:
    """Return the colours of the pictures of a call."""
    content: Any = call.body["messages"][1]["content"]
    parts = cast("list[dict[str, Any]]", content if isinstance(content, list) else [])
    urls: list[str] = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [_colour(base64.b64decode(url.partition(",")[2])) for url in urls]


def _colour(png: bytes) -> str:
    size = int.from_bytes(png[33:37], "big")
    pixels = zlib.decompress(png[41 : 41 + size])
    return _COLOURS[(pixels[1], pixels[2], pixels[3])]


@pytest.mark.parametrize(
    ("forms", "taken"),
    [
        (("json_schema", "json_object", "tool_call"), AnswerForm.JSON_SCHEMA),
        (("json_object", "tool_call"), AnswerForm.JSON_OBJECT),
        (("tool_call",), AnswerForm.TOOL_CALL),
        ((), AnswerForm.PLAIN_TEXT),
    ],
)
def test_the_surest_form_that_is_taken(forms: tuple[str, ...], taken: AnswerForm) -> None:
    with FakeEndpoint(_taking(*forms)) as fake:
        found = _found(fake.url)
    assert (found.form, found.logprobs, found.images) == (taken, False, False)
    order = list(AnswerForm)
    assert [form for form, _ in found.refused] == order[: order.index(taken)]
    assert all("is not supported" in why for _, why in found.refused)


def test_all_that_a_model_can_do() -> None:
    with FakeEndpoint(_taking("json_schema", logprobs=True, images=True)) as fake:
        found = _found(fake.url)
    assert (found.logprobs, found.images, found.refused) == (True, True, ())
    assert len(fake.calls) == 3


@pytest.mark.parametrize("blind", [_NO_PICTURES, failure(404, "No endpoints found that support image input")])
def test_a_model_that_takes_no_pictures_is_of_use_however_that_is_said(blind: Sent) -> None:
    with FakeEndpoint(_taking("json_schema", blind=blind)) as fake:
        found = _found(fake.url)
    assert (found.form, found.images) == (AnswerForm.JSON_SCHEMA, False)


def test_a_form_that_is_passed_over_in_silence_is_not_taken() -> None:
    def script(call: Call) -> Sent:
        return completion("Hello, how are you?", call) if call.form == "json_schema" else _told(call)

    with FakeEndpoint(script) as fake:
        found = _found(fake.url)
    assert found.form is AnswerForm.JSON_OBJECT
    assert "unparsable" in found.refused[0][1]


def test_pictures_that_are_not_seen_are_not_taken() -> None:
    def script(call: Call) -> Sent:
        return completion(smallest(call.schema or {}), call)

    with FakeEndpoint(script) as fake:
        assert not _found(fake.url).images


def test_a_model_that_answers_in_no_form() -> None:
    with FakeEndpoint(lambda call: "no") as fake, pytest.raises(ProbeError, match="answers in no form"):
        _found(fake.url)


@pytest.mark.parametrize("kind", [Fault.SERVER_ERROR, Fault.HALF, Fault.RATE_LIMIT, Fault.NO_JSON])
def test_an_endpoint_that_fails_is_an_error_and_no_capability(kind: Fault, tmp_path: Path) -> None:
    with FakeEndpoint(faults=Faults(1.0, (kind,))) as fake, pytest.raises(ProbeError):
        _found(fake.url, remembered=tmp_path / "models.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("model", "props", "tokens"),
    [
        ({"max_model_len": 32768}, None, 32768),
        ({"context_length": 131072}, None, 131072),
        ({"meta": {"n_ctx_train": 8192}}, None, 8192),
        ({"meta": {"n_ctx": 4096, "n_ctx_train": 8192}}, {"default_generation_settings": {"n_ctx": 2048}}, 2048),
        ({"meta": None, "max_model_len": "many"}, {"default_generation_settings": None}, None),
        ({}, None, None),
    ],
)
def test_the_size_of_the_context(model: Mapping[str, Any], props: Mapping[str, Any] | None, tokens: int | None) -> None:
    with FakeEndpoint(models=[{"id": "other", "max_model_len": 7}, {"id": "fake", **model}], props=props) as fake:
        assert _found(fake.url).context_tokens == tokens


def test_the_single_model_need_not_be_named() -> None:
    async def use(made: Connected) -> tuple[str, Answer | Unavailable]:
        return made.asker.model, await made.asker.ask(question())

    with FakeEndpoint(models=[{"id": "org/one"}]) as fake:
        model, reply = _with(parse_model_name(fake.url), use)
    assert isinstance(reply, Answer)
    assert model == f"{fake.url}#org/one"
    assert fake.calls[-1].body["model"] == "org/one"


@pytest.mark.parametrize("models", [[], [{"id": "one"}, {"id": "two\x1b[2J"}]])
def test_no_single_model(models: list[Mapping[str, Any]]) -> None:
    with FakeEndpoint(models=models) as fake, pytest.raises(UnknownModelError, match="#NAME$") as caught:
        _found(parse_model_name(fake.url))
    assert str(caught.value).isprintable()


def test_what_is_known_of_the_great_providers_is_not_asked() -> None:
    keys = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k", "GOOGLE_API_KEY": "k"}
    with FakeEndpoint() as fake:
        found = {
            model: _found(ModelName(provider, model, fake.url), environment=keys)
            for provider, model in (
                (Provider.OPENAI, "gpt-4.1"),
                (Provider.OPENAI, "gpt-5-mini"),
                (Provider.ANTHROPIC, "claude-haiku-4-5"),
                (Provider.ANTHROPIC, "claude-3-5-haiku-latest"),
                (Provider.GOOGLE, "gemini-2.5-flash"),
            )
        }
    assert not fake.calls
    assert {model: (each.form, each.logprobs) for model, each in found.items()} == {
        "gpt-4.1": (AnswerForm.JSON_SCHEMA, True),
        "gpt-5-mini": (AnswerForm.JSON_SCHEMA, False),
        "claude-haiku-4-5": (AnswerForm.JSON_SCHEMA, False),
        "claude-3-5-haiku-latest": (AnswerForm.TOOL_CALL, False),
        "gemini-2.5-flash": (AnswerForm.JSON_SCHEMA, False),
    }
    assert all(each.images for each in found.values())
    assert (found["gpt-4.1"].context_tokens or 0) >= 1_000_000


@pytest.mark.parametrize(
    ("provider", "model", "script"),
    [(Provider.ANTHROPIC, "claude-haiku-4-5", anthropic), (Provider.GOOGLE, "gemini-2.5-flash", google)],
)
def test_they_are_asked_where_that_is_wished(provider: Provider, model: str, script: Script) -> None:
    with FakeEndpoint(script) as fake:
        keys = {"ANTHROPIC_API_KEY": "k", "GOOGLE_API_KEY": "k"}
        found = _found(ModelName(provider, model, fake.root), environment=keys, probe_anew=True)
    assert found.form is AnswerForm.JSON_SCHEMA
    assert len(fake.calls) == 2


def test_what_was_found_out_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "models.json"
    with FakeEndpoint(_taking("json_object", logprobs=True)) as fake:
        first = _found(fake.url, remembered=file)
        asked = len(fake.calls)
        assert _found(fake.url, remembered=file) == first
        assert len(fake.calls) == asked
        _found(fake.url, remembered=file, probe_anew=True)
        assert len(fake.calls) == 2 * asked
        assert recall(file, named(fake.url, model="other")) is None
    assert [each.name for each in file.parent.iterdir()] == ["models.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"x": 1}', "\x00\xff", "[" * 100_000, '{"form": "json_schema"}']
)
def test_a_damaged_file_is_as_good_as_none(text: str, tmp_path: Path) -> None:
    file, name, found = tmp_path / "m.json", named("http://127.0.0.1:1/v1"), Capabilities(AnswerForm.TOOL_CALL)
    file.write_text(text, encoding="latin-1")
    assert recall(file, name) is None
    remember(file, name, found)
    assert recall(file, name) == found


@pytest.mark.parametrize(
    "change", [{"form": "song"}, {"logprobs": "yes"}, {"context_tokens": "9"}, {"refused": 3}, {"refused": [["x"]]}]
)
def test_a_damaged_entry_is_as_good_as_none(change: dict[str, Any], tmp_path: Path) -> None:
    file, name = tmp_path / "m.json", named("http://127.0.0.1:1/v1")
    remember(file, name, Capabilities(AnswerForm.JSON_OBJECT, refused=((AnswerForm.JSON_SCHEMA, "no"),)))
    entries = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({key: {**entry, **change} for key, entry in entries.items()}), encoding="utf-8")
    assert recall(file, name) is None


def test_several_models_are_kept_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    for number in range(5):
        remember(file, named("http://127.0.0.1:1/v1", model=str(number)), Capabilities(AnswerForm.PLAIN_TEXT))
    assert all(recall(file, named("http://127.0.0.1:1/v1", model=str(number))) for number in range(5))


def test_a_file_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    remember(tmp_path / "file" / "m.json", named("http://127.0.0.1:1/v1"), Capabilities(AnswerForm.PLAIN_TEXT))


def test_models_of_one_endpoint_share_its_connections() -> None:
    async def run(url: str) -> None:
        first, second = await connect(named(url), OPTIONS), await connect(named(url, model="two"), OPTIONS)
        endpoint = open_endpoint(url, OPTIONS.concurrency, OPTIONS.timeout)
        await first.aclose()
        await first.aclose()
        assert isinstance(await second.asker.ask(question()), Answer)
        await second.aclose()
        assert not endpoint.http.is_closed
        await endpoint.aclose()
        assert endpoint.http.is_closed
        third = await connect(named(url), OPTIONS)
        assert isinstance(await third.asker.ask(question()), Answer)
        await third.aclose()

    with FakeEndpoint() as fake:
        asyncio.run(run(fake.url))
    assert fake.connections == 2


def test_a_model_is_asked_from_any_event_loop() -> None:
    async def opened(url: str) -> Connected:
        return await connect(named(url), OPTIONS)

    with FakeEndpoint() as fake, asyncio.Runner() as runner:
        made = runner.run(opened(fake.url))

        def dialogue() -> Dialogue[tuple[Reply, ...]]:
            return (yield (question(), question(run_number=1)))

        replies = settle(dialogue(), Askers.both(made.asker))
        assert all(isinstance(reply, Answer) for reply in replies)
        runner.run(made.aclose())


def test_a_missing_key_is_told_before_any_call() -> None:
    with pytest.raises(MissingKeyError, match="ANTHROPIC_API_KEY"):
        _found(parse_model_name("anthropic:claude-haiku-4-5"), environment={})


def test_a_missing_package_tells_how_to_install_it() -> None:
    with pytest.raises(
        MissingPackageError, match=r"package anthropic is missing: pip install 'tracewitness\[models\]'"
    ):
        with needs_packages():
            try:
                raise ModuleNotFoundError("no", name="anthropic.types")
            except ModuleNotFoundError as error:
                raise ImportError("Please install") from error
    code = (
        "import sys, asyncio; sys.modules['pydantic_ai'] = None\n"
        "from tracewitness.backends.connecting import connect\n"
        "from tracewitness.backends.naming import parse_model_name\n"
        "asyncio.run(connect(parse_model_name('http://127.0.0.1:1/v1#m')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "the package pydantic_ai is missing: pip install 'tracewitness[models]'" in done.stderr


def test_naming_a_model_loads_no_client_library() -> None:
    code = (
        "import sys\nfrom tracewitness.backends import connecting, naming, options, keys, missing, remembering\n"
        "print([m for m in ('pydantic_ai', 'openai', 'httpx2', 'jsonschema', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_thinking_is_part_of_how_a_model_is_asked_and_not_of_what_it_can_do() -> None:
    async def use(made: Connected) -> str:
        return made.asker.parameters

    with FakeEndpoint() as fake:
        plain = _with(named(fake.url), use)

        async def run() -> str:
            made = await connect(named(fake.url), replace(OPTIONS, thinking=False, temperature=0.0))
            await made.aclose()
            return made.asker.parameters

        quiet = asyncio.run(run())
    assert plain != quiet
    assert json.loads(quiet) == {"form": "json_schema", "temperature": 0.0, "thinking": False, "thinking_tokens": 0}
