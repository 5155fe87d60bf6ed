"""Questions, and a model connected for the time of a test."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.port import Answer, Question, Side, Unavailable
from tracewitness.backends.endpoints import open_endpoint
from tracewitness.backends.keys import Key
from tracewitness.backends.naming import ModelName, Provider
from tracewitness.backends.options import RemoteOptions, RetryPlan
from tracewitness.backends.remote import RemoteAsker
from tracewitness.values.digests import canonical_json

T = TypeVar("T")

SCHEMA = canonical_json(
    {
        "type": "object",
        "properties": {"claim": {"enum": ["SUCCESS", "UNCLEAR"]}, "note": {"type": "string"}},
        "required": ["claim"],
        "additionalProperties": False,
    }
)
GOOD = {"claim": "SUCCESS"}
QUICK = RetryPlan(attempts=4, first_wait=0.01, longest_wait=0.02, longest_pause=2.0, total=10.0)
OPTIONS = RemoteOptions(timeout=5.0, retries=QUICK)


def question(**fields: Any) -> Question:
    """Return a question with the given fields."""
    whole: dict[str, Any] = {"system": "Read.", "user": "The report.", "schema": SCHEMA, **fields}
    return Question(Side.REPORT, "test/1", **whole)


def named(url: str, provider: Provider = Provider.ENDPOINT, model: str = "fake") -> ModelName:
    """Return the name of a model at a URL."""
    return ModelName(provider, model, url)


def with_asker(
    name: ModelName,
    use: Callable[[RemoteAsker], Awaitable[T]],
    form: AnswerForm = AnswerForm.JSON_SCHEMA,
    options: RemoteOptions = OPTIONS,
    **more: Any,
) -> T:
    """Run something with a model, in an event loop of its own.

    Args:
        name: The model.
        use: What is run with it.
        form: The form of answer.
        options: How it is asked.
        **more: ``key``, the key's text; and what else it can do.
    """
    key = Key(more.pop("key", ""))

    async def run() -> T:
        endpoint = open_endpoint(name.base_url, options.concurrency, options.timeout)
        try:
            return await use(RemoteAsker(name, Capabilities(form, **more), options, endpoint, key))
        finally:
            await endpoint.aclose()

    return asyncio.run(run())


def ask(
    name: ModelName | str,
    asked: Question | None = None,
    form: AnswerForm = AnswerForm.JSON_SCHEMA,
    options: RemoteOptions = OPTIONS,
    **more: Any,
) -> Answer | Unavailable:
    """Ask one question of a model, or of the one at a URL."""
    whole = named(name) if isinstance(name, str) else name
    return with_asker(whole, lambda asker: asker.ask(asked or question()), form, options, **more)
