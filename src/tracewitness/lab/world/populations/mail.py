"""Messages of one account: an inbox in which some people wrote several times, drafts, sent and planned ones."""

import random

from tracewitness.lab.words.names import Names, names_of
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.people import Person
from tracewitness.lab.world.populations.pairing import Plan, put_all


def populate_mail(world: BareWorld, rng: random.Random) -> None:
    """Fill the mail boxes."""
    names = names_of(world.language)
    letters = list(names.pairs["mails"])
    rng.shuffle(letters)
    pairs = [world.people.pair() for _ in range(rng.randint(3, 4))]
    plans = _received(world, rng, names, letters, pairs)
    everybody = [person for pair in pairs for person in pair]
    plans += _written(world, rng, letters, everybody)
    plans.sort(key=lambda plan: plan.values["at"])
    put_all(world, "message", plans, None)


def _received(
    world: BareWorld,
    rng: random.Random,
    names: Names,
    letters: list[tuple[str, str]],
    pairs: list[tuple[Person, Person]],
) -> list[Plan]:
    plans: list[Plan] = []
    own_name = world.account_named(world.account).name
    for number, (person, alike) in enumerate(pairs):
        for turn in range(rng.randint(2, 3) if number < 2 else 1):
            subject, body = letters.pop()
            plans.append(_message(world, rng, (person.name, own_name, subject, body), "inbox", len(plans) + 1000))
            if turn == 0:
                plans.append(_answer(world, rng, names, (alike.name, own_name, subject), plans[-1]))
    return plans


def _answer(world: BareWorld, rng: random.Random, names: Names, heads: tuple[str, str, str], to: Plan) -> Plan:
    # The same words under almost the same heading, from a person of almost the same name.
    sender, own_name, subject = heads
    heading = rng.choice(names.lists["variants"]).format(title=subject)
    body = rng.choice(names.pairs["mails"])[1]
    return _message(world, rng, (sender, own_name, heading, body), "inbox", to.pair or 0)


def _written(
    world: BareWorld, rng: random.Random, letters: list[tuple[str, str]], everybody: list[Person]
) -> list[Plan]:
    plans: list[Plan] = []
    own_name = world.account_named(world.account).name
    counts = {
        "sent": rng.randint(2, 4),
        "draft": rng.randint(1, 3),
        "scheduled": rng.randint(1, 2),
        "bin": rng.randint(0, 2),
    }
    for state, count in counts.items():
        for _ in range(min(count, len(letters))):
            subject, body = letters.pop()
            heads = (own_name, rng.choice(everybody).name, subject, body)
            if state == "bin":
                heads = (heads[1], own_name, subject, body)
            plans.append(_message(world, rng, heads, state, None))
    return plans


def _message(
    world: BareWorld, rng: random.Random, heads: tuple[str, str, str, str], state: str, pair: int | None
) -> Plan:
    sender, to, subject, body = heads
    planned = state == "scheduled"
    values = {
        "sender": sender,
        "to": to,
        "subject": subject,
        "body": body,
        "at": world.clock.ago(rng.randrange(30, 60 * 24 * 12)),
        "send_date": world.clock.day(rng.randint(2, 20)) if planned else "",
        "send_time": f"{rng.randint(7, 18):02}:{rng.choice((0, 15, 30, 45)):02}" if planned else "",
    }
    return Plan(values, state, pair)
