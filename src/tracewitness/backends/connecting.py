"""The one entry: from a model's name to a model that can be asked."""

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tracewitness.asking.budget import TokenCounter
from tracewitness.asking.capabilities import Capabilities
from tracewitness.asking.port import Asker
from tracewitness.backends.keys import find_key
from tracewitness.backends.missing import needs_packages
from tracewitness.backends.naming import ModelName
from tracewitness.backends.options import RemoteOptions


@dataclass(frozen=True, slots=True)
class Connected:
    """A model that can be asked.

    Attributes:
        asker: The model behind the port.
        capabilities: What it can do.
        count: Counts the tokens of a text as the model does; None where that is not known.
        close: Gives its connections back; the last model of an endpoint closes them.
    """

    asker: Asker
    capabilities: Capabilities
    count: TokenCounter | None
    close: Callable[[], Awaitable[None]]

    async def aclose(self) -> None:
        """Give its connections back."""
        await self.close()


async def connect(
    name: ModelName,
    options: RemoteOptions | None = None,
    remembered: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    probe_anew: bool = False,
) -> Connected:
    """Return a remote model, ready to be asked.

    Args:
        name: The model; one with an empty name means the single model that the endpoint lists.
        options: How it is asked.
        remembered: The file that keeps what was found out about models; None to keep nothing.
        environment: Where the key is looked up; the process's environment by default.
        probe_anew: Find out what it can do even where that is known.

    Raises:
        MissingKeyError: The provider needs a key and none is set.
        MissingPackageError: A package is not installed.
        UnknownModelError: No model was named, and the endpoint does not list exactly one.
        ProbeError: The endpoint could not be reached while it was asked what it can do.
    """
    key = find_key(name, os.environ if environment is None else environment)
    with needs_packages():
        # Loaded here, so that naming a model costs no start-up time where none is asked.
        from tracewitness.backends.opening import open_model  # noqa: PLC0415

        opened = await open_model(name, options or RemoteOptions(), key, remembered, probe_anew=probe_anew)
    return Connected(opened.asker, opened.capabilities, None, opened.aclose)
