"""A recording as an ATIF trajectory."""

from pathlib import Path
from typing import Any

from tracewitness.intake.formats.atif.write import to_atif
from tracewitness.intake.formats.neutral.read import checked
from tracewitness.intake.formats.neutral.split import Place, seal
from tracewitness.intake.limits import Limits
from tracewitness.intake.paths import RunFolder
from tracewitness.lab.recording.as_neutral import as_neutral
from tracewitness.lab.recording.recording import Recording


def as_atif(recording: Recording, source: str, folder: Path) -> dict[str, Any]:
    """Return a run as an ATIF trajectory, which the writer of ``convert`` makes of the neutral format.

    Args:
        recording: The run.
        source: Where the log comes from, for grouping.
        folder: Where the trajectory will lie, with its ``pictures`` beside it already.
    """
    limits = Limits()
    run = checked({**as_neutral(recording), "source": source}, limits)
    return to_atif(seal(run, Place(recording.run_id, recording.run_id, RunFolder(folder, limits))))
