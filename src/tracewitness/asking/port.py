"""What a reader asks of a model, and what comes back."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import Digest, digest_json

ANSWER_TOKENS = 1500
"""Most tokens of an answer, unless a question says otherwise."""


class Side(StrEnum):
    """Which side asks. A question of an audit never carries the material of both.

    ``WHOLE`` is for judges that are measured: they may be shown a whole run, and no audit ever asks such a question.
    """

    REPORT = "report"
    TRACE = "trace"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that goes with a question.

    Attributes:
        digest: Digest of its bytes; it alone is part of the cache key.
        media_type: Such as ``image/png``.
        data: The bytes, as sent.
        label: What it shows, such as ``step 3, after``; written before it.
    """

    digest: Digest
    media_type: str
    data: bytes = field(repr=False, compare=False)
    label: str = ""


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
        pictures: Pictures that follow the user message, in order.
        answer_tokens: Most tokens of the answer.
        logprobs: Whether the answer should come with the probabilities of its tokens.
    """

    side: Side
    prompt_id: str
    system: str
    user: str
    schema: str
    run_number: int = 0
    pictures: tuple[Picture, ...] = ()
    answer_tokens: int = ANSWER_TOKENS
    logprobs: bool = False

    def cache_key(self, model: str, parameters: str = "{}") -> Digest:
        """Return the key under which an answer to this question is kept.

        Args:
            model: The name of the model.
            parameters: Everything else that bears on an answer, as canonical JSON text; see ``Asker``.
        """
        asked = [self.side, self.prompt_id, self.system, self.user, self.schema, self.run_number]
        shown = [[picture.digest, picture.label] for picture in self.pictures]
        return digest_json([*asked, shown, self.answer_tokens, self.logprobs, model, parameters])


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer.

    Attributes:
        text: Its text, as it stands in the raw answer.
        alternatives: What could have stood there with the natural logarithm of its probability (at most 0), itself
            among them.
    """

    text: str
    alternatives: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer.

    Attributes:
        raw: The raw text, which is kept.
        value: The parsed object.
        model: The model's name.
        input_tokens: Tokens of the question.
        output_tokens: Tokens of the answer, thinking included.
        parameters: The parameters of the asker, as in the cache key.
        microusd: What it cost in millionths of a US dollar; None where no price is known.
        tokens: The raw text token by token, where that was asked for and the model gives it.
        seconds: How long it took; 0 for an answer that was kept.
    """

    raw: str
    value: dict[str, Any]
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    parameters: str = "{}"
    microusd: int | None = None
    tokens: tuple[Token, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Unavailable:
    """No answer, with its cause. Never a verdict.

    Attributes:
        cause: Why.
        detail: One line for people, without secrets and without text of the run.
        input_tokens: Tokens that were paid for nevertheless: a refusal or an answer of no use costs as well.
        output_tokens: The same for the tokens of that answer.
        microusd: What that cost in millionths of a US dollar; None where no price is known.
    """

    cause: UnavailableCause
    detail: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    microusd: int | None = None


class Asker(Protocol):
    """A model behind the port."""

    @property
    def model(self) -> str:
        """Return the name of the model, as written into records."""
        ...

    @property
    def parameters(self) -> str:
        """Return what else bears on an answer (temperature, thinking, form of the answer) as canonical JSON text."""
        ...

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Answer one question, or say why there is no answer. Never raises for a model's failure."""
        ...


class AskerAround:
    """What stands around a model and goes by its name: the base of those that count, keep or record its answers.

    Args:
        asker: The model.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self._asker.model

    @property
    def parameters(self) -> str:
        """Return the parameters of the model."""
        return self._asker.parameters


@dataclass(frozen=True, slots=True)
class Askers:
    """The models of the two sides, or of a judge that is measured; None where nobody asks."""

    report: Asker | None = None
    trace: Asker | None = None
    whole: Asker | None = None

    def of(self, side: Side) -> Asker | None:
        """Return the model that answers the questions of a side."""
        return {Side.REPORT: self.report, Side.TRACE: self.trace, Side.WHOLE: self.whole}[side]

    @classmethod
    def both(cls, asker: Asker) -> "Askers":
        """Return one model for both sides."""
        return cls(asker, asker)
