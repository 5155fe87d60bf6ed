"""What is told beside the table of a batch: one line a run, and how many more there are."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tracewitness.auditing.explain import TRIAGE_WORDS
from tracewitness.cli.terminal import line
from tracewitness.intake.missing import tells_missing_files
from tracewitness.intake.remarked import is_pressing
from tracewitness.store.record import AuditRecord
from tracewitness.values.plurals import plural

_MOST_LINES = 10
_OF_THE_END = "the log has no "
"""How a reader's notice on a missing end begins."""


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
        not_audited: Runs that triage settled or found not auditable, each with the cause.
        missing_files: Runs whose log names files that are not there.
        pressing: Notices that a person should see at once, each with how many runs it is of.
    """

    not_audited: Lines = field(default_factory=Lines)
    missing_files: Lines = field(default_factory=Lines)
    pressing: Counter[str] = field(default_factory=Counter[str])

    def add(self, record: AuditRecord) -> None:
        """Take in a record."""
        if record.decision is None:
            self.not_audited.add(f"{line(record.run_id)}: {_cause(record)}")
        if found := list(filter(tells_missing_files, record.notices)):
            self.missing_files.add(f"{line(record.run_id)}: {'; '.join(found)}")
        self.add_pressing(record.notices)

    def add_pressing(self, notices: Iterable[str]) -> None:
        """Take in the notices of a run."""
        self.pressing.update(map(line, filter(is_pressing, notices)))

    def tell_pressing(self, say: Callable[[str], object], evidence: str | None, runs: int) -> None:
        """Say what had no effect, a line a kind with its count, and that one side record was named for several runs.

        Args:
            say: Takes each line.
            evidence: The side record that the user named.
            runs: How many runs there were.
        """
        lines = Lines()
        for notice, count in self.pressing.most_common():
            lines.add(f"{plural(count, 'run')}: {notice}")
        lines.tell(say, "notices of this kind")
        if evidence is not None and runs > 1:
            say(f"--evidence {evidence} was held against each of {runs} runs, by time; it is the trace of one browser")


def _cause(record: AuditRecord) -> str:
    """Return why a run was not audited, with what the log's reader says of its end."""
    ended = next((notice for notice in record.notices if notice.startswith(_OF_THE_END)), "")
    return TRIAGE_WORDS[record.triage] + (f" ({ended.partition(':')[0]})" if ended else "")
