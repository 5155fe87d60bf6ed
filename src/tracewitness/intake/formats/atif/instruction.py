"""The instruction within the first message of a user, which some agents wrap into their whole prompt."""

from dataclasses import dataclass

_TERMINAL_OPENING = "You are an AI assistant tasked with solving command-line tasks"
_TERMINAL_TASK = "\n\nTask Description:\n"
_TERMINAL_STATE = "\n\nCurrent terminal state:\n"
_EXAMPLE_OPENING = "--------------------- NEW TASK DESCRIPTION ---------------------\n"
_EXAMPLE_CLOSING = "\n--------------------- END OF NEW TASK DESCRIPTION"
_HANDED_ON = (
    "You are picking up work from a previous AI agent",
    "Here are the answers the other agent provided",
    "This session is being continued from a previous conversation",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a first message asks for, and what it shows of the environment."""

    instruction: str
    shown: str = ""


def asked(message: str) -> Asked:
    """Return the instruction of a first message; the whole of it where no prompt that is known stands around it."""
    if message.startswith(_TERMINAL_OPENING) and _TERMINAL_TASK in message:
        task, _, state = message.partition(_TERMINAL_TASK)[2].rpartition(_TERMINAL_STATE)
        return Asked(task, state) if task else Asked(state)
    start = message.rfind(_EXAMPLE_OPENING)
    end = message.find(_EXAMPLE_CLOSING, start + len(_EXAMPLE_OPENING))
    if 0 <= start < end:
        return Asked(message[start + len(_EXAMPLE_OPENING) : end].strip())
    return Asked(message)


def hands_on(message: str) -> bool:
    """Tell a message that sums up earlier work for a model that goes on: nothing of it is of the user."""
    return message.lstrip().startswith(_HANDED_ON)
