"""How a run ended, by the word of the tool."""

from tracewitness.intake.sealed import HarnessStatus

_LIMITS = ("exit_cost", "exit_context", "exit_format", "limitsexceeded", "repeatedformaterror")
_TIMES = ("timeout", "exit_total_execution_time", "exit_command_timeout", "timeexceeded")
_BY_THE_AGENT = ("submitted", "exit_forfeit", "exit_command")
_UNRECORDED = ("exit_command_timeout", "exit_environment_error", "exit_error")


def ended_by_agent(exit_status: str) -> bool:
    """Tell whether the agent ended the run itself: what is submitted after a limit was reached is submitted for it."""
    word = exit_status.casefold().strip()
    return word in _BY_THE_AGENT


def lost_the_last_action(exit_status: str) -> bool:
    """Tell whether the tool broke off in the midst of a command, which it does not record then."""
    return any(one in exit_status.casefold() for one in _UNRECORDED)


def harness_of(exit_status: str) -> HarnessStatus | None:
    """Return the harness's view; None where the tool says nothing of it."""
    word = exit_status.casefold().strip()
    if not word:
        return None
    if ended_by_agent(word):
        return HarnessStatus.COMPLETED
    if any(time in word for time in _TIMES):
        return HarnessStatus.TIMEOUT
    return HarnessStatus.STEP_LIMIT if any(limit in word for limit in _LIMITS) else HarnessStatus.ERROR
