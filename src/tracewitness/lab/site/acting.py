"""Carries out what a page asks for, with the faults of the world in between."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tracewitness.lab.site.served import Served
from tracewitness.lab.site.troubles import Spot, fault_at, spend
from tracewitness.lab.site.visit import Toast
from tracewitness.lab.world.faults import Fault, FaultKind
from tracewitness.lab.world.rows import Change

SLOW_SECONDS = 4.0
"""How long a slow save takes."""

_LOOKS_EVERY = 0.02


class Broken(Exception):
    """The server fails while saving."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request to change something.

    Attributes:
        location: Where the browser goes next; ``None`` stays, with the mistakes.
        toast: The message, if any.
        mistakes: Messages by field for a form that is refused.
        dropped: The page was left before saving was through.
    """

    location: str | None
    toast: Toast | None = None
    mistakes: dict[str, str] = field(default_factory=dict[str, str])
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be changed.

    Attributes:
        spot: Where, for the faults.
        carry_out: Does it, and returns the changes.
        location: Where the browser goes when it is done.
        done: What the message says then.
        put_off: Does what is done instead while offline, if anything.
        values: What was entered.
        undoable: Whether the message offers to undo it.
        left: Tells whether the browser has gone away.
    """

    spot: Spot
    carry_out: Callable[[], list[Change]]
    location: str
    done: str
    put_off: Callable[[], list[Change]] | None = None
    values: dict[str, str] = field(default_factory=dict[str, str])
    undoable: bool = False
    left: Callable[[], Awaitable[bool]] | None = None


async def act(served: Served, request: Request) -> Outcome:
    """Carry out a request, or let a fault happen to it.

    Raises:
        Broken: The server fails.
    """
    if session_ends(served, request.spot):
        return Outcome("/sign-in")
    _break(served, request.spot)
    refusal = _refusal(served, request)
    if refusal:
        return Outcome(None, mistakes=refusal)
    if fault_at(served, request.spot, FaultKind.SLOW) and await _is_left(served, request):
        return Outcome(None, dropped=True)
    if fault_at(served, request.spot, FaultKind.QUEUED):
        if request.put_off:
            request.put_off()
        return Outcome(request.location, Toast(served.texts("done.queued")))
    if fault_at(served, request.spot, FaultKind.LYING_TOAST):
        return Outcome(request.location, Toast(request.done))
    return _carried_out(served, request)


def session_ends(served: Served, spot: Spot) -> bool:
    """Let the session end, if a fault says so."""
    fault = fault_at(served, spot, FaultKind.SESSION_ENDS)
    if fault:
        spend(served, fault)
        served.visit.signed_in = False
        served.visit.toast = None
    return fault is not None


def _break(served: Served, spot: Spot) -> None:
    fault = fault_at(served, spot, FaultKind.ERROR_ONCE, FaultKind.SERVER_ERROR)
    if fault:
        spend(served, fault)
        raise Broken


def _refusal(served: Served, request: Request) -> dict[str, str]:
    fault = fault_at(served, request.spot, FaultKind.REFUSED)
    if fault is None:
        return {}
    name = fault.field or next(iter(request.values), "")
    value = request.values.get(name, "")
    # The same value is refused for good; another one passes, so that a second attempt can go well.
    if served.visit.refused.setdefault(fault, value) != value:
        return {}
    return {name: served.texts("error.refused")}


async def _is_left(served: Served, request: Request) -> bool:
    pages = served.visit.pages
    loop = asyncio.get_running_loop()
    until = loop.time() + SLOW_SECONDS
    while loop.time() < until:
        await asyncio.sleep(_LOOKS_EVERY)
        if served.visit.pages != pages or (request.left is not None and await request.left()):
            return True
    return False


def _carried_out(served: Served, request: Request) -> Outcome:
    changes = tuple(request.carry_out())
    reverting = fault_at(served, request.spot, FaultKind.REVERTED)
    if reverting:
        spend(served, reverting)
        served.visit.reverts.append((reverting, changes, served.visit.requests))
    silent: Fault | None = fault_at(served, request.spot, FaultKind.NO_TOAST)
    undo = served.visit.can_undo(changes) if request.undoable and not silent else None
    elsewhere = fault_at(served, request.spot, FaultKind.REDIRECTED)
    return Outcome(served.home if elsewhere else request.location, None if silent else Toast(request.done, undo))
