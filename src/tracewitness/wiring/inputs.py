"""Runs out of what a user names."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from os import PathLike
from pathlib import Path

from tracewitness.auditing.one_run import Run
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions, Tasks
from tracewitness.intake.reading import ReadSource, read_all, read_by_source
from tracewitness.intake.registry import Registry
from tracewitness.intake.task_files import TaskFiles


def read_inputs(
    paths: Iterable[str | Path],
    registry: Registry,
    *,
    format_name: str | None = None,
    task: str | None = None,
    tasks: Tasks | None = None,
    evidence: str | PathLike[str] | None = None,
    limit: int | None = None,
    on_skipped: Callable[[Skipped], None] | None = None,
) -> Iterator[Run | IntakeFailure]:
    """Yield the runs that paths hold, with the inputs that could not be read in their midst. Streams.

    Args:
        paths: Files, folders or patterns.
        registry: The formats.
        format_name: Take everything as this format.
        task: The instruction, for logs that do not hold one.
        tasks: Instructions by the id of their task, for such logs.
        evidence: A browser's trace of the same run, joined by time; by default one that lies beside a log.
        limit: The most runs to yield.
        on_skipped: Told of every file in a folder that holds no run.
    """
    side = None if evidence is None else Path(evidence)
    found = read_all(paths, registry, ReadOptions(task=task, tasks=tasks, evidence=side), format_name)
    yield from islice(_without_skipped(found, on_skipped), limit)


def known_tasks(path: str | PathLike[str] | None) -> Tasks | None:
    """Return the instructions that a folder or file holds by the id of their task; None where none is named.

    Raises:
        IntakeError: The tasks cannot be read.
    """
    return None if path is None else TaskFiles.of(Path(path))


def read_sources(
    paths: Iterable[str | Path], registry: Registry, options: ReadOptions, format_name: str | None = None
) -> Iterator[ReadSource | IntakeFailure]:
    """Yield the sources that paths hold, each with its runs, for those who look at a source again."""
    for item in read_by_source(paths, registry, options, format_name):
        if not isinstance(item, Skipped):
            yield item


def _without_skipped(
    found: Iterable[Run | IntakeFailure | Skipped], on_skipped: Callable[[Skipped], None] | None
) -> Iterator[Run | IntakeFailure]:
    for item in found:
        if not isinstance(item, Skipped):
            yield item
        elif on_skipped is not None:
            on_skipped(item)
