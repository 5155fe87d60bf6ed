"""What is told beside the table of a batch: one line a run, and how many more there are."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tracewitness.cli.terminal import line
from tracewitness.intake.missing import tells_missing_files
from tracewitness.store.record import AuditRecord

_MOST_LINES = 10


@dataclass(slots=True)
class Lines:
    """The first ten lines of a kind, and how many there are in all."""

    shown: list[str] = field(default_factory=list[str])
    count: int = 0

    def add(self, text: str) -> None:
        """Count a line, and keep it if it is among the first ten."""
        self.count += 1
        if len(self.shown) < _MOST_LINES:
            self.shown.append(text)

    def tell(self, say: Callable[[str], object], noun: str = "") -> None:
        """Say the lines, and in a last one how many more there are.

        Args:
            say: Takes each line.
            noun: What is counted, in the plural.
        """
        for text in self.shown:
            say(text)
        if (more := self.count - len(self.shown)) > 0:
            say(f"... and {more} more{' ' + noun if noun else ''}")


@dataclass(slots=True)
class Remarks:
    """What is told about single runs of a batch.

    Attributes:
        missing_files: Runs whose log names files that are not there.
    """

    missing_files: Lines = field(default_factory=Lines)

    def add(self, record: AuditRecord) -> None:
        """Take in a record."""
        if found := list(filter(tells_missing_files, record.notices)):
            self.missing_files.add(f"{line(record.run_id)}: {'; '.join(found)}")
