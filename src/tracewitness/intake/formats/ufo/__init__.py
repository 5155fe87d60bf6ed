"""Task folders of UFO, UFO2 and UFO3."""

from tracewitness.intake.formats.ufo.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.ufo.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.ufo.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


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
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
