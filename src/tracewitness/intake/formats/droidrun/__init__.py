"""Trajectories of DroidRun, now called mobilerun: events, a macro, screenshots and states of the screen."""

from tracewitness.intake.formats.droidrun.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later

__all__ = ["FORMAT"]


def _read() -> Read:
    from tracewitness.intake.formats.droidrun.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.droidrun.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="droidrun",
    summary="DroidRun and mobilerun trajectories (trajectory.json of events, macro.json, ui_states/, screenshots/)",
    versions=("0.3 and 0.4 (code, macro)", "0.5", "0.6 to 0.7 and mobilerun (tool executions)"),
    package=__name__,
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)
