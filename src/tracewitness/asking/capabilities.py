"""What a model can do, found out once."""

from dataclasses import dataclass
from enum import StrEnum


class AnswerForm(StrEnum):
    """How a model is brought to answer with a JSON object, the surest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TOOL_CALL = "tool_call"
    PLAIN_TEXT = "plain_text"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What was found out about a model.

    Attributes:
        form: The surest form of answer that it took.
        logprobs: Whether it gives the probabilities of its tokens.
        images: Whether it takes pictures.
        context_tokens: The size of its context; None where it does not tell.
        refused: The forms that it did not take, each with the reason in one line.
    """

    form: AnswerForm
    logprobs: bool = False
    images: bool = False
    context_tokens: int | None = None
    refused: tuple[tuple[AnswerForm, str], ...] = ()
