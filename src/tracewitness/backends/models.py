"""The client library's model behind a name. Each provider's package is loaded only where it is asked for."""

import httpx2
from pydantic_ai.models import Model

from tracewitness.backends.keys import Key
from tracewitness.backends.naming import ModelName, Provider


def model_of(name: ModelName, key: Key, http: httpx2.AsyncClient) -> Model:
    """Return the client library's model behind a name."""
    if name.provider is Provider.ANTHROPIC:
        from tracewitness.backends.anthropic_models import anthropic_model  # noqa: PLC0415

        return anthropic_model(name, key, http)
    if name.provider is Provider.GOOGLE:
        from tracewitness.backends.google_models import google_model  # noqa: PLC0415

        return google_model(name, key, http)
    from tracewitness.backends.openai_models import openai_client, openai_model  # noqa: PLC0415

    return openai_model(name, openai_client(name, key, http))
