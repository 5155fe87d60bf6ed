"""Names and other data that worlds are filled with, as a language has them."""

from dataclasses import dataclass
from functools import cache

from tracewitness.lab.words.files import word_file


@dataclass(frozen=True, slots=True)
class Names:
    """What a language has for the rows of a world.

    Attributes:
        language: The language.
        given: Given names.
        families: Pairs of family names that are easily taken for each other.
        full_name: How both stand together, with ``{given}`` and ``{family}``.
        latin: Given and family names in letters of an address, where the language does not write so; else empty.
        phones: Forms of phone numbers, ``#`` for a figure.
        domains: Domains of mail addresses.
        lists: Everything else by its name: ``companies``, ``places``, ``event_titles`` ...
        pairs: Pairs of texts by name: ``notes`` (title and text), ``mails`` (subject and body), ``products`` (a
            product and one like it).
    """

    language: str
    given: tuple[str, ...]
    families: tuple[tuple[str, str], ...]
    full_name: str
    latin: dict[str, str]
    phones: tuple[str, ...]
    domains: tuple[str, ...]
    lists: dict[str, tuple[str, ...]]
    pairs: dict[str, tuple[tuple[str, str], ...]]


@cache
def names_of(language: str) -> Names:
    """Return the names of a language."""
    words = word_file("names", language)
    people = words["people"]
    return Names(
        language=language,
        given=tuple(people["given"]),
        families=tuple((first, second) for first, second in people["families"]),
        full_name=people["full_name"],
        latin=dict(words.get("latin", {})),
        phones=tuple(people["phones"]),
        domains=tuple(people["domains"]),
        lists={key: tuple(entries) for key, entries in words["lists"].items()},
        pairs={key: tuple((first, second) for first, second in entries) for key, entries in words["pairs"].items()},
    )
