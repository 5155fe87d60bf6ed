"""Notices on a run that a person should see at once, and how they are told from the others."""

from dataclasses import replace

from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.sealed import SealedRun

_DOUBTED = "read as {name} as told with --format, which the file does not look like: {doubt}"
_BEGINNINGS = ("read as ", "nothing is joined from ")
_BESIDE = " beside the log is not used: "


def told_in_doubt(outcome: SealedRun | IntakeFailure, name: str, doubt: str) -> SealedRun | IntakeFailure:
    """Return what was read of a file as a format that the user told, with the reason why it may be of another.

    Args:
        outcome: The run, or why it could not be read.
        name: The format that was told.
        doubt: Why the format would not have taken the file by itself.
    """
    if isinstance(outcome, SealedRun):
        return replace(outcome, notices=(*outcome.notices, _DOUBTED.format(name=name, doubt=doubt)))
    more = "" if doubt in outcome.problem else f", but {doubt}"
    return replace(outcome, problem=f"{outcome.problem} (read as {name} as told with --format{more})")


def not_joined(name: str, why: str) -> str:
    """Return the notice that nothing of a side record was joined."""
    return f"{_BEGINNINGS[1]}{name}: {why}"


def not_used(name: str, why: str) -> str:
    """Return the notice that a side record beside a log cannot be read."""
    return f"{name}{_BESIDE}{why}"


def is_pressing(notice: str) -> bool:
    """Tell whether a notice is one of these: what the user asked for, or what lies there for it, had no effect."""
    return notice.startswith(_BEGINNINGS) or _BESIDE in notice
