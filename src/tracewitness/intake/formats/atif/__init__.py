"""The Agent Trajectory Interchange Format (ATIF): reader and writer."""

from tracewitness.intake.formats.atif.detect import detect
from tracewitness.intake.formats.atif.document import VERSIONS
from tracewitness.intake.formats.atif.read import read
from tracewitness.intake.formats.atif.retell import retell
from tracewitness.intake.formats.atif.write import to_atif
from tracewitness.intake.log_format import RetoldFormat

FORMAT = RetoldFormat(
    name="atif",
    summary="ATIF trajectories (Harbor and others): trajectory.json, trial folders, files of one trajectory a line",
    versions=VERSIONS,
    package="tracewitness.intake.formats.atif",
    detector=detect,
    reader=read,
    reteller=retell,
)

__all__ = ["FORMAT", "to_atif"]
