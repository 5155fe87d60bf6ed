"""The first words of the user of a conversation, where they hold more than the task."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opening:
    """First words taken apart.

    Attributes:
        task: The instruction.
        seen: What the environment showed beside it.
        start_url: The page on which it starts.
        past: What the agent said it did before, which some agents put beside the task.
    """

    task: str
    seen: str = ""
    start_url: str | None = None
    past: str = ""
