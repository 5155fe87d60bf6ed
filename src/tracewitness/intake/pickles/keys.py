"""Keys of dictionaries and members of sets: bounded, as looking one up costs time that an attacker may choose."""

from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any, cast

from tracewitness.intake.errors import BadPickleError
from tracewitness.intake.pickles.values import Blob, Global, Stub

_WIDEST = 64
"""Most parts of a key that is a tuple, its parts' parts counted in."""

_MOST_NUMBERS = 10_000
"""Most keys of one container that are no text. Python's hash of a number is known to all, so that many may collide."""


def checked_key(key: Any, among: int) -> Any:
    """Return a key that may be looked up.

    Args:
        key: The key.
        among: How many keys the container has.

    Raises:
        BadPickleError: It is of a kind that cannot be a key, or there are too many of them.
    """
    if key is None or isinstance(key, _SIMPLE):
        return key
    if among > _MOST_NUMBERS:
        raise BadPickleError(f"more than {_MOST_NUMBERS} keys that are no texts", "leave the file out")
    pending, met = [key], 0
    while pending:
        part = pending.pop()
        met += 1
        if isinstance(part, tuple | frozenset):
            pending.extend(islice(cast(Iterable[Any], part), _WIDEST))
        elif part is not None and not isinstance(part, (*_SIMPLE, int, float)):
            raise BadPickleError("a key that is a list or the like", "leave the file out")
        if met > _WIDEST:
            raise BadPickleError("a key of too many parts", "leave the file out")
    return key


_SIMPLE = (str, bytes, bool, Stub, Global, Blob)


def cost_of_members(members: Collection[Any]) -> int:
    """Return what it may have cost to put the members of a set together, in made objects."""
    numbers = sum(not isinstance(one, str | bytes) for one in members)
    return numbers * numbers >> 9


def as_set(items: Iterable[Any]) -> set[Any]:
    """Return the set of items that may be looked up."""
    found: set[Any] = set()
    for one in items:
        found.add(checked_key(one, len(found)))
    return found
