"""A model whose answers are kept, so that a second start pays for no call twice."""

import asyncio
import json
from dataclasses import replace
from typing import Any, cast

from tracewitness.asking.port import Answer, Asker, AskerAround, Question, Side, Token, Unavailable
from tracewitness.asking.rehearsal import Foreseen
from tracewitness.store.record import KeptAnswer, ProseSide
from tracewitness.store.store import Store
from tracewitness.values.digests import Digest, canonical_json
from tracewitness.values.redaction import redact

_SIDES = {side: ProseSide(side.value) for side in Side}


class KeptAnswers(AskerAround):
    """An asker that looks into the store before it asks, and keeps every answer before it hands it on.

    A failure is never kept: it is asked again on the next start.

    Args:
        asker: The model.
        store: Where answers are kept.
    """

    def __init__(self, asker: Asker, store: Store) -> None:
        super().__init__(asker)
        self._store = store
        self._under_way: dict[Digest, asyncio.Task[Answer | Unavailable]] = {}

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Return the kept answer to a question, or ask and keep it.

        A question that is under way already is not asked a second time; and an audit that is given up leaves its call
        to come to its end, since it is paid for.
        """
        key = question.cache_key(self.model, self.parameters)
        kept = self._store.get_answer(key)
        if kept is not None:
            return answer_of(kept, self.parameters)
        if key not in self._under_way:
            task = asyncio.create_task(self._ask_and_keep(key, question))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        return await asyncio.shield(self._under_way[key])

    async def _ask_and_keep(self, key: Digest, question: Question) -> Answer | Unavailable:
        reply = await self._asker.ask(question)
        if not isinstance(reply, Answer):
            return reply
        # Before it is kept and before it is read, so that a second start reads the very same answer.
        answer = without_secrets(reply)
        self._store.put_answer(kept_of(key, question, answer))
        return answer


class FoundAnswers(AskerAround):
    """A rehearsed model that takes what is kept already, and keeps nothing.

    Args:
        asker: The rehearsed model, with the name and the parameters of the real one.
        store: Where answers are kept.
        foreseen: Where they are counted.
    """

    def __init__(self, asker: Asker, store: Store, foreseen: Foreseen) -> None:
        super().__init__(asker)
        self._store = store
        self._foreseen = foreseen

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Return the kept answer to a question, or rehearse it."""
        kept = self._store.get_answer(question.cache_key(self.model, self.parameters))
        if kept is None:
            return await self._asker.ask(question)
        self._foreseen.kept += 1
        return answer_of(kept, self.parameters)


def without_secrets(answer: Answer) -> Answer:
    """Return an answer with the secrets in its texts redacted."""
    raw = redact(answer.raw).text
    tokens = answer.tokens if raw == answer.raw else ()
    return replace(answer, raw=raw, value=_redacted(answer.value), tokens=tokens)


def _redacted(value: Any) -> Any:
    """Return a JSON value with the secrets in its texts redacted."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list):
        return [_redacted(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _redacted(each) for key, each in cast("dict[str, Any]", value).items()}
    return value


def kept_of(key: Digest, question: Question, answer: Answer) -> KeptAnswer:
    """Return an answer as it is kept under its cache key."""
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


def answer_of(kept: KeptAnswer, parameters: str) -> Answer:
    """Return a kept answer of a model with these parameters."""
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
