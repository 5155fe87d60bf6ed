"""The task plane of a run."""

from dataclasses import dataclass

from tracewitness.findings.labels import TaskClass


@dataclass(frozen=True, slots=True)
class Task:
    """What was asked.

    Attributes:
        instruction: The instruction, verbatim.
        app: The app it concerns, where the log says so.
        start_url: The page the run starts on, where the log says so.
        locale: A locale such as ``de-DE``, where the log says so.
        given_class: A class set by the run file; it overrides the frozen rule.
    """

    instruction: str
    app: str | None = None
    start_url: str | None = None
    locale: str | None = None
    given_class: TaskClass | None = None
