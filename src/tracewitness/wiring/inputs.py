"""Runs out of what a user names."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from tracewitness.auditing.one_run import Run
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import ReadSource, read_all, read_by_source
from tracewitness.intake.registry import Registry


def read_inputs(
    paths: Iterable[str | Path],
    registry: Registry,
    *,
    format_name: str | None = None,
    task: str | None = None,
    limit: int | None = None,
    on_skipped: Callable[[Skipped], None] | None = None,
) -> Iterator[Run | IntakeFailure]:
    """Yield the runs that paths hold, with the inputs that could not be read in their midst. Streams.

    Args:
        paths: Files, folders or patterns.
        registry: The formats.
        format_name: Take everything as this format.
        task: The instruction, for logs that do not hold one.
        limit: The most runs to yield.
        on_skipped: Told of every file in a folder that holds no run.
    """
    found = read_all(paths, registry, ReadOptions(task=task), format_name)
    yield from islice(_without_skipped(found, on_skipped), limit)


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
