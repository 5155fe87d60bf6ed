"""Task folders of UFO, UFO2 and UFO3."""

from tracewitness.intake.formats.ufo.detect import detect
from tracewitness.intake.formats.ufo.read import read
from tracewitness.intake.formats.ufo.retell import retell
from tracewitness.intake.log_format import RetoldFormat

FORMAT = RetoldFormat(
    name="ufo",
    summary="UFO, UFO2 and UFO3 task folders (response.log with numbered screens and UI trees)",
    versions=(
        "UFO v1 (keys such as ControlText)",
        "UFO2 (Action as a list)",
        "UFO3 (session_step, action with a result)",
    ),
    package="tracewitness.intake.formats.ufo",
    detector=detect,
    reader=read,
    reteller=retell,
)

__all__ = ["FORMAT"]
