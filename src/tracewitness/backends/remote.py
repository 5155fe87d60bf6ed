"""A remote model behind the port: OpenAI, Anthropic, Google, and every endpoint that speaks the OpenAI protocol."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.port import Answer, Question, Unavailable
from tracewitness.backends.answers import Unusable
from tracewitness.backends.endpoints import Endpoint, new_http_client
from tracewitness.backends.failures import Failure, read_failure
from tracewitness.backends.keys import Key, without_key
from tracewitness.backends.models import model_of
from tracewitness.backends.naming import ModelName
from tracewitness.backends.options import RemoteOptions
from tracewitness.backends.replies import Cost, Reading, cost_of, read_reply, tokens_of
from tracewitness.backends.requests import (
    Manner,
    messages_of,
    parameters_of,
    repair_of,
    settings_of,
    temperature_of,
    thinking_room,
)
from tracewitness.backends.retrying import call_again
from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import canonical_json

_REPAIRED = frozenset({UnavailableCause.UNPARSABLE, UnavailableCause.SCHEMA_VIOLATION})


@dataclass(frozen=True, slots=True)
class _Turn:
    """One reply, read, with what all replies so far cost."""

    response: ModelResponse
    reading: Reading
    cost: Cost


class RemoteAsker:
    """A remote model behind the port.

    Args:
        name: The model.
        capabilities: What was found out about it.
        options: How it is asked.
        endpoint: The endpoint's HTTP client and limit, which the caller closes.
        key: The endpoint's key.
    """

    def __init__(
        self, name: ModelName, capabilities: Capabilities, options: RemoteOptions, endpoint: Endpoint, key: Key
    ) -> None:
        self._name = name
        self._manner = Manner(name, capabilities.form, options, capabilities.logprobs)
        self._options = options
        self._endpoint = endpoint
        self._key = key
        self._library_models = tuple(model_of(name, key, client) for client in endpoint.lanes)
        self._parameters = _parameters(self._manner, self._library_models[0])
        self._chance = random.Random()

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self._name.text

    @property
    def parameters(self) -> str:
        """Return temperature, thinking and form of the answer as canonical JSON text."""
        return self._parameters

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Answer one question, or say why there is no answer."""
        if self._endpoint.usable_here:
            return await self._ask(question, None)
        # Asked from another event loop than the endpoint was opened in: its connections are of no use there.
        async with new_http_client(self._name.base_url, 1, self._options.timeout) as http:
            return await self._ask(question, model_of(self._name, self._key, http))

    async def _ask(self, question: Question, model: Model | None) -> Answer | Unavailable:
        started = time.monotonic()
        messages = messages_of(question, self._manner.form)
        turn = await self._turn(question, messages, model, Cost())
        if isinstance(turn, Failure):
            return Unavailable(turn.cause, turn.detail, microusd=0)
        outcome = turn.reading.outcome
        if isinstance(outcome, Unusable) and self._manner.form is AnswerForm.PLAIN_TEXT and outcome.cause in _REPAIRED:
            again = await self._turn(question, repair_of(messages, turn.reading.raw, outcome.reason), model, turn.cost)
            if isinstance(again, Failure):
                return _unavailable(outcome, turn.cost)
            turn = again
        return self._reply(question, turn, time.monotonic() - started)

    def _reply(self, question: Question, turn: _Turn, seconds: float) -> Answer | Unavailable:
        outcome, cost = turn.reading.outcome, turn.cost
        if isinstance(outcome, Unusable):
            return _unavailable(outcome, cost)
        answer = Answer(
            turn.reading.raw,
            outcome,
            self.model,
            cost.input_tokens,
            cost.output_tokens,
            self.parameters,
            cost.microusd,
            tokens_of(turn.response, turn.reading.raw) if question.logprobs else (),
            seconds,
        )
        return without_key(answer, self._key)

    async def _turn(
        self, question: Question, messages: Sequence[ModelMessage], model: Model | None, before: Cost
    ) -> _Turn | Failure:
        async def call() -> ModelResponse | Failure:
            return await self._call(question, messages, model)

        response = await call_again(call, self._options.retries, self._endpoint.limit, self._chance)
        if isinstance(response, Failure):
            return response
        cost = cost_of(response, self._options, free=self._name.loopback)
        return _Turn(response, read_reply(response, question.schema), before.plus(cost))

    async def _call(
        self, question: Question, messages: Sequence[ModelMessage], model: Model | None
    ) -> ModelResponse | Failure:
        if model is None:
            # Chosen only now that the call has its turn, so that every client gets its share of those under way.
            with self._endpoint.lane() as number:
                return await self._call(question, messages, self._library_models[number])
        try:
            async with asyncio.timeout(self._options.timeout):
                return await model_request(
                    model,
                    messages,
                    model_settings=settings_of(question, self._manner, model),
                    model_request_parameters=parameters_of(question, self._manner),
                )
        except Exception as error:  # whatever went wrong, it is an answer of the port
            return read_failure(error, (self._key,))


def _unavailable(outcome: Unusable, cost: Cost) -> Unavailable:
    return Unavailable(outcome.cause, outcome.detail, cost.input_tokens, cost.output_tokens, cost.microusd)


def _parameters(manner: Manner, model: Model) -> str:
    options = manner.options
    return canonical_json(
        {
            "form": manner.form.value,
            "temperature": temperature_of(options, model),
            "thinking": options.thinking,
            "thinking_tokens": thinking_room(options, model),
        }
    )
