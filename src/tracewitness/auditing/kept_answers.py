"""A model whose answers are kept, so that a second start pays for no call twice."""

import json
from typing import Any

from tracewitness.asking.port import Answer, Asker, Question, Side, Unavailable
from tracewitness.store.record import KeptAnswer, ProseSide
from tracewitness.store.store import Store
from tracewitness.values.digests import Digest, canonical_json

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

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Return the kept answer to a question, or ask and keep it."""
        key = question.cache_key(self.model)
        kept = self._store.get_answer(key)
        if kept is not None:
            return _answer(kept)
        reply = await self._asker.ask(question)
        if isinstance(reply, Answer):
            self._store.put_answer(_kept(key, question, reply))
        return reply


def _kept(key: Digest, question: Question, answer: Answer) -> KeptAnswer:
    return KeptAnswer(
        key,
        _SIDES[question.side],
        answer.model,
        answer.raw,
        canonical_json(answer.value),
        answer.input_tokens,
        answer.output_tokens,
    )


def _answer(kept: KeptAnswer) -> Answer:
    value: dict[str, Any] = json.loads(kept.value)
    return Answer(kept.raw, value, kept.model, kept.input_tokens, kept.output_tokens)
