"""tracewitness checks what an AI agent says about its own run against the recorded trace."""

from tracewitness.version import __version__

__all__ = ["__version__"]
