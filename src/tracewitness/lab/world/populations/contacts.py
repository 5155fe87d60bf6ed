"""Contacts and notes."""

import random

from tracewitness.lab.words.names import Names, names_of
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.people import Person
from tracewitness.lab.world.populations.pairing import Plan, put_all


def populate_contacts(world: BareWorld, rng: random.Random) -> None:
    """Fill the address book and the notes."""
    names = names_of(world.language)
    companies = rng.sample(names.lists["companies"], 4)
    contacts: list[Plan] = []
    for pair in range(rng.randint(4, 8)):
        for person in world.people.pair():
            contacts.append(Plan(_contact(world, rng, person, rng.choice(companies)), pair=pair))
    put_all(world, "contact", contacts, rng)
    put_all(world, "note", notes(names, rng), rng)


def notes(names: Names, rng: random.Random) -> list[Plan]:
    """Return notes, some of which have titles that differ by a word."""
    plans: list[Plan] = []
    chosen = rng.sample(names.pairs["notes"], rng.randint(4, 7))
    for pair, (title, text) in enumerate(chosen):
        variant = rng.choice(names.lists["variants"]).format(title=title)
        other_text = rng.choice([other for _, other in names.pairs["notes"] if other != text])
        plans.append(Plan({"title": title, "text": text}, pair=pair))
        plans.append(Plan({"title": variant, "text": other_text}, pair=pair))
    return plans


def _contact(world: BareWorld, rng: random.Random, person: Person, company: str) -> dict[str, str]:
    return {
        "name": person.name,
        "phone": person.phone,
        "mobile": world.people.phone() if rng.random() < 0.5 else "",
        "email": person.email,
        "company": company if rng.random() < 0.85 else "",
    }
