"""The five planes, and the note of what intake put where."""

from dataclasses import dataclass
from enum import StrEnum


class Plane(StrEnum):
    """Every byte of a run belongs to exactly one plane."""

    TASK = "task"
    EVIDENCE = "evidence"
    NARRATION = "narration"
    REPORT = "report"
    GRADING = "grading"


class LeakRoute(StrEnum):
    """The leak routes met in real logs (L1-L7), or NONE for text that simply belongs to a hidden plane."""

    NONE = "none"
    FINAL_REPORT = "L1"
    FINISH_ARGUMENTS = "L2"
    SELF_ASSESSMENT = "L3"
    CARRIED_MEMORY = "L4"
    THOUGHTS = "L5"
    ECHO = "L6"
    GRADING_ECHO = "L7"


@dataclass(frozen=True, slots=True)
class Stripped:
    """One thing that intake kept away from the trace side.

    Attributes:
        where: Place in the source, such as ``history[3].model_output.thinking``.
        plane: The plane it was put in.
        route: The leak route it would have opened.
        characters: How many characters it held.
    """

    where: str
    plane: Plane
    route: LeakRoute
    characters: int


@dataclass(frozen=True, slots=True)
class Narrated:
    """The agent's own words at one step."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Echo:
    """A long run of the report's words found where neither the environment nor typing put it.

    Attributes:
        where: Place in the trace, such as ``step 3, action``.
        words: How many words (or, for scripts without spaces, characters) the repeated passage has at least.
    """

    where: str
    words: int
