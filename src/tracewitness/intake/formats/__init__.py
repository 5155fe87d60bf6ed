"""One folder per log format; each has ``detect``, ``read``, ``split`` and a page for readers."""

from tracewitness.intake.format import Format
from tracewitness.intake.formats.appagent.read import AppAgentFormat
from tracewitness.intake.formats.atif import FORMAT as ATIF
from tracewitness.intake.formats.browser_use import FORMAT as BROWSER_USE
from tracewitness.intake.formats.mobile_agent_runner import FORMAT as MOBILE_AGENT_RUNNER
from tracewitness.intake.formats.mobile_agent_v3 import FORMAT as MOBILE_AGENT_V3
from tracewitness.intake.formats.neutral.read import NeutralFormat
from tracewitness.intake.formats.osworld import FORMAT as OSWORLD
from tracewitness.intake.formats.otlp import FORMAT as OTLP


def built_in() -> tuple[Format, ...]:
    """Return the formats that come with the package."""
    return (
        AppAgentFormat(),
        ATIF,
        BROWSER_USE,
        MOBILE_AGENT_RUNNER,
        MOBILE_AGENT_V3,
        NeutralFormat(),
        OSWORLD,
        OTLP,
    )
