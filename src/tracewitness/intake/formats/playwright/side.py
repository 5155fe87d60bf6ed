"""A trace as a side record, whose evidence is joined to another log of the same run."""

from pathlib import Path

from tracewitness.intake.formats.playwright.members import opened_members
from tracewitness.intake.formats.playwright.pictures import Pictures
from tracewitness.intake.formats.playwright.split import moments_of
from tracewitness.intake.formats.playwright.trace_files import read_recordings
from tracewitness.intake.limits import Limits
from tracewitness.intake.side_record import SideRecord


def read_side_record(path: Path, limits: Limits) -> SideRecord:
    """Return what a trace holds, whatever its task was.

    Raises:
        IntakeError: It cannot be read, or is of a version that is not known.
    """
    with opened_members(path, limits) as members:
        recordings = read_recordings(members)
        pictures = Pictures(members, in_archive=True, prefix=path.name)
        every = [moment for one in recordings.found.values() for moment in moments_of(one, pictures.shoot)]
    every.sort(key=lambda moment: moment.start or 0.0)
    damage, found = recordings.damage, recordings.found.values()
    damaged = damage.cut_off or damage.inside or any(one.open_calls or one.cut_pages for one in found)
    return SideRecord(path.name, tuple(every), damaged or bool(pictures.missing))
