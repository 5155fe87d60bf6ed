"""browser-use agent histories."""

from tracewitness.intake.formats.browser_use.detect import detect
from tracewitness.intake.formats.browser_use.history import Generation
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.browser_use.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.browser_use.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="browser_use",
    summary="browser-use histories (AgentHistory.json; the task is read from the prompt, a sidecar, or --task)",
    versions=tuple(generation.value for generation in Generation),
    package="tracewitness.intake.formats.browser_use",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
