"""browser-use agent histories."""

from tracewitness.intake.formats.browser_use.read import BrowserUseFormat

__all__ = ["BrowserUseFormat"]
