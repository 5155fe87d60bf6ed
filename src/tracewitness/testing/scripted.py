"""A model that answers from a script, and remembers what it was asked."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from tracewitness.asking.port import Answer, Question, Unavailable
from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import Digest

Script = Callable[[Question], dict[str, Any] | UnavailableCause]


class ScriptedAsker:
    """An asker for tests: it answers by a function of the question, or from a list in order.

    Attributes:
        questions: Every question it was asked, in order.
    """

    def __init__(self, script: Script | Sequence[dict[str, Any] | UnavailableCause], model: str = "scripted") -> None:
        """Take the script: a function, or the replies in order (after the last one: not recorded)."""
        self._script = script
        self._model = model
        self.questions: list[Question] = []

    @property
    def model(self) -> str:
        """Return the name it goes by in records."""
        return self._model

    @property
    def parameters(self) -> str:
        """Return no parameters."""
        return "{}"

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Answer by the script."""
        number = len(self.questions)
        self.questions.append(question)
        reply = self._reply(question, number)
        if isinstance(reply, UnavailableCause):
            return Unavailable(reply, "scripted")
        raw = json.dumps(reply)
        return Answer(raw, reply, self._model, input_tokens=len(question.user) // 4, output_tokens=len(raw) // 4)

    def cache_keys(self) -> tuple[Digest, ...]:
        """Return the cache key of every question asked, in order."""
        return tuple(question.cache_key(self._model) for question in self.questions)

    def _reply(self, question: Question, number: int) -> dict[str, Any] | UnavailableCause:
        if callable(self._script):
            return self._script(question)
        if number < len(self._script):
            return self._script[number]
        return UnavailableCause.NOT_RECORDED
