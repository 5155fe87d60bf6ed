"""Calls of which nobody can tell whether they acted: their words are kept out, so what they did is missing.

A tool for notes may be the agent's own, or an app in which it was asked to note something down. Where the task or the
other tools speak of such notes, they may be the app's. That is a gap: absence of evidence, which proves nothing.
"""

import re
from collections.abc import Iterator, Sequence

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import UNREADABLE
from tracewitness.intake.finishing import FINISH, own_name
from tracewitness.intake.roles import Role
from tracewitness.intake.turn_steps import Told
from tracewitness.values.folding import fold

_NOTED = ("todo", "note", "memo", "reminder", "plan", "task")
_OWN = frozenset({"todowrite", "writetodos", "updateplan", "taskcreate", "taskupdate", "tasktracker"})
"""Tools that programs are known to give an agent for itself."""
_MESSAGES = frozenset({"sendmessage", "reply", "setstatus"})
"""Tools that speak to somebody whom the screen tells, or to the agent's own user."""
_SPACES = re.compile(r"[\W_]+")


def doubted(told: Sequence[Told], task: str) -> Iterator[Gap]:
    """Yield the gap that calls leave of which nobody can tell whether they acted."""
    asked = _SPACES.sub("", fold(task))
    others = "\n".join({own_name(one.call.name) for one in told if one.call is not None and one.role is Role.ACTS})
    if any(_is_doubted(one, asked, others) for one in told):
        yield Gap.UNREADABLE_OBSERVATION


def _is_doubted(one: Told, asked: str, others: str) -> bool:
    if one.call is None or one.action.kind == FINISH:
        return False
    name = own_name(one.call.name)
    if one.role is Role.ACTS and UNREADABLE in one.call.arguments:
        return one.action.executed
    if one.role is Role.UNDECIDED:
        return one.shows()
    if one.role is Role.SPEAKS:
        return name in _MESSAGES
    if one.role is not Role.NOTES or name in _OWN or not one.shows():
        return False
    return any(noun in name and (noun in asked or noun in others) for noun in _NOTED)
