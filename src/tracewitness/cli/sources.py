"""Which format each source of a batch was read as, told while the batch is read."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePath

_MOST_LINES = 20

Say = Callable[[str], None]


@dataclass(slots=True)
class Sources:
    """Tells one line for each source and format, such as ``runs: appagent (4 runs)``, as soon as the source is through.

    A source is a file or folder as the user named it; for runs found inside a folder, or by a pattern, the folder that
    they lie in. After twenty lines the rest are counted in one.

    Attributes:
        named: What the user named.
        say: Takes each line.
    """

    named: frozenset[str]
    say: Say
    _place: str = ""
    _counts: Counter[str] = field(default_factory=Counter[str])
    _lines: int = 0
    _untold: int = 0

    @classmethod
    def of(cls, paths: Iterable[str], say: Say) -> "Sources":
        """Return the teller for what a user named."""
        return cls(frozenset(str(PurePath(path)) for path in paths), say)

    def add(self, origin: str, format_name: str) -> None:
        """Count a run that was read from a place as a format."""
        place = self._source(origin)
        if place != self._place:
            self._tell()
            self._place = place
        self._counts[format_name] += 1

    def finish(self) -> None:
        """Tell the last source, and how many were not told."""
        self._tell()
        if self._untold:
            self.say(f"and {self._untold} more places (--json names the format of each run)")

    def _source(self, origin: str) -> str:
        path = PurePath(origin)
        return str(path) if str(path) in self.named else str(path.parent)

    def _tell(self) -> None:
        for name, count in sorted(self._counts.items()):
            if self._lines < _MOST_LINES:
                self.say(f"{self._place}: {name} ({count} run{'' if count == 1 else 's'})")
                self._lines += 1
            else:
                self._untold += 1
        self._counts.clear()
