"""The formats that come with the package."""

from tracewitness.intake.format import Format
from tracewitness.intake.formats.appagent import AppAgentFormat
from tracewitness.intake.formats.browser_use import BrowserUseFormat
from tracewitness.intake.formats.neutral import NeutralFormat


def built_in() -> tuple[Format, ...]:
    """Return the formats that come with the package."""
    return (AppAgentFormat(), BrowserUseFormat(), NeutralFormat())
