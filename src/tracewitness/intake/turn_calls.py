"""The steps of a call: one, or one each of the calls that it carries."""

from collections.abc import Iterable

from tracewitness.intake.calls import Call, action_of, own_arguments
from tracewitness.intake.nested_calls import told_beside, unfolded
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.quoting import texts_in, worth_quoting
from tracewitness.intake.roles import Role, role_of
from tracewitness.intake.turn_steps import Told
from tracewitness.intake.turns import Turn
from tracewitness.trace_side.trace import Action

UNFINISHED = "unfinished call"
"""The kind of a call by which an agent meant to end, and that the model was stopped in the midst of."""
_ENDING = frozenset({Role.ENDS, Role.MAY_END, Role.UNDECIDED})


def told_of(
    call: Call, where: str, turn: Turn, beside: str, kinds: frozenset[str]
) -> tuple[list[Told], list[Stripped]]:
    """Return the steps of a call, and what of it is kept from the trace side.

    Args:
        call: The call.
        where: Its place in the log.
        turn: The turn that it stands in.
        beside: The words of the turn, where they belong to this call.
        kinds: The kinds by which agents end a run.
    """
    carried = list(unfolded([call]))
    folded = carried != [call]
    stripped = [
        Stripped(f"{where}.{key}", Plane.NARRATION, LeakRoute.THOUGHTS, size_of(value))
        for key, value in (told_beside(call) if folded else ())
    ]
    said = worth_quoting(*_texts(carried, kinds))
    told: list[Told] = []
    for at, one in enumerate(carried):
        action, hidden = action_of(one, kinds=kinds)
        place = f"{where}.calls[{at}]" if folded else where
        stripped += [Stripped(f"{place}.{lost.key}", lost.plane, lost.route, lost.characters) for lost in hidden]
        if turn.cut and role_of(one.name, one.arguments, kinds) in _ENDING:
            action = Action(UNFINISHED, executed=False)
        told.append(Told(action, place, one, beside if at == 0 else "", turn.time, said=said))
    return told, stripped


def _texts(calls: Iterable[Call], kinds: frozenset[str]) -> tuple[list[str], list[str]]:
    """Return the texts in which calls speak, and those in which they act."""
    sorted_out = [own_arguments(call, kinds) for call in calls]
    said = [text for _, lost in sorted_out for _, value in lost for text in texts_in(value)]
    return said, [text for kept, _ in sorted_out for text in texts_in(kept)]
