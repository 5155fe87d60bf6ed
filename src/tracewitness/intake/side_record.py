"""A record that something other than the agent's log kept of the same run, such as the trace of its browser."""

from dataclasses import dataclass

from tracewitness.trace_side.trace import Step


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that was done, as a step.

    Attributes:
        step: What was done, with what was observed before and after it.
        start: When it began, in milliseconds since 1970 (UTC); None where the record does not tell.
    """

    step: Step
    start: float | None


@dataclass(frozen=True, slots=True)
class SideRecord:
    """What a record beside a log holds, in order of time.

    Attributes:
        name: How the file is called in notices.
        moments: What was done.
        damaged: Some of it could not be read.
    """

    name: str
    moments: tuple[Moment, ...]
    damaged: bool = False
