"""Values that an app fills in by itself when a row is made, edited or moved."""

from collections.abc import Mapping

from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.rows import Row


def filled_in(
    world: BareWorld, collection: str, values: Mapping[str, str], row: Row | None, account: str
) -> dict[str, str]:
    """Return the values that go with those that were entered.

    Args:
        world: The world.
        collection: What is made or edited.
        values: What was entered.
        row: The row that is edited; ``None`` for a new one.
        account: Who does it.
    """
    if collection == "message":
        return {"sender": world.account_named(account).name, "at": world.clock.stamp}
    if collection == "file":
        return {"changed": world.clock.stamp}
    if collection == "order" and row is None:
        return _order(world, values)
    return {}


def ready_made(world: BareWorld, collection: str, account: str) -> dict[str, str]:
    """Return what the empty form of a collection already holds.

    Args:
        world: The world.
        collection: What is to be made.
        account: Who is about to make it.
    """
    if collection == "order":
        addresses = [row.values["deliver_to"] for row in world.rows("order") if row.owner == account]
        return {"quantity": "1", "deliver_to": addresses[-1] if addresses else ""}
    if collection == "alarm":
        return {"ringing": "on"}
    return {}


def _order(world: BareWorld, values: Mapping[str, str]) -> dict[str, str]:
    product = next(row for row in world.rows("product") if row.values["product"] == values["product"])
    numbers = [int(row.values["number"]) for row in world.rows("order")]
    return {
        "number": str(max(numbers, default=10000) + 1),
        "total": str(int(values["quantity"]) * int(product.values["price"])),
        "ordered": world.clock.stamp,
    }
