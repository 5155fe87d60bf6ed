"""The trajectories of other agents that stand in a document, each to be read once, where a result refers to it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracewitness.intake.untyped import objects_of, text_of


@dataclass(frozen=True, slots=True)
class Other:
    """The trajectory of another agent, with its place."""

    where: str
    document: dict[str, Any]

    @property
    def acts(self) -> bool:
        """Whether it holds calls."""
        return any(step.get("tool_calls") for step in objects_of(self.document.get("steps")))


@dataclass(slots=True)
class Others:
    """The trajectories by their ids; the id of a session is none of them, for siblings may share it.

    Attributes:
        left: Those that were not read.
    """

    left: dict[str, Other] = field(default_factory=dict[str, Other])

    @classmethod
    def of(cls, document: dict[str, Any]) -> "Others":
        """Return those that stand in a document."""
        listed = enumerate(objects_of(document.get("subagent_trajectories")))
        found = [Other(f"subagent_trajectories[{at}]", one) for at, one in listed]
        return cls({text_of(one.document.get("trajectory_id")) or one.where: one for one in found})

    def take(self, result: dict[str, Any]) -> list[Other]:
        """Return those that a result refers to; none unless all that it refers to stand here."""
        ids = [text_of(one.get("trajectory_id")) for one in objects_of(result.get("subagent_trajectory_ref"))]
        if not ids or not all(one in self.left for one in ids):
            return []
        return [self.left.pop(one) for one in dict.fromkeys(ids)]

    def acting(self) -> Iterator[Other]:
        """Yield those that were not read and hold calls."""
        return (one for one in self.left.values() if one.acts)
