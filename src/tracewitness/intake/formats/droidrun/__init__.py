"""Trajectories of DroidRun, now called mobilerun: events, a macro, screenshots and states of the screen."""

from tracewitness.intake.formats.droidrun.detect import detect
from tracewitness.intake.formats.droidrun.read import read
from tracewitness.intake.log_format import LogFormat

__all__ = ["FORMAT"]

FORMAT = LogFormat(
    name="droidrun",
    summary="DroidRun and mobilerun trajectories (trajectory.json of events, macro.json, ui_states/, screenshots/)",
    versions=("0.3 and 0.4 (code, macro)", "0.5", "0.6 to 0.7 and mobilerun (tool executions)"),
    package=__name__,
    detector=detect,
    reader=read,
)
