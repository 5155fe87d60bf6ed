"""How a remote model is asked."""

from dataclasses import dataclass, field

from tracewitness.asking.budget import Price

TEMPERATURE = 0.7
"""Sampling temperature of a vote; the runs of a vote are real repeats only above 0."""

THINKING_TOKENS = 4000
"""Tokens allowed for thinking beside those of the answer."""


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """How a failed call is tried again.

    Attributes:
        attempts: Most calls for one question, the first included.
        first_wait: Longest wait before the second call, in seconds; it doubles from call to call.
        longest_wait: Longest wait between two calls, in seconds.
        longest_pause: Longest wait that an endpoint may ask for, in seconds; a longer one is not waited for.
        total: Most seconds from the first call to the start of the last one.
    """

    attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 20.0
    longest_pause: float = 60.0
    total: float = 300.0


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """How a remote model is asked.

    Attributes:
        temperature: Sampling temperature; left out where a model does not take one while it thinks.
        thinking: True or False switches thinking on or off, as far as the model lets it; None leaves it alone.
        thinking_tokens: Tokens allowed for thinking beside those of the answer, unless thinking is off.
        timeout: Most seconds for one call.
        price: The model's price; None to look it up.
        concurrency: Most calls at once to the endpoint.
        retries: How a failed call is tried again.
        top_logprobs: How many alternatives are asked for each token, where a question asks for any.
    """

    temperature: float = TEMPERATURE
    thinking: bool | None = None
    thinking_tokens: int = THINKING_TOKENS
    timeout: float = 120.0
    price: Price | None = None
    concurrency: int = 16
    retries: RetryPlan = field(default_factory=RetryPlan)
    top_logprobs: int = 10
