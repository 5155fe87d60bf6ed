"""Which format each source of a batch was read as, told while the batch is read."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePath

from tracewitness.values.plurals import plural

_MOST_LINES = 20

Say = Callable[[str], None]


@dataclass(slots=True)
class Sources:
    """Tells one line for each source, such as ``runs: appagent (4 runs), atif (1 run)``, as soon as it is through.

    A source is a file or folder as the user named it; for runs found inside a folder, or by a pattern, the folder that
    they lie in. A folder is through when a run lies neither in it nor below it. After twenty lines the rest are counted
    in one.

    Attributes:
        named: What the user named.
        say: Takes each line.
    """

    named: frozenset[str]
    say: Say
    _open: list[tuple[PurePath, Counter[str]]] = field(default_factory=list[tuple[PurePath, Counter[str]]])
    _lines: int = 0
    _untold: int = 0

    @classmethod
    def of(cls, paths: Iterable[str], say: Say) -> "Sources":
        """Return the teller for what a user named."""
        return cls(frozenset(str(PurePath(path)) for path in paths), say)

    def add(self, origin: str, format_name: str) -> None:
        """Count a run that was read from a place as a format."""
        place = self._source(origin)
        while self._open and not place.is_relative_to(self._open[-1][0]):
            self._tell()
        if not self._open or self._open[-1][0] != place:
            self._open.append((place, Counter()))
        self._open[-1][1][format_name] += 1

    def finish(self) -> None:
        """Tell the last sources, and how many were not told."""
        while self._open:
            self._tell()
        if self._untold:
            self.say(f"and {plural(self._untold, 'more place')} (--json names the format of each run)")

    def _source(self, origin: str) -> PurePath:
        path = PurePath(origin)
        return path if str(path) in self.named else path.parent

    def _tell(self) -> None:
        place, counts = self._open.pop()
        if self._lines < _MOST_LINES:
            took = ", ".join(f"{name} ({plural(count, 'run')})" for name, count in sorted(counts.items()))
            self.say(f"{place}: {took}")
            self._lines += 1
        else:
            self._untold += 1
