"""A model whose answers are kept, so that a second start pays for no call twice."""

import json
from dataclasses import replace
from typing import Any, cast

from tracewitness.asking.port import Answer, Asker, Question, Side, Token, Unavailable
from tracewitness.store.record import KeptAnswer, ProseSide
from tracewitness.store.store import Store
from tracewitness.values.digests import Digest, canonical_json
from tracewitness.values.redaction import redact

_SIDES = {Side.REPORT: ProseSide.REPORT, Side.TRACE: ProseSide.TRACE}


class KeptAnswers:
    """An asker that looks into the store before it asks, and keeps every answer before it hands it on.

    A failure is never kept: it is asked again on the next start.

    Args:
        asker: The model.
        store: Where answers are kept.
    """

    def __init__(self, asker: Asker, store: Store) -> None:
        self._asker = asker
        self._store = store

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self._asker.model

    @property
    def parameters(self) -> str:
        """Return the parameters of the model."""
        return self._asker.parameters

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Return the kept answer to a question, or ask and keep it."""
        key = question.cache_key(self.model, self.parameters)
        kept = self._store.get_answer(key)
        if kept is not None:
            return _answer(kept, self.parameters)
        reply = await self._asker.ask(question)
        if not isinstance(reply, Answer):
            return reply
        # Before it is kept and before it is read, so that a second start reads the very same answer.
        raw = redact(reply.raw).text
        tokens = reply.tokens if raw == reply.raw else ()
        answer = replace(reply, raw=raw, value=_redacted(reply.value), tokens=tokens)
        self._store.put_answer(_kept(key, question, answer))
        return answer


def _redacted(value: Any) -> Any:
    """Return a JSON value with the secrets in its texts redacted."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list):
        return [_redacted(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _redacted(each) for key, each in cast("dict[str, Any]", value).items()}
    return value


def _kept(key: Digest, question: Question, answer: Answer) -> KeptAnswer:
    return KeptAnswer(
        key,
        _SIDES[question.side],
        answer.model,
        answer.raw,
        canonical_json(answer.value),
        answer.input_tokens,
        answer.output_tokens,
        answer.microusd,
        _tokens_text(answer.tokens),
    )


def _tokens_text(tokens: tuple[Token, ...]) -> str:
    return json.dumps([[token.text, token.alternatives] for token in tokens]) if tokens else ""


def _tokens(text: str) -> tuple[Token, ...]:
    told: list[tuple[str, list[tuple[str, float]]]] = json.loads(text) if text else []
    return tuple(Token(one, tuple((other, logprob) for other, logprob in others)) for one, others in told)


def _answer(kept: KeptAnswer, parameters: str) -> Answer:
    return Answer(
        raw=kept.raw,
        value=json.loads(kept.value),
        model=kept.model,
        input_tokens=kept.input_tokens,
        output_tokens=kept.output_tokens,
        parameters=parameters,
        microusd=kept.microusd,
        tokens=_tokens(kept.tokens),
    )
