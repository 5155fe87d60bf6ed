"""Tasks on products and orders."""

import random

from tracewitness.findings.labels import TaskClass
from tracewitness.lab.assignments.assignment import Assignment, AssignmentKind, NoTarget, drawn_row
from tracewitness.lab.assignments.slots import Slot, SlotKind
from tracewitness.lab.plans.ways import Shape, Way
from tracewitness.lab.truth.answers import STATE
from tracewitness.lab.truth.goals import AnswerIs, RowIsMade, RowsAreMoved
from tracewitness.lab.world.rows import EVERYONE
from tracewitness.lab.world.world import World

_APP = "shop"
_ANY = ("processing", "shipped", "delivered", "cancelled", "waiting_for_payment")
_OPEN = ("processing", "waiting_for_payment")


def order_place(world: World, rng: random.Random) -> Assignment:
    """Order some pieces of a product."""
    product = drawn_row(world, "product", ("offered",), rng).values["product"]
    taken = {
        row.values["quantity"]
        for row in world.rows("order")
        if (row.owner, row.state, row.values["product"]) == (world.account, "processing", product)
    }
    quantity = str(rng.randint(2, 9))
    if quantity in taken:  # such an order would be there before
        free = [number for number in map(str, range(2, 10)) if number not in taken]
        if not free:
            raise NoTarget(f"orders of any number of {product} are there")
        quantity = rng.choice(free)
    return Assignment(
        "order_place",
        _APP,
        TaskClass.SEND,
        (("product", Slot(product)), ("quantity", Slot(quantity, SlotKind.NUMBER))),
        RowIsMade("order", (("product", product), ("quantity", quantity)), "processing", world.account),
        Way(Shape.MAKE, "products", "order", product, (("quantity", quantity),), "order", shown_in="open_orders"),
    )


def order_cancel(world: World, rng: random.Random) -> Assignment:
    """Cancel an order."""
    row = drawn_row(world, "order", _ANY, rng)
    if row.state not in _OPEN:
        world.amend("order", row, {}, "processing")
    number = row.values["number"]
    return Assignment(
        "order_cancel",
        _APP,
        TaskClass.DELETE,
        (("number", Slot(number)),),
        RowsAreMoved("order", (("number", number),), _OPEN, "cancelled", world.account),
        Way(
            Shape.DEED,
            "all_orders",
            "order",
            number,
            end="cancel_order",
            shown_in="all_orders",
            on_page=rng.random() < 0.5,
        ),
    )


def _ask_order(world: World, rng: random.Random, key: str, field: str, kind: SlotKind) -> Assignment:
    row = drawn_row(world, "order", _ANY, rng)
    number = row.values["number"]
    return Assignment(
        key,
        _APP,
        TaskClass.QUERY,
        (("number", Slot(number)),),
        AnswerIs("order", (("number", number),), (), field, world.account),
        Way(Shape.LOOK_UP, "all_orders", "order", number),
        Slot(row.state if field == STATE else row.values[field], kind),
    )


def order_ask_total(world: World, rng: random.Random) -> Assignment:
    """Say the total of an order."""
    return _ask_order(world, rng, "order_ask_total", "total", SlotKind.MONEY)


def order_ask_status(world: World, rng: random.Random) -> Assignment:
    """Say the status of an order."""
    return _ask_order(world, rng, "order_ask_status", STATE, SlotKind.STATE)


def product_ask_price(world: World, rng: random.Random) -> Assignment:
    """Say the price of a product."""
    row = drawn_row(world, "product", ("offered",), rng)
    product = row.values["product"]
    return Assignment(
        "product_ask_price",
        _APP,
        TaskClass.QUERY,
        (("product", Slot(product)),),
        AnswerIs("product", (("product", product),), (), "price", EVERYONE),
        Way(Shape.LOOK_UP, "products", "product", product),
        Slot(row.values["price"], SlotKind.MONEY),
    )


def order_ask_latest(world: World, rng: random.Random) -> Assignment:
    """Say which product was ordered last."""
    latest = max(world.rows("order"), key=lambda row: row.values["ordered"])
    return Assignment(
        "order_ask_latest",
        _APP,
        TaskClass.QUERY,
        (),
        AnswerIs("order", (), (), "product", world.account, greatest="ordered"),
        Way(Shape.LOOK_UP, "all_orders", "order", latest.values["number"]),
        Slot(latest.values["product"]),
    )


SHOP_KINDS = (
    AssignmentKind("order_place", _APP, TaskClass.SEND, order_place),
    AssignmentKind("order_cancel", _APP, TaskClass.DELETE, order_cancel),
    AssignmentKind("order_ask_total", _APP, TaskClass.QUERY, order_ask_total),
    AssignmentKind("order_ask_status", _APP, TaskClass.QUERY, order_ask_status),
    AssignmentKind("product_ask_price", _APP, TaskClass.QUERY, product_ask_price),
    AssignmentKind("order_ask_latest", _APP, TaskClass.QUERY, order_ask_latest),
)
"""All tasks on products and orders."""
