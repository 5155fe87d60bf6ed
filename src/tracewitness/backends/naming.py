"""One string names a model, such as ``openai:gpt-5-mini`` or ``http://127.0.0.1:8080/v1#qwen3``."""

import ipaddress
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from tracewitness.backends.errors import ModelError
from tracewitness.values.folding import printable

FORMS = (
    "rules, openai:NAME, anthropic:NAME, google:NAME, openrouter:MAKER/NAME, deepseek:NAME, qwen:NAME, ollama:NAME, "
    "vllm:NAME, sglang:NAME, llamacpp:NAME, local:FILE.gguf, http://HOST:PORT/v1#NAME, https://HOST/v1#NAME"
)
"""The forms of a model's name, as shown to people."""

_SHOWN_LENGTH = 80


class UnknownModelError(ModelError):
    """A string names no model; the message is one line that says why and lists the forms."""


class Provider(StrEnum):
    """Who serves a model."""

    RULES = "rules"
    LOCAL = "local"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"
    OPENROUTER = "openrouter"
    DEEPSEEK = "deepseek"
    QWEN = "qwen"
    OLLAMA = "ollama"
    VLLM = "vllm"
    SGLANG = "sglang"
    LLAMACPP = "llamacpp"
    ENDPOINT = "endpoint"


BASE_URLS = {
    Provider.OPENAI: "https://api.openai.com/v1",
    Provider.ANTHROPIC: "https://api.anthropic.com",
    Provider.GOOGLE: "https://generativelanguage.googleapis.com",
    Provider.OPENROUTER: "https://openrouter.ai/api/v1",
    Provider.DEEPSEEK: "https://api.deepseek.com",
    Provider.QWEN: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    Provider.OLLAMA: "http://127.0.0.1:11434/v1",
    Provider.VLLM: "http://127.0.0.1:8000/v1",
    Provider.SGLANG: "http://127.0.0.1:30000/v1",
    Provider.LLAMACPP: "http://127.0.0.1:8080/v1",
}
"""Where a named provider is reached."""

MAY_LEAVE_OUT = frozenset({Provider.ENDPOINT, Provider.VLLM, Provider.SGLANG, Provider.LLAMACPP})
"""Providers whose one model need not be named."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """The name of a model, taken apart.

    Attributes:
        provider: Who serves it.
        model: Its name there, or the path of its file; empty where the endpoint's single model is meant.
        base_url: Where the provider is reached; empty for rules and local files.
    """

    provider: Provider
    model: str = ""
    base_url: str = ""

    @property
    def text(self) -> str:
        """Return the name as one string, as written into records."""
        if self.provider is Provider.RULES:
            return "rules"
        if self.provider is Provider.ENDPOINT:
            return f"{self.base_url}#{self.model}" if self.model else self.base_url
        return f"{self.provider}:{self.model}" if self.model else f"{self.provider}:"

    @property
    def remote(self) -> bool:
        """Return whether the model is asked over HTTP."""
        return self.provider not in {Provider.RULES, Provider.LOCAL}

    @property
    def loopback(self) -> bool:
        """Return whether the model is served by this very machine."""
        return is_loopback(self.base_url)


def parse_model_name(text: str) -> ModelName:
    """Take the name of a model apart.

    Raises:
        UnknownModelError: The text names no model, or carries a password or key.
    """
    text = text.strip()
    if text == "rules":
        return ModelName(Provider.RULES)
    head, colon, rest = text.partition(":")
    if head.lower() in {"http", "https"}:
        return _endpoint(text)
    if not colon or head not in set(Provider) - {Provider.RULES, Provider.ENDPOINT}:
        raise _unknown(text, "names no model")
    provider, model = Provider(head), rest.strip()
    if not model and provider not in MAY_LEAVE_OUT:
        raise _unknown(text, "leaves out the name after the colon")
    if any(not letter.isprintable() for letter in model):
        raise _unknown(text, "holds a control character")
    if provider is Provider.OPENROUTER and "/" not in model:
        raise _unknown(text, "leaves out the maker (openrouter:MAKER/NAME)")
    if provider is Provider.LOCAL and not model.lower().endswith(".gguf"):
        raise _unknown(text, "is not a .gguf file")
    return ModelName(provider, model, BASE_URLS.get(provider, ""))


def is_loopback(url: str) -> bool:
    """Tell whether a URL leads to this very machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _endpoint(text: str) -> ModelName:
    if any(not letter.isprintable() or letter.isspace() for letter in text):
        raise _unknown("the URL", "holds a space or a control character")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _unknown("the URL", "is not in order") from None
    # Checked before anything of the URL is shown: what is refused here may be a secret.
    if parts.username is not None or parts.password is not None:
        raise _unknown("the URL", "carries a user name or password; put the key into TRACEWITNESS_API_KEY")
    if parts.query:
        raise _unknown("the URL", "carries a query (?...); put a key into TRACEWITNESS_API_KEY")
    if not parts.hostname or port == 0:
        raise _unknown(text, "names no host")
    return ModelName(Provider.ENDPOINT, parts.fragment, _plain_url(parts))


def _plain_url(parts: SplitResult) -> str:
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _unknown(text: str, why: str) -> UnknownModelError:
    shown = text if text == "the URL" else repr(printable(text)[:_SHOWN_LENGTH])
    return UnknownModelError(f"{shown} {why}; a model is named by one of: {FORMS}")
