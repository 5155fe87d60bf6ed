"""Alarms, some of which differ by half a day, and events, some of which have almost the same title."""

import random

from tracewitness.lab.words.names import names_of
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.populations.pairing import Plan, put_all

_DAYS = ("mon tue wed thu fri", "sat sun", "mon tue wed thu fri sat sun", "mon wed fri", "tue thu", "")


def populate_calendar(world: BareWorld, rng: random.Random) -> None:
    """Set alarms and plan events."""
    put_all(world, "alarm", _alarms(world, rng), rng)
    put_all(world, "event", _events(world, rng), rng)


def _alarms(world: BareWorld, rng: random.Random) -> list[Plan]:
    labels = names_of(world.language).lists["alarm_labels"]
    plans: list[Plan] = []
    hours = rng.sample(range(5, 12), rng.randint(3, 5))
    for pair, hour in enumerate(hours):
        minute = rng.choice((0, 10, 15, 20, 30, 45))
        for half in (0, 12):
            values = {
                "time": f"{hour + half:02}:{minute:02}",
                "days": rng.choice(_DAYS),
                "label": rng.choice(labels) if rng.random() < 0.7 else "",
                "ringing": "on" if rng.random() < 0.7 else "off",
            }
            plans.append(Plan(values, pair=pair))
    return plans


def _events(world: BareWorld, rng: random.Random) -> list[Plan]:
    names = names_of(world.language)
    plans: list[Plan] = []
    dates = [world.clock.day(ahead) for ahead in rng.sample(range(1, 30), 5)]
    for pair, title in enumerate(rng.sample(names.lists["event_titles"], rng.randint(5, 8))):
        variant = rng.choice(names.lists["variants"]).format(title=title)
        for heading in (title, variant):
            values = {
                "title": heading,
                "date": rng.choice(dates),
                "time": f"{rng.randint(8, 20):02}:{rng.choice((0, 15, 30, 45)):02}",
                "place": rng.choice(names.lists["places"]) if rng.random() < 0.8 else "",
            }
            plans.append(Plan(values, pair=pair))
    return plans
