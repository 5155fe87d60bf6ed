"""browser-use agent histories."""

from tracewitness.intake.formats.browser_use.detect import detect
from tracewitness.intake.formats.browser_use.history import Generation
from tracewitness.intake.formats.browser_use.read import read
from tracewitness.intake.formats.browser_use.retell import retell
from tracewitness.intake.log_format import RetoldFormat

__all__ = ["FORMAT"]

FORMAT = RetoldFormat(
    name="browser_use",
    summary="browser-use histories (AgentHistory.json; the task is read from the prompt, a sidecar, or --task)",
    versions=tuple(generation.value for generation in Generation),
    package="tracewitness.intake.formats.browser_use",
    detector=detect,
    reader=read,
    reteller=retell,
)
