"""What was done before a moment of a run, told without going through the run anew at every moment."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from tracewitness.findings.labels import Language
from tracewitness.trace_side.moves import Played
from tracewitness.trace_side.names import typed_values
from tracewitness.trace_side.view import View
from tracewitness.values.answers import AnswerValue


class Places:
    """The places in the order of steps at which something holds, to be asked about any stretch of it."""

    def __init__(self, played: Sequence[Played], holds: Callable[[Played], bool]) -> None:
        self._places = [place for place, step in enumerate(played) if holds(step)]

    def last(self, end: int) -> int:
        """Return the last such place before ``end``, -1 where there is none."""
        found = bisect_left(self._places, end)
        return self._places[found - 1] if found else -1

    def any(self, start: int, end: int) -> bool:
        """Return whether there is such a place from ``start`` up to, and without, ``end``."""
        return self.last(end) >= max(start, 0)


class Lines:
    """The lines that were seen by a moment; moments must be asked for in order."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, frozenset[str]]] = []
        self._known: set[str] = set()
        self._taken = 0

    def add(self, after_steps: int, view: View) -> None:
        """Note a scene, in time order."""
        self._waiting.append((after_steps, frozenset(e.line for e in view.elements)))

    def until(self, after_steps: int) -> set[str]:
        """Return the lines of the scenes seen after at most so many steps."""
        while self._taken < len(self._waiting) and self._waiting[self._taken][0] <= after_steps:
            self._known |= self._waiting[self._taken][1]
            self._taken += 1
        return self._known


def not_shown_before(
    entered: Iterable[tuple[int, frozenset[AnswerValue]]],
    sights: Iterable[tuple[int, View]],
    language: Language,
) -> frozenset[AnswerValue]:
    """Return the entered values that no screen showed before they were entered.

    Args:
        entered: Positions of steps, in order, with the values each entered.
        sights: Scenes in time order, each with the number of steps executed before it.
        language: The language in which figures are read.
    """
    coming = iter(sights)
    sight = next(coming, None)
    lines: set[str] = set()
    shown: set[AnswerValue] = set()
    own: set[AnswerValue] = set()
    for position, values in entered:
        while sight is not None and sight[0] <= position:
            new = {e.line for e in sight[1].elements} - lines
            lines |= new
            shown.update(value for line in new for value in typed_values(line, language))
            sight = next(coming, None)
        own |= values - shown
    return frozenset(own)
