"""What is known of a browser-use run while its rounds go by."""

from dataclasses import dataclass, field
from typing import Any

from tracewitness.intake.errors import BadRunError
from tracewitness.intake.formats.browser_use.history import (
    Generation,
    Round,
    follow_ups_in,
    generation_of,
    nothing_happened,
    round_of,
    task_of,
)
from tracewitness.intake.formats.browser_use.screens import Screens
from tracewitness.intake.formats.browser_use.split import Splitter, closing_report, said_at_the_end
from tracewitness.report_side.report import Report
from tracewitness.trace_side.trace import Observation

_LIMIT = "Failed to complete task in maximum steps"
"""The error of the round that browser-use adds where the agent did not end within its steps."""


@dataclass(slots=True)
class Gathered:
    """What is known of the run after the rounds met so far. Of a round nothing stays but what the run needs.

    A round is split when the next one has come, since that one shows what its last action led to.

    Attributes:
        first: The number that its first round has where none is missing.
        follow_ups: How many requests of the user came after the first one, up to the one that this run is about.
        limited: Whether the last round says that the steps were used up.
    """

    splitter: Splitter
    screens: Screens
    generation: Generation | None = None
    task: str | None = None
    prompted: bool = False
    report: Report | None = None
    ended: bool = False
    skipped: bool = False
    first: int = 1
    follow_ups: int = 0
    limited: bool = False
    waiting: tuple[Round, Observation | None] | None = field(default=None)

    def followed_by(self, item: Any) -> "Gathered | None":
        """Return what is known of the next run where a round begins one: the user asked for something more.

        Args:
            item: The round as a history holds it.
        """
        asked = follow_ups_in(item)
        if self.waiting is None:
            self.follow_ups = asked
        if asked <= self.follow_ups or self.waiting is None:
            return None
        splitter, screens = Splitter(self.splitter.finish_kinds), Screens.beside(self.screens.folder)
        return Gathered(splitter, screens, first=self.waiting[0].number + 1, follow_ups=asked)

    def add(self, item: Any, position: int, source: str = "") -> None:
        """Take in the next round.

        Args:
            item: The round as a history holds it.
            position: Its place in the run, from 0.
            source: The file it was read from, where a run is more than one file.

        Raises:
            BadRunError: A part of it has another type than in any known generation, or there are too many actions.
        """
        one = round_of(item, position, source)
        self.generation = self.generation or generation_of(item)
        if one.message and not self.prompted:
            self.prompted, self.task = True, task_of(one)
        seen = self.screens.observation(one)
        if self.waiting is None:
            self.skipped = one.number > self.first
        else:
            before, shown = self.waiting
            follows = one.number == before.number + 1
            self.skipped = self.skipped or not follows
            self.splitter.add(before, shown, seen if follows else None, last_round=False)
        self.waiting = one, seen
        self.report = said_at_the_end(one) or self.report
        self.ended = any(result.get("is_done") for result in one.results)
        self.limited = not one.has_output and any(result.get("error") == _LIMIT for result in one.results)
        most = self.screens.folder.limits.steps
        if len(self.splitter.steps) > most:
            raise BadRunError(f"more than {most} actions", "split the history")

    def end(self) -> None:
        """Say that no more rounds come.

        Raises:
            EmptyError: There was none.
        """
        if self.waiting is None:
            raise nothing_happened()
        closing = closing_report(self.waiting[0], self.splitter.finish_kinds)
        if closing is not None:
            self.report, self.ended = closing, True
        self.splitter.add(*self.waiting, None, last_round=True)
        self.splitter.end()
