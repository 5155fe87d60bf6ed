"""A run as turns of a conversation, which is how chats, tool calls and spans are all recorded.

A reader of such a format turns its log into :class:`Turn` objects and says nothing about planes;
:func:`tracewitness.intake.turn_split.split_turns` sorts them, the same way for every format.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tracewitness.intake.calls import Call
from tracewitness.trace_side.trace import Screenshot


class Speaker(StrEnum):
    """Who a turn is by."""

    SYSTEM = "system"
    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Result:
    """What the environment answered to a call.

    Attributes:
        text: Its words.
        call_id: The call it answers; None where the log pairs them by order.
        failed: Whether the log says that the call failed; its words are the error then.
        screenshot: The picture it came with; of several the last.
        hidden: Whether its words are a model's (a summary of a page, the agent's notes), so that they stay out.
        url: The address the environment was at, where the log says so.
        ui_tree: A dump of the interface, where the log holds one.
        inside: Whether the log holds what another agent did for this call, as turns of its own.
    """

    text: str = ""
    call_id: str | None = None
    failed: bool = False
    screenshot: Screenshot | None = None
    hidden: bool = False
    url: str | None = None
    ui_tree: str | None = None
    inside: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn.

    Attributes:
        speaker: Who it is by.
        where: Its place in the log, such as ``messages[3]``.
        text: Its words.
        reasoning: Thoughts that the log holds apart from the words.
        calls: What an agent called, in order.
        results: What the environment answered, in a turn of its own or one of the user.
        screenshot: A picture that came with the words of a user or of the environment.
        time: ISO 8601, where the log has it.
        copied: The turn repeats or summarises earlier ones (compaction); all of it is narration.
        spoke: It is a message to somebody even where it has no words, so that the words decide nothing.
        cut: The log says that the model was stopped in the midst of it (a limit of tokens, a filter): no words of it
            are a report.
    """

    speaker: Speaker
    where: str
    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    screenshot: Screenshot | None = None
    time: str | None = None
    copied: bool = False
    spoke: bool = False
    cut: bool = False

    @property
    def speaks(self) -> bool:
        """Whether an agent says something in it, besides what it does."""
        return self.speaker is Speaker.AGENT and not self.calls and (self.spoke or bool(self.text.strip()))


def without_closing_words(turns: Sequence[Turn]) -> list[Turn]:
    """Return turns with the agent's words at their end as thoughts: a run that was stopped has no closing words."""
    acted = (at for at, turn in enumerate(turns) if turn.speaker is not Speaker.AGENT or turn.calls)
    last = max(acted, default=-1)
    ended = [
        replace(turn, text="", spoke=False, reasoning=f"{turn.reasoning}\n{turn.text}".strip())
        for turn in turns[last + 1 :]
    ]
    return [*turns[: last + 1], *ended]
