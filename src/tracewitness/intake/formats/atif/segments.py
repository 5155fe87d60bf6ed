"""A trajectory with the files that continue it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.atif.document import is_atif
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.untyped import list_of, object_of, text_of

_MOST_SEGMENTS = 1_000


@dataclass(slots=True)
class Segments:
    """The steps of a trajectory over all its files.

    Attributes:
        folder: The folder of the run.
        log: The path of the first file in it.
        steps: Places and steps in order.
        broken: Why the files end before the trajectory does; None where they do not.
        odd: Entries of the lists of steps that are none.
    """

    folder: RunFolder
    log: str
    steps: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    broken: str | None = None
    odd: int = 0

    def read(self, document: dict[str, Any]) -> None:
        """Read a document and what continues it."""
        read = {PurePosixPath(self.log).name}
        where = ""
        while True:
            self._add(document, where)
            following = text_of(document.get("continued_trajectory_ref"))
            if not following:
                return
            name = next(filter(self._is_file, self._names(following)), None)
            if name is None or name in read or len(read) >= _MOST_SEGMENTS:
                self.broken = f"the continuation {following[:80]} is missing"
                return
            read.add(name)
            found = self._document(name)
            if not is_atif(found):
                self.broken = f"the continuation {name} cannot be read"
                return
            document, where = found, f"{name}: "

    def _add(self, document: dict[str, Any], where: str) -> None:
        for at, step in enumerate(list_of(document.get("steps"))):
            if isinstance(step, dict):
                self.steps.append((f"{where}steps[{at}]", object_of(step)))
            else:
                self.odd += 1

    def _names(self, following: str) -> Iterator[str]:
        """Yield the names of a continuation: as it is given, and as it is called where the first file was renamed."""
        bare = PurePosixPath(following.replace("\\", "/")).name
        yield bare
        stem, _, ending = bare.partition(".cont-")
        if stem and ending:
            yield f"{PurePosixPath(self.log).name.removesuffix('.json')}.cont-{ending}"

    def _is_file(self, name: str) -> bool:
        try:
            return self.folder.locate(self.path(name)).is_file()
        except (IntakeError, OSError):
            return False

    def _document(self, name: str) -> dict[str, Any]:
        try:
            return object_of(Candidate(self.folder.locate(self.path(name)), name, self.folder.limits).document)
        except IntakeError:
            return {}

    def path(self, name: str) -> str:
        """Return the path in the run's folder of a file beside the trajectory."""
        return (PurePosixPath(self.log).parent / name).as_posix()
