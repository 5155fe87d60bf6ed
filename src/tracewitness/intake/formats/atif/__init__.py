"""The Agent Trajectory Interchange Format (ATIF): reader and writer."""

from tracewitness.intake.formats.atif.detect import detect
from tracewitness.intake.formats.atif.document import VERSIONS
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.atif.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.atif.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="atif",
    summary="ATIF trajectories (Harbor and others): trajectory.json, trial folders, files of one trajectory a line",
    versions=VERSIONS,
    package="tracewitness.intake.formats.atif",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
