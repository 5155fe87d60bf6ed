"""The logs of a lab in the neutral format, as what they say: one file a run, or many runs in one compressed file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import decode_utf8, lines_of, parse_json, read_bytes
from tracewitness.lab.making.made import LabFolder, LabFolderError

PACKED = "runs.jsonl.gz"
"""Many runs in one file, a line each."""

_ONE = "run.json"


@dataclass(frozen=True, slots=True)
class _Seen:
    text: str | None = None
    ui_tree: str | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    before: _Seen | None = None
    after: _Seen | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class _Report:
    text: str | None = None
    declared_status: str | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """What the log of a run in the neutral format shows and says.

    Attributes:
        run_id: The run.
        steps: What was seen before and after each action, and its error.
        report: What the agent said in the end, with its own flag.
    """

    run_id: str
    steps: tuple[_Step, ...]
    report: _Report | None = None

    @property
    def words(self) -> str:
        """Return all words of trace and report; those of the task are none of them."""
        seen = [one for step in self.steps for one in (step.before, step.after) if one is not None]
        shown = (words for one in seen for words in (one.text, one.ui_tree))
        report = self.report.text if self.report else None
        return "\n".join(filter(None, (*shown, *(step.error for step in self.steps), report)))

    @property
    def declared(self) -> str | None:
        """Return the agent's own flag."""
        return self.report.declared_status if self.report else None


_LOG = TypeAdapter(Log)


def neutral_logs(lab: LabFolder, profile: str) -> Iterator[Log]:
    """Yield the logs of a profile in the neutral format; none where there are none.

    Raises:
        LabFolderError: One cannot be read.
    """
    folder = lab.logs(profile, "neutral")
    for path in sorted((*folder.glob(PACKED), *folder.glob(f"[!.]*/{_ONE}"))):
        try:
            yield from (_LOG.validate_python(parse_json(text)) for text in _documents(path))
        except IntakeError as error:
            raise LabFolderError(error.at(str(path)).line()) from error
        except ValidationError as error:
            raise LabFolderError(f"{path}: is no log of a lab") from error


def _documents(path: Path) -> Iterator[str]:
    if path.name == _ONE:
        yield decode_utf8(read_bytes(path, Limits().document))
        return
    for line in lines_of(path, Limits()):
        yield decode_utf8(line.content, f"line {line.number}")
