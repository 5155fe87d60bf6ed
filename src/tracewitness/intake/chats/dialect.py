"""What a dialect of chats is: how its messages are told, and how they become turns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.turns import Turn

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Placed:
    """A message with its place in the log, such as ``messages[3]``."""

    where: str
    message: Message


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect.

    Attributes:
        name: The format's name.
        lists: The keys under which requests and dumps hold the messages.
        is_message: Tells whether an object is a message of any dialect with these lists.
        answers: Returns the messages that a response of the interface holds; none where an object is no response.
        turns: Turns messages into turns.
    """

    name: str
    lists: tuple[str, ...]
    is_message: Callable[[Any], bool]
    answers: Callable[[Message], list[tuple[str, Message]]]
    turns: Callable[[Sequence[Placed], ChatPictures], list[Turn]]
