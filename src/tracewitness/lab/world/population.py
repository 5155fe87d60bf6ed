"""Fills a world with rows: enough for several pages, and for every row one that is easily taken for it."""

import random
from collections.abc import Callable

from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.populations.calendar import populate_calendar
from tracewitness.lab.world.populations.contacts import populate_contacts
from tracewitness.lab.world.populations.files import populate_files
from tracewitness.lab.world.populations.mail import populate_mail
from tracewitness.lab.world.populations.settings import populate_settings
from tracewitness.lab.world.populations.shop import populate_shop

_BY_APP: dict[str, Callable[[BareWorld, random.Random], None]] = {
    "calendar": populate_calendar,
    "contacts": populate_contacts,
    "files": populate_files,
    "mail": populate_mail,
    "settings": populate_settings,
    "shop": populate_shop,
}


def populate(world: BareWorld, rng: random.Random) -> None:
    """Fill a world with the rows of its app.

    Args:
        world: A world without rows.
        rng: Every choice comes from it.
    """
    _BY_APP[world.app.name](world, rng)
