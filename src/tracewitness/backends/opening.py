"""Opens a remote model: its endpoint, its name where it was left out, and what it can do."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tracewitness.asking.capabilities import Capabilities
from tracewitness.backends.endpoints import Endpoint, open_endpoint
from tracewitness.backends.keys import Key
from tracewitness.backends.listing import single_model
from tracewitness.backends.naming import ModelName
from tracewitness.backends.options import RemoteOptions
from tracewitness.backends.probing import known_capabilities, probe
from tracewitness.backends.remembering import recall, remember
from tracewitness.backends.remote import RemoteAsker


@dataclass(frozen=True, slots=True)
class Opened:
    """A remote model that was opened.

    Attributes:
        asker: The model behind the port.
        capabilities: What it can do.
        aclose: Gives its endpoint back.
    """

    asker: RemoteAsker
    capabilities: Capabilities
    aclose: Callable[[], Awaitable[None]]


async def open_model(
    name: ModelName, options: RemoteOptions, key: Key, remembered: Path | None, *, probe_anew: bool
) -> Opened:
    """Return a remote model, ready to be asked; see ``connecting.connect``."""
    endpoint = open_endpoint(name.base_url, options.concurrency, options.timeout)
    try:
        if not name.model:
            name = replace(name, model=await single_model(name, key, endpoint))
        capabilities = await _capabilities(name, options, key, endpoint, remembered, probe_anew)
        return Opened(RemoteAsker(name, capabilities, options, endpoint, key), capabilities, _once(endpoint))
    except BaseException:
        await endpoint.aclose()
        raise


def _once(endpoint: Endpoint) -> Callable[[], Awaitable[None]]:
    """Return what gives an endpoint back, and does so once only, however often it is called."""
    left = [endpoint]

    async def aclose() -> None:
        if left:
            await left.pop().aclose()

    return aclose


async def _capabilities(
    name: ModelName, options: RemoteOptions, key: Key, endpoint: Endpoint, remembered: Path | None, probe_anew: bool
) -> Capabilities:
    if not probe_anew:
        known = recall(remembered, name) if remembered is not None else None
        known = known or known_capabilities(name, key, endpoint)
        if known is not None:
            return known
    found = await probe(name, options, endpoint, key)
    if remembered is not None:
        remember(remembered, name, found)
    return found
