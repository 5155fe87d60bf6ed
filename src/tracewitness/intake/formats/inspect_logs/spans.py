"""Where in a transcript an event stands: what scorers did is grading, and a tool that calls a model gives its words."""

from dataclasses import dataclass, field
from typing import Any

_SCORING = frozenset({"scorer", "scorers"})


@dataclass(slots=True)
class Spans:
    """The spans of a transcript, and which call each tool span is of.

    Transcripts before spans mark the same by steps that begin and end.
    """

    parents: dict[str, str | None] = field(default_factory=dict[str, str | None])
    types: dict[str, str | None] = field(default_factory=dict[str, str | None])
    names: dict[str, str] = field(default_factory=dict[str, str])
    calls: dict[str, str] = field(default_factory=dict[str, str])
    scoring_steps: int = 0

    def note(self, event: Any, key: str) -> None:
        """Take an event into account; ``key`` stands for the call of a tool event."""
        if event.event == "span_begin":
            self.parents[event.id], self.types[event.id] = event.parent_id, event.type
            self.names[event.id] = event.name
        elif event.event == "step" and event.type in _SCORING:
            self.scoring_steps += 1 if event.action == "begin" else -1
        elif event.event == "tool":
            self._claim(event, key)

    def _claim(self, event: Any, key: str) -> None:
        """Take the last span of this tool that no call has yet as the one of this call."""
        for span in reversed(self.types):
            free = span not in self.calls and self.types[span] == "tool" and self.names[span] == event.function
            if free and self.parents[span] == event.span_id:
                self.calls[span] = key
                return

    def is_scoring(self, event: Any) -> bool:
        """Tell whether an event is of a scorer."""
        return self.scoring_steps > 0 or any(self.types.get(span) in _SCORING for span in self._above(event.span_id))

    def call_around(self, event: Any) -> str | None:
        """Return the call within which an event happened; None where it happened within none."""
        return next((self.calls[span] for span in self._above(event.span_id) if span in self.calls), None)

    def _above(self, span: str | None) -> list[str]:
        found: list[str] = []
        while span is not None and span not in found:
            found.append(span)
            span = self.parents.get(span)
        return found
