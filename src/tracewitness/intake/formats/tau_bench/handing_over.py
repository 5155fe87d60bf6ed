"""The tool by which an agent of tau-bench and tau2 hands its user over to a person, which ends the run.

Its argument is a note to that person about what the user wants, and no word on the outcome. That the agent hands over
says that it did not do what was asked for: its own flag, failure.
"""

from collections.abc import Sequence
from dataclasses import replace

from tracewitness.intake.finishing import FINISH, bare
from tracewitness.intake.turn_split import Conversation
from tracewitness.intake.turns import Turn
from tracewitness.report_side.report import DeclaredStatus, Report

HANDED_OVER = bare("transfer_to_human_agents")


def handed_over(told: Conversation, turns: Sequence[Turn]) -> Conversation:
    """Return a conversation with the flag as its report, where handing over ended it."""
    last = next((turn for turn in reversed(turns) if turn.calls or turn.text.strip()), None)
    ends = bool(told.steps) and told.steps[-1].action.kind == FINISH
    if last is None or not ends or not last.calls or bare(last.calls[-1].name) != HANDED_OVER:
        return told
    return replace(told, report=Report(None, DeclaredStatus.FAILURE))
