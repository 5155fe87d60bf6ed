"""The tool by which an agent of tau-bench and tau2 hands its user over to a person, which ends the run.

Its argument is a note to that person about what the user wants, and no word on the outcome. That the agent hands over
says that it did not do what was asked for: its own flag, failure.
"""

from collections.abc import Sequence
from dataclasses import replace

from tracewitness.intake.finishing import FINISH, bare
from tracewitness.intake.turn_split import Conversation
from tracewitness.intake.turns import Speaker, Turn
from tracewitness.report_side.report import DeclaredStatus, Report

HANDED_OVER = bare("transfer_to_human_agents")
_SAID_BY_POLICY = bare("YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON.")
"""What the policies of the benchmarks have every agent say after the tool; it tells nothing more than the call."""


def handed_over(told: Conversation, turns: Sequence[Turn]) -> Conversation:
    """Return a conversation with the flag in its report, where handing over ended it.

    What the agent says behind it is the rest of the report; the note to the person is no part of it.
    """
    last = max((at for at, turn in enumerate(turns) if turn.calls), default=-1)
    ends = bool(told.steps) and told.steps[-1].action.kind == FINISH
    if last < 0 or not ends or bare(turns[last].calls[-1].name) != HANDED_OVER:
        return told
    said = [turn.text.strip() for turn in turns[last + 1 :] if turn.speaker is Speaker.AGENT and turn.text.strip()]
    words = "\n\n".join(text for text in said if bare(text) != _SAID_BY_POLICY)
    return replace(told, report=Report(words or None, DeclaredStatus.FAILURE))
