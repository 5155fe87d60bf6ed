"""How much of an untrusted input is read, and what the user adds to it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tracewitness.intake.finishing import FINISH_KINDS

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what is read. Sizes in bytes.

    Attributes:
        document: Largest file that is read as one JSON document; a larger one is refused with the way out
            (JSON Lines are streamed and have no such bound).
        line: Longest line of a JSON Lines file.
        unpacked: Most that is unpacked from one compressed file.
        dump: Largest UI dump file.
        screenshot: Largest screenshot that is hashed.
        steps: Most steps a run may have.
        depth: How deep a folder is searched.
        members: Most members of a zip file.
    """

    document: int = 256 * MEBIBYTE
    line: int = 64 * MEBIBYTE
    unpacked: int = 4096 * MEBIBYTE
    dump: int = 8 * MEBIBYTE
    screenshot: int = 64 * MEBIBYTE
    steps: int = 100_000
    depth: int = 16
    members: int = 65_536


class Tasks(Protocol):
    """Instructions that lie apart from the logs (:class:`tracewitness.intake.task_files.TaskFiles`)."""

    def find(self, *ids: str) -> str | None:
        """Return the instruction of the first id that is known; None where none is."""
        ...


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader is told besides the file.

    Attributes:
        limits: Bounds on what is read.
        task: The instruction, for formats that do not store it; it never replaces one that the log holds.
        tasks: Instructions by the id of their task, for formats that name the task and do not store it.
        finish_kinds: The kinds of actions by which agents end a run, as ``finishing.bare`` writes them.
        evidence: The side record whose evidence is joined to every run that it fits in time; by default what lies
            beside a log (:mod:`tracewitness.intake.evidence`).
    """

    limits: Limits = field(default_factory=Limits)
    task: str | None = None
    tasks: Tasks | None = None
    finish_kinds: frozenset[str] = FINISH_KINDS
    evidence: Path | None = None
