"""Models behind the OpenAI protocol: OpenAI itself, and every server and provider that speaks it."""

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.alibaba import AlibabaProvider
from pydantic_ai.providers.deepseek import DeepSeekProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider

from tracewitness.backends.keys import Key
from tracewitness.backends.naming import ModelName, Provider

NO_TAGS = ("\x00think", "\x00/think")
"""Thinking tags that no text holds: the library takes the words behind an unclosed tag for the answer."""


def openai_client(name: ModelName, key: Key, http: httpx2.AsyncClient) -> AsyncOpenAI:
    """Return the client of an endpoint that speaks the OpenAI protocol. It retries nothing by itself."""
    client = AsyncOpenAI(base_url=name.base_url, api_key=key.value or "none", http_client=http, max_retries=0)
    if name.provider is not Provider.OPENAI:
        # Read from the environment by the client, and no business of anybody but OpenAI.
        client.organization = client.project = None
    return client


def openai_model(name: ModelName, client: AsyncOpenAI) -> OpenAIChatModel:
    """Return a model behind the OpenAI protocol."""
    profile = OpenAIModelProfile(
        # What the endpoint takes is found out by asking it, not from its model's name.
        supports_json_schema_output=True,
        supports_json_object_output=True,
        supports_tools=True,
        thinking_tags=NO_TAGS,
        openai_chat_supports_max_completion_tokens=name.provider is Provider.OPENAI,
    )
    match name.provider:
        case Provider.OPENROUTER:
            return OpenRouterModel(name.model, provider=OpenRouterProvider(openai_client=client), profile=profile)
        case Provider.OPENAI:
            provider = OpenAIProvider(openai_client=client)
        case Provider.DEEPSEEK:
            provider = DeepSeekProvider(openai_client=client)
        case Provider.QWEN:
            provider = AlibabaProvider(openai_client=client)
        case Provider.OLLAMA:
            provider = OllamaProvider(openai_client=client)
        case _:
            provider = OpenAICompatibleProvider(name.provider.value, openai_client=client)
    return OpenAIChatModel(name.model, provider=provider, profile=profile)
