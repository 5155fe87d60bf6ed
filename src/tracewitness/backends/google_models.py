"""Models of Google."""

import httpx2
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider

from tracewitness.backends.keys import Key
from tracewitness.backends.naming import ModelName


def google_model(name: ModelName, key: Key, http: httpx2.AsyncClient) -> GoogleModel:
    """Return a model of Google. Its client retries nothing by itself."""
    provider = GoogleProvider(api_key=key.value, http_client=http, base_url=name.base_url)
    return GoogleModel(name.model, provider=provider)
