"""What a model can do, asked anew."""

import asyncio

from tracewitness.asking.capabilities import Capabilities
from tracewitness.backends.connecting import connect
from tracewitness.backends.errors import ModelError
from tracewitness.backends.naming import Provider, parse_model_name
from tracewitness.wiring.choices import ModelChoice
from tracewitness.wiring.models import connect_local
from tracewitness.wiring.settings import capabilities_file


def probed(text: str) -> Capabilities:
    """Return what a model can do. What was found is remembered for later audits.

    Raises:
        ModelError: The text names no model, or the model cannot be asked.
    """
    name = parse_model_name(text)
    if name.provider is Provider.RULES:
        raise ModelError("rules: no model is asked")
    if name.provider is Provider.LOCAL:
        return connect_local(name, ModelChoice()).capabilities

    async def probe() -> Capabilities:
        connected = await connect(name, ModelChoice().remote_options, capabilities_file(), probe_anew=True)
        await connected.aclose()
        return connected.capabilities

    return asyncio.run(probe())
