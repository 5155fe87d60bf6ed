"""The evidence plane of a run."""

from dataclasses import dataclass

from tracewitness.findings.causes import Gap
from tracewitness.values.digests import Digest

USER_SAYS = "user says: "
"""Before every line of an observation that a user said: no word of the environment, and never evidence of its state."""


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A screenshot by name and content digest; ``digest`` is None where the file is missing or may not be opened."""

    name: str
    digest: Digest | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """What the environment showed: plain text, a UI dump, a URL or activity name, a screenshot. Any may be None."""

    text: str | None = None
    ui_tree: str | None = None
    url: str | None = None
    screenshot: Screenshot | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """One executed action.

    Attributes:
        kind: click, type, scroll, navigate, tool, ... or ``finish`` (the agent ended here; carries nothing else).
        target: The widget or tool acted on, as far as the log or the UI dump tells.
        text: What was typed.
        raw: The action as logged, without narration.
        executed: False where the log shows that the action was written down but never carried out.
    """

    kind: str
    target: str | None = None
    text: str | None = None
    raw: str | None = None
    executed: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One round: an action with the observations just before and just after it.

    ``after`` is also filled where the format stores only the next step's ``before`` (see the reader's page).
    """

    index: int
    action: Action
    before: Observation | None = None
    after: Observation | None = None
    error: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The recorded steps with the gaps that intake already knows of. Step indexes are strictly increasing."""

    steps: tuple[Step, ...]
    gaps: tuple[Gap, ...] = ()
