"""Where the faults of a world come in: which of them happens at a button, and what others do meanwhile."""

from dataclasses import dataclass

from tracewitness.lab.site.served import Served
from tracewitness.lab.world.faults import Fault, FaultKind
from tracewitness.lab.world.rows import Cause, Change, Row

_ONCE = frozenset({FaultKind.SESSION_ENDS, FaultKind.ERROR_ONCE, FaultKind.CHANGED_ELSEWHERE, FaultKind.REVERTED})


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is about to be changed.

    Attributes:
        names: The submit or deed, and the panel or control, whichever there are.
        title: The stored title of the row, where it is about one.
    """

    names: tuple[str, ...]
    title: str | None = None


def fault_at(served: Served, spot: Spot, *kinds: FaultKind) -> Fault | None:
    """Return the fault of one of these kinds that happens at a spot, if any does now."""
    for fault in served.world.circumstances.faults:
        if fault.kind in kinds and fault not in served.visit.spent and _meets(served, fault, spot):
            return fault
    return None


def spend(served: Served, fault: Fault) -> None:
    """Note that a fault has happened; those that happen once do not come again."""
    if fault.kind in _ONCE:
        served.visit.spent.add(fault)


def let_others_act(served: Served) -> None:
    """Do what other users do before the next request is answered."""
    answered = served.visit.requests - 1
    for fault in served.world.circumstances.faults:
        due = fault.kind is FaultKind.CHANGED_ELSEWHERE and fault not in served.visit.spent
        if due and answered >= fault.after and _change_elsewhere(served, fault):
            spend(served, fault)
    for revert in list(served.visit.reverts):
        fault, changes, request = revert
        if answered - request >= fault.after:
            served.visit.reverts.remove(revert)
            take_back(served, changes, Cause.OTHER)


def take_back(served: Served, changes: tuple[Change, ...], cause: Cause) -> None:
    """Put rows back to what they were before changes, the last change first."""
    for change in reversed(changes):
        served.world.write(cause, change.collection, change.row, change.before)


def _meets(served: Served, fault: Fault, spot: Spot) -> bool:
    if served.visit.requests - 1 < fault.after and fault.kind is not FaultKind.REVERTED:
        return False
    return fault.on in {"*", *spot.names} and fault.row in {None, spot.title}


def _change_elsewhere(served: Served, fault: Fault) -> bool:
    if fault.field is None or fault.value is None:
        return False
    found = _row_with(served, fault)
    if found is None:
        return False
    table, row = found
    served.world.update(Cause.OTHER, table, row, {fault.field: fault.value})
    return True


def _row_with(served: Served, fault: Fault) -> tuple[str, Row] | None:
    for collection in served.world.app.collections:
        if fault.field not in {field.name for field in collection.fields}:
            continue
        for row in served.world.rows(collection.name):
            if row.values[collection.title] == fault.row:
                return collection.name, row
    for panel in served.world.app.panels:
        if fault.field in {field.name for field in panel.fields}:
            return panel.name, served.world.panel_row(panel.name, served.visit.account)
    return None
