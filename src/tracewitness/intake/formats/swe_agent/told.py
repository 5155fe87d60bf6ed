"""What a trajectory tells, whichever tool wrote it: turns, and the words with which the agent ended."""

from dataclasses import dataclass, field

from tracewitness.findings.causes import Gap
from tracewitness.intake.planes import Stripped
from tracewitness.intake.turns import Turn

SUBMIT = "submit_answer"
"""What handing in is called here, whatever the tool calls it: it acts on nothing."""

UNPARSED = "unparsed"
"""The kind of a message in which the tool found no action."""


@dataclass(slots=True)
class Told:
    """A trajectory.

    Attributes:
        version: Which tool wrote it, and which version.
        task: The issue; empty where no message holds it.
        turns: What was said, done and shown.
        closing: The last words of the agent where it handed in, and their place.
        exit_status: How the run ended, by the word of the tool.
        gaps: Gaps that show.
        stripped: What was kept from the trace side besides the turns.
    """

    version: str
    task: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    closing: tuple[str, str] = ("", "")
    exit_status: str = ""
    gaps: list[Gap] = field(default_factory=list[Gap])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
