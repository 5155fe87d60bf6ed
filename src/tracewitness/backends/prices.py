"""The price of a model, before it is asked: from the price list that the client library brings, with no network."""

from tracewitness.asking.budget import Price
from tracewitness.backends.naming import ModelName, Provider

_FREE = Price(0.0, 0.0)
_SAMPLE_TOKENS = 1000
_PER_MILLION = 1_000_000 / _SAMPLE_TOKENS
_LISTED_AS = {Provider.QWEN: "qwen", Provider.GOOGLE: "google"}


def known_price(name: ModelName) -> Price | None:
    """Return the price of a model; nothing where this very machine serves it, None where no price is listed.

    A model whose price depends on the length of the question is taken at that of a short one.
    """
    if not name.remote or name.loopback:
        return _FREE
    try:
        # Loaded here, so that naming a model costs no start-up time where none is asked.
        from genai_prices import Usage, calc_price  # noqa: PLC0415
    except ImportError:
        return None
    provider = _LISTED_AS.get(name.provider, name.provider.value)
    try:
        asked = calc_price(Usage(input_tokens=_SAMPLE_TOKENS), name.model, provider_id=provider)
        answered = calc_price(Usage(output_tokens=_SAMPLE_TOKENS), name.model, provider_id=provider)
    except LookupError:
        return None
    return Price(float(asked.total_price) * _PER_MILLION, float(answered.total_price) * _PER_MILLION)
