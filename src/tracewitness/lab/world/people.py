"""The people of a world: names, addresses and numbers, in pairs that are easily taken for each other."""

import random
import unicodedata
from dataclasses import dataclass

from tracewitness.lab.words.names import names_of

_SPELLED = {"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "ø": "o", "œ": "oe"}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom a world knows."""

    name: str
    email: str
    phone: str


class People:
    """Draws people without drawing anybody twice.

    Args:
        language: Whose names they have.
        rng: Every choice comes from it.
    """

    def __init__(self, language: str, rng: random.Random) -> None:
        self._names = names_of(language)
        self._rng = rng
        self._drawn: set[str] = set()

    def account(self) -> tuple[str, str]:
        """Return name and address of somebody who has an account."""
        person = self.person()
        return person.name, person.email

    def person(self) -> Person:
        """Return somebody new."""
        while True:
            given = self._rng.choice(self._names.given)
            family = self._rng.choice(self._rng.choice(self._names.families))
            person = self._made(given, family)
            if person:
                return person

    def pair(self) -> tuple[Person, Person]:
        """Return two people who are easily taken for each other: by the family name, or by the given one."""
        while True:
            given, other_given = self._rng.sample(self._names.given, 2)
            family, other_family = self._rng.choice(self._names.families)
            second = (given, other_family) if self._rng.random() < 0.6 else (other_given, family)
            if self._full(given, family) in self._drawn or self._full(*second) in self._drawn:
                continue
            first_person, second_person = self._made(given, family), self._made(*second)
            if first_person and second_person:
                return first_person, second_person

    def phone(self) -> str:
        """Return a phone number."""
        form = self._rng.choice(self._names.phones)
        return "".join(str(self._rng.randrange(10)) if sign == "#" else sign for sign in form)

    def _full(self, given: str, family: str) -> str:
        return self._names.full_name.format(given=given, family=family)

    def _made(self, given: str, family: str) -> Person | None:
        name = self._full(given, family)
        if name in self._drawn:
            return None
        self._drawn.add(name)
        address = f"{self._letters(given)}.{self._letters(family)}@{self._rng.choice(self._names.domains)}"
        return Person(name, address, self.phone())

    def _letters(self, name: str) -> str:
        spelled = "".join(_SPELLED.get(sign, sign) for sign in self._names.latin.get(name, name).lower())
        folded = unicodedata.normalize("NFKD", spelled)
        return "".join(sign for sign in folded if sign.isascii() and sign.isalnum())
