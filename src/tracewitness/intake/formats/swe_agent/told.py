"""What a trajectory tells, whichever tool wrote it: turns, and the words with which the agent ended."""

from dataclasses import dataclass, field

from tracewitness.findings.causes import Gap
from tracewitness.intake.planes import Stripped
from tracewitness.intake.turns import Turn

SUBMIT = "submit_answer"
"""What handing in is called here, whatever the tool calls it: it acts on nothing."""

UNPARSED = "unparsed"
"""The kind of a message in which the tool found no action."""

NOT_DONE = "action was not executed"
"""What is said of a command that was not carried out."""

_PATCH = "diff --git "
_MARK = "<<SWE_AGENT_SUBMISSION>>"


def patch_in(shown: str) -> str:
    """Return the patch that a tool shows when the agent hands in; empty where it shows anything else.

    A patch is what the environment says was changed. Other text that is handed in is the agent's.
    """
    bare = shown.replace(_MARK, "").strip()
    return bare if bare.startswith(_PATCH) else ""


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
        notices: What a person should know.
    """

    version: str
    task: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    closing: tuple[str, str] = ("", "")
    exit_status: str = ""
    gaps: list[Gap] = field(default_factory=list[Gap])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    notices: list[str] = field(default_factory=list[str])
