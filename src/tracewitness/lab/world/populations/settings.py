"""Users with roles, and the settings of each account."""

import random

from tracewitness.lab.apps.spec import Field, FieldKind
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.populations.pairing import Plan, put_all


def populate_settings(world: BareWorld, rng: random.Random) -> None:
    """Fill the list of users, and set every panel of every account."""
    roles = world.app.collection("user").field("role").choices
    plans = [
        Plan({"name": account.name, "email": account.email, "role": rng.choice(("admin", "editor"))})
        for account in world.accounts
    ]
    for pair in range(rng.randint(4, 7)):
        for person in world.people.pair():
            plans.append(Plan({"name": person.name, "email": person.email, "role": rng.choice(roles)}, pair=pair))
    put_all(world, "user", plans, rng)
    for panel in world.app.panels:
        for account in world.accounts:
            values = {field.name: _drawn(field, rng) for field in panel.fields}
            world.add_panel(panel.name, values, account.key)


def _drawn(field: Field, rng: random.Random) -> str:
    if field.kind is FieldKind.SWITCH:
        return rng.choice(("on", "off"))
    if field.kind is FieldKind.LEVEL:
        return str(rng.randrange(5, 100, 5))
    return rng.choice(field.choices)
