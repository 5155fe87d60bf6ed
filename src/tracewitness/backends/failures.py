"""Why a call failed, from the exceptions of the client library: cause, one line, and whether to try again."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
    UserError,
)

from tracewitness.backends.keys import Key, clean_line
from tracewitness.findings.causes import UnavailableCause

_TRIED_AGAIN = frozenset({408, 409, 425, 429})
_OVERLOADED = frozenset({429, 503, 529})
_TOO_LONG = 413
_NOT_IMPLEMENTED = 501
_NOT_SENT = frozenset({"connect", "pool"})
_UNSUPPORTED = re.compile(r"\bnot (?:supported|implemented)\b|\bunsupported\b", re.IGNORECASE)

# How a router words that the model is there and no one serves it with what was asked for, such as pictures.
_NOT_SERVED = re.compile(r"\bno endpoints found that support\b", re.IGNORECASE)

# How servers word that a question is longer than the model can read.
_OVERFLOW = (
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "maximum model length",
    "context window",
    "context size",
    "context length",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "input token count",
    "number of tokens allowed",
    "reduce the length of the messages",
    "max_tokens must be at least 1, got -",
)
_REFUSAL = ("content_filter", "content_policy", "content management policy", "flagged_input", "safety_violation")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call failed.

    Attributes:
        cause: The cause, as written into records.
        detail: One line without keys.
        again: Whether the same call may succeed later.
        overloaded: Whether the endpoint asks for fewer calls.
        wait: How many seconds the endpoint asks to wait; None where it does not say.
        status: The HTTP status; 0 without one.
    """

    cause: UnavailableCause
    detail: str
    again: bool = False
    overloaded: bool = False
    wait: float | None = None
    status: int = 0


def read_failure(error: Exception, keys: Iterable[Key] = ()) -> Failure:
    """Return why a call failed."""
    keys = tuple(keys)
    if isinstance(error, TimeoutError):
        return Failure(UnavailableCause.TIMEOUT, "no answer within the time allowed for a call")
    if isinstance(error, ModelHTTPError):
        return _http(error, keys)
    if isinstance(error, ModelTimeoutError) and error.phase not in _NOT_SENT:
        return Failure(UnavailableCause.TIMEOUT, "no answer within the time allowed for a call")
    if isinstance(error, ModelConnectionError):
        return Failure(UnavailableCause.TRANSPORT, clean_line(f"connection failed: {error.message}", keys), again=True)
    if isinstance(error, ContentFilterError):
        return Failure(UnavailableCause.REFUSED, "the answer was held back by a content filter")
    if isinstance(error, ModelAPIError | UnexpectedModelBehavior):
        # The endpoint answered with something that is not its protocol, such as half an answer or a page of a proxy.
        return Failure(UnavailableCause.TRANSPORT, clean_line(f"no proper reply: {error.message}", keys), again=True)
    if isinstance(error, LookupError):
        # What the library makes of a reply without any choice in it.
        return Failure(UnavailableCause.TRANSPORT, "no proper reply: it holds no message", again=True)
    if isinstance(error, UserError):
        return Failure(UnavailableCause.INTERNAL, clean_line(error.message, keys))
    return Failure(UnavailableCause.INTERNAL, clean_line(f"{type(error).__name__}: {error}", keys))


def _http(error: ModelHTTPError, keys: tuple[Key, ...]) -> Failure:
    status, said = error.status_code, _said(error.body)
    detail = clean_line(f"HTTP {status}: {said}" if said else f"HTTP {status}", keys)
    if _overflows(error, said):
        return Failure(UnavailableCause.CONTEXT_OVERFLOW, detail, status=status)
    if isinstance(error, ModelQuotaExceededError):
        return Failure(UnavailableCause.RATE_LIMITED, detail, status=status)
    if status == _NOT_IMPLEMENTED or (status == 500 and _UNSUPPORTED.search(said)) or _NOT_SERVED.search(said):
        return Failure(UnavailableCause.INTERNAL, detail, status=status)
    if status in _TRIED_AGAIN or status >= 500:
        cause = UnavailableCause.RATE_LIMITED if status == 429 else UnavailableCause.TRANSPORT
        return Failure(cause, detail, True, status in _OVERLOADED, error.retry_after, status)
    if any(word in f"{said} {error.body}".lower() for word in _REFUSAL):
        return Failure(UnavailableCause.REFUSED, detail, status=status)
    if isinstance(error, ModelAuthenticationError):
        return Failure(UnavailableCause.REJECTED, f"the key was not accepted: {detail}", status=status)
    cause = UnavailableCause.REJECTED if status in {404, 405} else UnavailableCause.INTERNAL
    return Failure(cause, detail, status=status)


def _overflows(error: ModelHTTPError, said: str) -> bool:
    if isinstance(error, ModelContextWindowExceededError) or error.status_code == _TOO_LONG:
        return True
    # llama.cpp has answered 500 where the question did not fit, and says so in words.
    told = f"{said} {error.provider_error_code} {error.provider_error_type}".lower()
    return error.status_code in {400, 422, 500} and any(words in told for words in _OVERFLOW)


def _said(body: object) -> str:
    """Return the message in the body of an error reply, however it is wrapped."""
    if isinstance(body, Mapping):
        fields = cast("Mapping[str, object]", body)
        for name in ("error", "message", "detail"):
            if fields.get(name):
                return _said(fields[name])
        return str(cast("object", fields))
    return "" if body is None else str(body)
