"""What an endpoint tells about itself: the models it serves, and how much they can read."""

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from openai import APIConnectionError, AsyncOpenAI, OpenAIError

from tracewitness.backends.endpoints import Endpoint
from tracewitness.backends.errors import ModelError
from tracewitness.backends.keys import Key, clean_line
from tracewitness.backends.naming import ModelName, UnknownModelError
from tracewitness.backends.openai_models import openai_client

_SHOWN_MODELS = 10
_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
_META_FIELDS = ("n_ctx", "n_ctx_train")


class ProbeError(ModelError):
    """An endpoint could not be asked what it can do; the message is one line without keys."""


async def single_model(name: ModelName, key: Key, endpoint: Endpoint) -> str:
    """Return the name of the one model that an endpoint lists.

    Raises:
        ProbeError: The endpoint gives no list.
        UnknownModelError: It lists none, or several.
    """
    try:
        models = await _listed(openai_client(name, key, endpoint.http))
    except (OpenAIError, ValueError) as error:
        raise ProbeError(f"{name.text}: {clean_line(_why(error), (key,))}") from None
    if len(models) == 1:
        return next(iter(models))
    shown = ", ".join(sorted(models)[:_SHOWN_MODELS]) or "none"
    told = clean_line(f"{name.text} lists {len(models)} models ({shown})", (key,))
    raise UnknownModelError(f"{told}: name one of them as {name.base_url}#NAME")


async def context_tokens(name: ModelName, key: Key, endpoint: Endpoint) -> int | None:
    """Return how many tokens a model can read at once; None where its endpoint does not tell."""
    client = openai_client(name, key, endpoint.http)
    try:
        fields = (await _listed(client)).get(name.model, {})
        of_slot = await _context_of_slot(client, name) if "meta" in fields else None
    except (OpenAIError, ValueError):
        return None
    meta = _fields(fields.get("meta"))
    numbers: list[Any] = [
        of_slot,
        *(fields.get(each) for each in _CONTEXT_FIELDS),
        *(meta.get(each) for each in _META_FIELDS),
    ]
    return next((number for number in numbers if _is_size(number)), None)


async def _listed(client: AsyncOpenAI) -> dict[str, Mapping[str, Any]]:
    page = await client.models.list()
    return {model.id: model.model_extra or {} for model in page.data}


async def _context_of_slot(client: AsyncOpenAI, name: ModelName) -> int | None:
    """Return what a server of the llama.cpp kind allows for one call: it divides its context among its slots."""
    parts = urlsplit(name.base_url)
    root = parts.path.removesuffix("/").removesuffix("/v1")
    try:
        told: Any = await client.get(f"{parts.scheme}://{parts.netloc}{root}/props", cast_to=object)
    except OpenAIError:
        return None
    size: Any = _fields(_fields(told).get("default_generation_settings")).get("n_ctx")
    return size if _is_size(size) else None


def _fields(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _why(error: Exception) -> str:
    return "the endpoint could not be reached" if isinstance(error, APIConnectionError) else str(error)
