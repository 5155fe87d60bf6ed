"""Runs the site on this machine alone, in the event loop of whoever drives the browser."""

import asyncio
import contextlib
import socket
from collections.abc import Generator
from types import TracebackType

import uvicorn

from tracewitness.lab.site.application import application
from tracewitness.lab.site.look import Look
from tracewitness.lab.site.served import Served
from tracewitness.lab.site.visit import Visit
from tracewitness.lab.words.formatting import Formatter
from tracewitness.lab.words.interface import interface_texts
from tracewitness.lab.world.bare_world import BareWorld

HOST = "127.0.0.1"
"""The only address that the site ever binds."""


class _Server(uvicorn.Server):
    """A server that leaves signals to the program that it runs in."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Take no signals."""
        yield


class Site:
    """The site. It serves one world at a time, to one browser.

    Attributes:
        address: Where it is, such as ``http://127.0.0.1:40123``.
        served: What it serves now.
    """

    def __init__(self) -> None:
        self.served: Served | None = None
        self.address = ""
        self._server: _Server | None = None
        self._running: asyncio.Task[None] | None = None

    def show(self, world: BareWorld, look: Look) -> Served:
        """Serve a world in a look from now on, to a browser that was not here before."""
        texts = interface_texts(world.language, look.wording)
        formatter = Formatter(texts, look.dates)
        world.request = 0
        self.served = Served(world, look, texts, formatter, Visit(world.account))
        return self.served

    async def __aenter__(self) -> "Site":
        # The protocol is named so that answers are sent at once: a loop knows TCP by it, and else waits 40 ms for more.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.bind((HOST, 0))
        self.address = f"http://{HOST}:{listening.getsockname()[1]}"
        config = uvicorn.Config(
            application(lambda: self.served),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config)
        self._running = asyncio.create_task(self._server.serve(sockets=[listening]))
        while not self._server.started:
            if self._running.done():
                await self._running
                raise RuntimeError("The site did not start.")
            await asyncio.sleep(0.005)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is None or self._running is None:
            return
        self._server.should_exit = True
        await self._running
        self.served = None
