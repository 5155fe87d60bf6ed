"""Models of Anthropic."""

import httpx2
from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from tracewitness.backends.keys import Key
from tracewitness.backends.naming import ModelName


def anthropic_model(name: ModelName, key: Key, http: httpx2.AsyncClient) -> AnthropicModel:
    """Return a model of Anthropic. Its client retries nothing by itself."""
    client = AsyncAnthropic(base_url=name.base_url, api_key=key.value, http_client=http, max_retries=0)
    # Another way to sign in, which the client reads from the environment; the key alone counts.
    client.auth_token = None
    return AnthropicModel(name.model, provider=AnthropicProvider(anthropic_client=client))
