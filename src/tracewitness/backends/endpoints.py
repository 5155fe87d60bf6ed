"""The HTTP clients and the limit of an endpoint, shared by all models asked there.

A client looks through all its connections for every call, so an endpoint with many calls at once has several clients
with few connections each.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

import httpx2
from pydantic_ai.models import create_async_httpx2_client

from tracewitness.backends.limiting import EndpointLimit, limit_of
from tracewitness.backends.naming import is_loopback

_CONNECT_SECONDS = 10.0
_CONNECTIONS = 24
"""Most connections of one client."""


class Endpoint:
    """The HTTP clients and the limit of an endpoint, in use by one or more models.

    Attributes:
        base_url: Where it is reached.
        lanes: The HTTP clients; they belong to the event loop in which the endpoint was opened.
        limit: How many calls are made at once.
    """

    def __init__(self, base_url: str, concurrency: int, timeout: float) -> None:
        self.base_url = base_url
        self.limit: EndpointLimit = limit_of(base_url, concurrency)
        count = -(-concurrency // _CONNECTIONS)
        self.lanes = tuple(new_http_client(base_url, min(concurrency, _CONNECTIONS), timeout) for _ in range(count))
        self._under_way = [0] * count
        self._users = 1
        self._loop = asyncio.get_running_loop()

    @property
    def http(self) -> httpx2.AsyncClient:
        """Return one of the clients."""
        return self.lanes[0]

    @contextmanager
    def lane(self) -> Generator[int]:
        """Give the number of the client with the fewest calls under way, and count one more there."""
        number = self._under_way.index(min(self._under_way))
        self._under_way[number] += 1
        try:
            yield number
        finally:
            self._under_way[number] -= 1

    @property
    def usable_here(self) -> bool:
        """Return whether the HTTP client belongs to the running event loop and is open."""
        return self._loop is asyncio.get_running_loop() and not self.http.is_closed

    def join(self) -> "Endpoint":
        """Count one user more."""
        self._users += 1
        return self

    async def aclose(self) -> None:
        """Count one user less; the last one closes the HTTP client."""
        self._users -= 1
        if self._users == 0 and not self.http.is_closed:
            for place in [place for place, endpoint in list(_OPEN.items()) if endpoint is self]:
                del _OPEN[place]
            for client in self.lanes:
                await client.aclose()


_OPEN: dict[tuple[str, float], Endpoint] = {}


def open_endpoint(base_url: str, concurrency: int, timeout: float) -> Endpoint:
    """Return the endpoint at a URL, opened now or before in this event loop.

    Args:
        base_url: Where it is reached.
        concurrency: Most calls at once, and the size of the connection pool.
        timeout: Most seconds for one call.
    """
    known = _OPEN.get((base_url, timeout))
    if known is not None and known.usable_here:
        return known.join()
    endpoint = _OPEN[base_url, timeout] = Endpoint(base_url, concurrency, timeout)
    return endpoint


def new_http_client(base_url: str, concurrency: int, timeout: float) -> httpx2.AsyncClient:
    """Return an HTTP client with a connection for every call that may be under way."""
    pool = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    # A proxy named in the environment cannot reach what this machine serves to itself.
    transport = httpx2.AsyncHTTPTransport(limits=pool) if is_loopback(base_url) else None
    # No call waits for a connection: the endpoint's limit lets in no more calls than there are connections.
    seconds = httpx2.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS), pool=None)
    return create_async_httpx2_client(timeout=seconds, limits=pool, transport=transport)
