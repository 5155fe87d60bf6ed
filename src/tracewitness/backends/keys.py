"""Keys of providers: read from the environment, handed to the client, and kept out of everything else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from tracewitness.asking.port import Answer
from tracewitness.backends.errors import ModelError
from tracewitness.backends.naming import ModelName, Provider
from tracewitness.values.folding import printable
from tracewitness.values.redaction import redact

VARIABLES: Mapping[Provider, tuple[str, ...]] = {
    Provider.OPENAI: ("OPENAI_API_KEY",),
    Provider.ANTHROPIC: ("ANTHROPIC_API_KEY",),
    Provider.GOOGLE: ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    Provider.OPENROUTER: ("OPENROUTER_API_KEY",),
    Provider.DEEPSEEK: ("DEEPSEEK_API_KEY",),
    Provider.QWEN: ("DASHSCOPE_API_KEY",),
}
"""The environment variables that hold a provider's key, the first that is set counts."""

ENDPOINT_VARIABLE = "TRACEWITNESS_API_KEY"
"""The environment variable that holds the key of an endpoint named by its URL."""

_DETAIL_LENGTH = 200
_MASK = "[key]"

_SHORTEST_MASKED = 8
"""A shorter key, such as the "none" that a local server is content with, may be a word of any answer."""


class MissingKeyError(ModelError):
    """A provider needs a key and the environment holds none; the message names the variable."""


@dataclass(frozen=True, slots=True)
class Key:
    """A provider's key. Its value never shows in a representation.

    Attributes:
        value: The key; empty where none is needed.
    """

    value: str = field(default="", repr=False)

    def __str__(self) -> str:
        return _MASK if self.value else ""


def find_key(name: ModelName, environment: Mapping[str, str]) -> Key:
    """Return the key of a model's provider.

    Raises:
        MissingKeyError: The provider needs a key and none is set.
    """
    variables = VARIABLES.get(name.provider, (ENDPOINT_VARIABLE,))
    value = next((environment[each].strip() for each in variables if environment.get(each, "").strip()), "")
    if not value and not (name.provider not in VARIABLES and name.loopback):
        raise MissingKeyError(f"{name.text} needs a key: set the environment variable {' or '.join(variables)}")
    if not value.isascii() or not value.isprintable():
        raise MissingKeyError(f"the key in {' or '.join(variables)} holds characters that no key has")
    return Key(value)


def without_key(answer: Answer, key: Key) -> Answer:
    """Return an answer with the key masked in its texts: a model may have been told it by its own endpoint."""
    if len(key.value) < _SHORTEST_MASKED or key.value not in answer.raw:
        return answer
    return replace(answer, raw=answer.raw.replace(key.value, _MASK), value=_masked(answer.value, key.value), tokens=())


def _masked(value: Any, key: str) -> Any:
    """Return a JSON value with a key masked in its texts."""
    if isinstance(value, str):
        return value.replace(key, _MASK)
    if isinstance(value, list):
        return [_masked(each, key) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {name: _masked(each, key) for name, each in cast("dict[str, Any]", value).items()}
    return value


def clean_line(text: str, keys: Iterable[Key] = (), length: int = _DETAIL_LENGTH) -> str:
    """Return a text as one short line without keys and control characters, fit for a record."""
    for key in keys:
        if key.value:
            text = text.replace(key.value, _MASK)
    # What a provider sends back may be long; masked before it is cut, so that no cut leaves half a key.
    line = " ".join(printable(redact(text).text).split())
    return line if len(line) <= length else line[: length - 3] + "..."
