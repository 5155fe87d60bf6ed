"""AppAgent task folders."""

from tracewitness.intake.formats.appagent.read import AppAgentFormat

__all__ = ["AppAgentFormat"]
