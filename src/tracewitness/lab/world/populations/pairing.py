"""Puts rows into a world in seeded order, with the pairs that are easily taken for each other."""

import random
from dataclasses import dataclass

from tracewitness.lab.world.bare_world import BareWorld


@dataclass(frozen=True, slots=True)
class Plan:
    """A row to be made.

    Attributes:
        values: What its fields hold.
        state: Its state; ``None``: the first one.
        pair: Rows with the same number here are easily taken for each other; ``None``: this one has no such other.
        owner: Whose it is; ``None``: that of the account of the run, or everyone's.
    """

    values: dict[str, str]
    state: str | None = None
    pair: int | None = None
    owner: str | None = None


def put_all(world: BareWorld, collection: str, plans: list[Plan], rng: random.Random | None) -> None:
    """Make rows.

    Args:
        world: Where.
        collection: Which rows.
        plans: The rows.
        rng: Shuffles them first; ``None`` leaves them in order.
    """
    ordered = list(plans)
    if rng is not None:
        rng.shuffle(ordered)
    waiting: dict[int, int] = {}
    for plan in ordered:
        row = world.put(collection, plan.values, plan.state, plan.owner)
        if plan.pair is None:
            continue
        if plan.pair in waiting:
            other = world.find(collection, waiting.pop(plan.pair))
            if other is not None:
                world.pair(collection, other, row)
        else:
            waiting[plan.pair] = row.id
