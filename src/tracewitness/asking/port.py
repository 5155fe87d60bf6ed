"""What a reader asks of a model, and what comes back."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import Digest, digest_json


class Side(StrEnum):
    """Which side asks. A question never carries the material of both."""

    REPORT = "report"
    TRACE = "trace"


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model.

    Attributes:
        side: The side that asks.
        prompt_id: Name and version of the prompt file, such as ``claim/1``.
        system: The system message.
        user: The user message.
        schema: JSON Schema (text) of the answer.
        run_number: Which of the repeated runs this is, from 0; part of the cache key, so repeats are real repeats.
    """

    side: Side
    prompt_id: str
    system: str
    user: str
    schema: str
    run_number: int = 0

    def cache_key(self, model: str) -> Digest:
        """Return the key under which an answer of ``model`` to this question is kept."""
        return digest_json(
            [self.side, self.prompt_id, self.system, self.user, self.schema, self.run_number, model],
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer: the raw text, which is kept, and the parsed object (None if it did not parse)."""

    raw: str
    value: dict[str, Any]
    model: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Unavailable:
    """No answer, with its cause. Never a verdict."""

    cause: UnavailableCause
    detail: str = ""


class Asker(Protocol):
    """A model behind the port."""

    @property
    def model(self) -> str:
        """Return the name of the model, as written into records."""
        ...

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Answer one question, or say why there is no answer. Never raises for a model's failure."""
        ...
