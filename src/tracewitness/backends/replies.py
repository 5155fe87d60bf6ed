"""What came back from a model: its text without thinking, or why there is none; its tokens; what it cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from tracewitness.asking.port import Token
from tracewitness.backends.answers import Unusable, read_answer
from tracewitness.backends.options import RemoteOptions
from tracewitness.backends.requests import ANSWER_NAME
from tracewitness.backends.thinking import without_thinking
from tracewitness.findings.causes import UnavailableCause

_MICRO = 1_000_000
_REFUSALS = frozenset({"refusal", "content_filter", "safety"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as read.

    Attributes:
        raw: The answer's text, without what was thought aloud.
        outcome: The answer's object, or why there is none.
    """

    raw: str
    outcome: dict[str, Any] | Unusable


@dataclass(frozen=True, slots=True)
class Cost:
    """What one or more calls cost.

    Attributes:
        input_tokens: Tokens of the questions.
        output_tokens: Tokens of the answers, thinking included.
        microusd: Millionths of a US dollar; None where a price is not known.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    microusd: int | None = 0

    def plus(self, other: "Cost") -> "Cost":
        """Return the sum of both."""
        known = self.microusd is not None and other.microusd is not None
        money = (self.microusd or 0) + (other.microusd or 0) if known else None
        return Cost(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens, money)


def read_reply(response: ModelResponse, schema: str) -> Reading:
    """Read a reply: the arguments of the answer's tool where it was called, else the text."""
    raw = _answer_text(response)
    if _refused(response):
        return Reading(raw, _unusable(UnavailableCause.REFUSED, "the model refused to answer"))
    outcome = read_answer(raw, schema)
    if isinstance(outcome, Unusable) and response.finish_reason == "length":
        return Reading(raw, _unusable(UnavailableCause.ANSWER_CUT, "the answer was cut off before its end"))
    return Reading(raw, outcome)


def tokens_of(response: ModelResponse, raw: str) -> tuple[Token, ...]:
    """Return the answer token by token; nothing where the reply's tokens do not hold the answer's text.

    Around the answer may stand thinking, or what the server cut off itself, such as white space and the fence of a code
    block; a token that lies across the border is cut there. A server may also give the tokens of another text than the
    one it sent.
    """
    entries = cast("Sequence[Mapping[str, Any]]", (response.provider_details or {}).get("logprobs") or ())
    tokens = [_token(entry) for entry in entries]
    begin = "".join(token.text for token in tokens).rfind(raw)
    if not raw or begin < 0:
        return ()
    answer: list[Token] = []
    position = 0
    for token in tokens:
        first, last = max(begin - position, 0), min(begin + len(raw) - position, len(token.text))
        if first < last:
            answer.append(_cut(token, first, last))
        position += len(token.text)
    return tuple(answer)


def cost_of(response: ModelResponse, options: RemoteOptions, *, free: bool) -> Cost:
    """Return what a reply cost: by the given price, else by the price list that the client library carries."""
    tokens_in, tokens_out = response.usage.input_tokens, response.usage.output_tokens
    if options.price is not None:
        return Cost(tokens_in, tokens_out, options.price.microusd(tokens_in, tokens_out))
    return Cost(tokens_in, tokens_out, 0 if free else _listed(response))


def _listed(response: ModelResponse) -> int | None:
    try:
        return round(response.cost().total_price * _MICRO)
    except (LookupError, ValueError, AssertionError):
        return None


def _answer_text(response: ModelResponse) -> str:
    for part in response.parts:
        if isinstance(part, ToolCallPart) and part.tool_name == ANSWER_NAME:
            return part.args if isinstance(part.args, str) else part.args_as_json_str()
    return without_thinking("".join(part.content for part in response.parts if isinstance(part, TextPart)))


def _refused(response: ModelResponse) -> bool:
    details = response.provider_details or {}
    said = str(details.get("finish_reason") or "").lower()
    return response.finish_reason == "content_filter" or bool(details.get("refusal")) or said in _REFUSALS


def _token(entry: Mapping[str, Any]) -> Token:
    chosen = (str(entry["token"]), min(0.0, float(entry["logprob"])))
    others = [(str(each["token"]), min(0.0, float(each["logprob"]))) for each in entry.get("top_logprobs") or ()]
    if chosen[0] not in {text for text, _ in others}:
        others.append(chosen)
    return Token(chosen[0], tuple(others))


def _cut(token: Token, first: int, last: int) -> Token:
    """Return the part of a token from one character to another, and the like of alternatives that share the rest."""
    head, tail = token.text[:first], token.text[last:]
    if not head and not tail:
        return token
    alternatives = ((text.removeprefix(head).removesuffix(tail), logprob) for text, logprob in token.alternatives)
    return Token(token.text[first:last], tuple(alternatives))


def _unusable(cause: UnavailableCause, detail: str) -> Unusable:
    return Unusable(cause, detail, detail)
