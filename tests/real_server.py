"""A real server of a real (if tiny) model, in a process of its own; it speaks the OpenAI protocol under ``/v1``."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

CONTEXT = 4096
"""Tokens that one call may take."""

_SLOTS = 2
_SECONDS = 120


class RealServer:
    """The server. Use it as a context manager, or ``start`` and ``stop``.

    Attributes:
        root: Its URL.
        url: The base URL of its OpenAI protocol.
        pid: The number of its process.
    """

    def __init__(self, model: Path) -> None:
        self._model = model
        self._process: subprocess.Popen[str] | None = None
        self.root = ""

    @property
    def url(self) -> str:
        """Return the base URL of its OpenAI protocol."""
        return f"{self.root}/v1"

    @property
    def pid(self) -> int:
        """Return the number of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> "RealServer":
        """Start it, and wait until it answers."""
        command = [sys.executable, __file__, str(self._model)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("at "):
                self.root = line.removeprefix("at ").strip()
                break
        else:
            raise RuntimeError(f"the server ended with {self._process.wait()}")
        self._wait()
        return self

    def stop(self) -> None:
        """End its process."""
        if self._process is not None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()

    def _wait(self) -> None:
        until = time.monotonic() + _SECONDS
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while time.monotonic() < until:
            try:
                with opener.open(f"{self.root}/health", timeout=5) as reply:
                    if reply.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise TimeoutError("the server does not answer")


def serve(model: str) -> None:
    """Serve a model on an ephemeral port of this machine until the process ends; tell the address on the first line."""
    import xllamacpp  # noqa: PLC0415 # pyright: ignore[reportMissingTypeStubs]

    library: Any = xllamacpp
    params = library.CommonParams()
    params.model.path = model
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = _SLOTS
    params.n_ctx = CONTEXT * _SLOTS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = library.Server(params)
    print(f"at {server.listening_address}", flush=True)
    while os.getppid() != 1:
        time.sleep(1)


if __name__ == "__main__":
    serve(sys.argv[1])
