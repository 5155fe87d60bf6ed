"""Names of models, and the keys that go with them."""

import pytest

from tracewitness.backends.keys import Key, MissingKeyError, clean_line, find_key
from tracewitness.backends.naming import ModelName, Provider, UnknownModelError, parse_model_name


@pytest.mark.parametrize(
    ("text", "provider", "model", "url"),
    [
        ("rules", Provider.RULES, "", ""),
        ("openai:gpt-5-mini", Provider.OPENAI, "gpt-5-mini", "https://api.openai.com/v1"),
        ("anthropic:claude-haiku-5-5", Provider.ANTHROPIC, "claude-haiku-5-5", "https://api.anthropic.com"),
        ("google:gemini-3", Provider.GOOGLE, "gemini-3", "https://generativelanguage.googleapis.com"),
        ("openrouter:meta/llama-4:free", Provider.OPENROUTER, "meta/llama-4:free", "https://openrouter.ai/api/v1"),
        ("deepseek:deepseek-flash", Provider.DEEPSEEK, "deepseek-flash", "https://api.deepseek.com"),
        ("ollama:qwen3:8b", Provider.OLLAMA, "qwen3:8b", "http://127.0.0.1:11434/v1"),
        ("vllm:", Provider.VLLM, "", "http://127.0.0.1:8000/v1"),
        ("local:/a b/C.GGUF", Provider.LOCAL, "/a b/C.GGUF", ""),
        ("http://127.0.0.1:8091/v1#name", Provider.ENDPOINT, "name", "http://127.0.0.1:8091/v1"),
        ("HTTPS://Models.Example/v1/#org/name", Provider.ENDPOINT, "org/name", "https://models.example/v1"),
        (" http://[::1]:80/v1 ", Provider.ENDPOINT, "", "http://[::1]:80/v1"),
    ],
)
def test_a_name_is_taken_apart(text: str, provider: Provider, model: str, url: str) -> None:
    name = parse_model_name(text)
    assert name == ModelName(provider, model, url)
    assert parse_model_name(name.text) == name
    assert name.remote is (provider not in {Provider.RULES, Provider.LOCAL})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gpt-5",
        "openai",
        "openai:",
        "rules:x",
        "openrouter:x",
        "endpoint:x",
        "local:model.bin",
        "http://",
        "http:///v1",
        "ftp://a/b",
    ]
    + ["http://a:99999/v1", "http://[::1/v1", "http://a b/v1", "openai:a\x1b[2Jb", "http://a/v1#\x07", "OpenAI:x"],
)
def test_what_names_no_model_is_told_in_one_line(text: str) -> None:
    with pytest.raises(UnknownModelError, match="named by one of: rules, openai:NAME") as caught:
        parse_model_name(text)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "text",
    ["http://user:hidden1@a/v1", "https://hidden1@a/v1#m", "http://a/v1?key=hidden1", "http://a/v1?hidden1#m"],
)
def test_a_url_with_a_key_in_it_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(UnknownModelError, match="TRACEWITNESS_API_KEY") as caught:
        parse_model_name(text)
    assert "hidden1" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]/v1", True),
        ("http://localhost:1/v1", True),
        ("http://127.0.0.1.evil.example/v1", False),
        ("http://10.0.0.1/v1", False),
        ("https://localhost.example/v1", False),
    ],
)
def test_loopback(url: str, loopback: bool) -> None:
    assert parse_model_name(url).loopback is loopback


def test_keys_come_from_the_environment() -> None:
    environment = {"OPENAI_API_KEY": " one ", "GEMINI_API_KEY": "two", "TRACEWITNESS_API_KEY": "three"}
    assert find_key(parse_model_name("openai:x"), environment).value == "one"
    assert find_key(parse_model_name("google:x"), environment).value == "two"
    assert find_key(parse_model_name("google:x"), {**environment, "GOOGLE_API_KEY": "four"}).value == "four"
    assert find_key(parse_model_name("https://a/v1"), environment).value == "three"
    assert find_key(parse_model_name("http://127.0.0.1/v1"), environment).value == "three"
    assert find_key(parse_model_name("ollama:x"), {}).value == ""
    # A key of one provider is never sent to another.
    assert find_key(parse_model_name("http://127.0.0.1/v1"), {"OPENAI_API_KEY": "one"}).value == ""


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("openai:x", "OPENAI_API_KEY"),
        ("anthropic:x", "ANTHROPIC_API_KEY"),
        ("google:x", "GOOGLE_API_KEY or GEMINI_API_KEY"),
        ("openrouter:x/y", "OPENROUTER_API_KEY"),
        ("deepseek:x", "DEEPSEEK_API_KEY"),
        ("qwen:x", "DASHSCOPE_API_KEY"),
        ("https://models.example/v1#x", "TRACEWITNESS_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(text: str, variable: str) -> None:
    with pytest.raises(MissingKeyError, match=f"{variable}$"):
        find_key(parse_model_name(text), {"OPENAI_API_KEY": "  "} if text == "openai:x" else {})


def test_a_key_that_no_header_can_carry_is_refused_without_being_shown() -> None:
    with pytest.raises(MissingKeyError) as caught:
        find_key(parse_model_name("openai:x"), {"OPENAI_API_KEY": "hidden\nkey"})
    assert "hidden" not in str(caught.value)


def test_a_key_never_shows() -> None:
    key = Key("hidden-key-value")
    assert "hidden" not in f"{key} {key!r} {[key]}"


def test_lines_are_clean_and_short() -> None:
    line = clean_line("a\x1b[31m \n\t hidden-key-value " + "x" * 500, [Key("hidden-key-value"), Key("")])
    assert line.startswith("a\\u001b[31m [key] xxx")
    assert len(line) == 200
    assert line.isprintable()
