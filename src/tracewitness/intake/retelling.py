"""Retelling a log: the same run in other words of the agent, written anew, to see whether the reader lets them through.

A retelling changes the source itself, before anything is read: report, flag, narration, grading, and every place where
the format or the run itself repeats them. What is evidence stays as it was. The reader then has to give the same task
and the same trace; where it does not, words of the agent get through.
"""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.paths import is_there
from tracewitness.intake.planes import Plane

Say = Callable[[Plane], str]
"""Gives the words for a plane: report, narration or grading."""

SHORTEST_ECHO = 12
"""A report of fewer characters ("Done.") stands in a log by chance."""


@runtime_checkable
class Retelling(Protocol):
    """A format that can retell its logs. Formats need not; then isolation is proved from the sealed run onward only."""

    def retell(self, candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
        """Write a log in other words of the agent, and return the file or folder.

        Args:
            candidate: The log, which is not touched.
            say: The words.
            flag: What the agent declares: success, failure, or nothing.
            folder: Where to write, with the files beside the log that its reader opens; it does not exist yet, and it
                has the name of the folder that the log lies in (or is).

        Raises:
            IntakeError: The log cannot be read.
            OSError: Something cannot be written.
        """
        ...


def retold_echoes(value: Any, report: str | None, say: Say) -> Any:
    """Return a value with the report in other words wherever a text in it repeats the whole report."""
    if report is None or len(report) < SHORTEST_ECHO:
        return value
    if isinstance(value, str):
        return value.replace(report, say(Plane.REPORT)) if report in value else value
    if isinstance(value, dict):
        return {key: retold_echoes(item, report, say) for key, item in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [retold_echoes(item, report, say) for item in cast(list[Any], value)]
    return value


def copy_files(source: Path, folder: Path, names: Iterable[str]) -> None:
    """Copy files of a folder, named relative to it, to the same places of another one; missing ones are left out."""
    for name in dict.fromkeys(names):
        given, copied = source / name, folder / name
        if is_there(given) and not copied.exists():
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(given, copied)
