"""Products on offer, and orders with numbers that are easily taken for each other."""

import random

from tracewitness.lab.words.languages import CURRENCIES
from tracewitness.lab.words.names import names_of
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.populations.pairing import Plan, put_all

_DEPARTMENTS = ("kitchen", "office", "garden", "sport")
_STATES = ("processing", "processing", "shipped", "delivered", "delivered", "cancelled", "waiting_for_payment")
_WHOLE_UNITS = {"JPY": 100, "KRW": 1000}


def populate_shop(world: BareWorld, rng: random.Random) -> None:
    """Fill shelves and order book."""
    products = _products(world, rng)
    put_all(world, "product", products, rng)
    orders = _orders(world, rng, [plan.values for plan in products])
    orders.sort(key=lambda plan: plan.values["ordered"])
    put_all(world, "order", orders, None)


def price(world: BareWorld, rng: random.Random) -> int:
    """Return a price in cents that the money of the language can pay."""
    factor = _WHOLE_UNITS.get(CURRENCIES[world.language])
    if factor:
        return rng.randint(40, 900) * 10 * factor
    return rng.randint(4, 180) * 100 + rng.choice((0, 49, 50, 90, 95, 99))


def _products(world: BareWorld, rng: random.Random) -> list[Plan]:
    plans: list[Plan] = []
    names = names_of(world.language)
    for department in _DEPARTMENTS:
        for pair in rng.sample(names.pairs[department], rng.randint(2, 3)):
            number = len(plans)
            for product in pair:
                values = {
                    "product": product,
                    "price": str(price(world, rng)),
                    "department": department,
                    "stock": str(rng.randint(12, 240)),
                }
                plans.append(Plan(values, pair=number))
    return plans


def _orders(world: BareWorld, rng: random.Random, products: list[dict[str, str]]) -> list[Plan]:
    plans: list[Plan] = []
    address = rng.choice(names_of(world.language).lists["addresses"])
    numbers: set[int] = set()
    for pair in range(rng.randint(5, 7)):
        # The two last figures change places: 10023 and 10032.
        stem, (ten, one) = rng.randrange(100, 190), rng.sample(range(10), 2)
        two = (stem * 100 + ten * 10 + one, stem * 100 + one * 10 + ten)
        if numbers.intersection(two):
            continue
        numbers.update(two)
        for number in two:
            product = rng.choice(products)
            quantity = rng.randint(1, 6)
            values = {
                "number": str(number),
                "product": product["product"],
                "quantity": str(quantity),
                "total": str(quantity * int(product["price"])),
                "ordered": world.clock.ago(rng.randrange(60, 60 * 24 * 90)),
                "deliver_to": address,
            }
            plans.append(Plan(values, rng.choice(_STATES), pair))
    return plans
