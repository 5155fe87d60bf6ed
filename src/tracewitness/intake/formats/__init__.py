"""One folder per log format; each has ``detect``, ``read``, ``split`` and a page for readers."""

from tracewitness.intake.format import Format
from tracewitness.intake.formats.appagent.read import AppAgentFormat
from tracewitness.intake.formats.atif import FORMAT as ATIF
from tracewitness.intake.formats.browser_use import FORMAT as BROWSER_USE
from tracewitness.intake.formats.inspect_logs import FORMAT as INSPECT
from tracewitness.intake.formats.mobile_agent_e import FORMAT as MOBILE_AGENT_E
from tracewitness.intake.formats.mobile_agent_runner import FORMAT as MOBILE_AGENT_RUNNER
from tracewitness.intake.formats.mobile_agent_v3 import FORMAT as MOBILE_AGENT_V3
from tracewitness.intake.formats.neutral.read import NeutralFormat
from tracewitness.intake.formats.osworld import FORMAT as OSWORLD
from tracewitness.intake.formats.otlp import FORMAT as OTLP
from tracewitness.intake.formats.playwright import FORMAT as PLAYWRIGHT


def built_in() -> tuple[Format, ...]:
    """Return the formats that come with the package."""
    return (
        AppAgentFormat(),
        ATIF,
        BROWSER_USE,
        INSPECT,
        MOBILE_AGENT_E,
        MOBILE_AGENT_RUNNER,
        MOBILE_AGENT_V3,
        NeutralFormat(),
        OSWORLD,
        OTLP,
        PLAYWRIGHT,
    )
