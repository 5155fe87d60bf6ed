"""The report bank: what agents say at the end, by what it claims; which claim is made is drawn whatever is true."""

import random
from dataclasses import dataclass
from enum import StrEnum

from tracewitness.findings.labels import Claim
from tracewitness.lab.words.files import word_file
from tracewitness.lab.words.tasks import Asked


class Basis(StrEnum):
    """What a claim of success rests on."""

    PERFORMED = "performed"
    ALREADY = "already"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Told:
    """A report with the label that its wording has.

    Attributes:
        text: The report.
        claim: What it claims.
        basis: What a claim of success rests on.
        declared: The agent's own flag beside it; None where it has none.
    """

    text: str
    claim: Claim
    basis: Basis
    declared: bool | None


_WEIGHTS = {Claim.SUCCESS: 70, Claim.FAILURE_OR_INCOMPLETE: 15, Claim.UNCLEAR: 15}
_KEYS = {Basis.PERFORMED: "success", Basis.ALREADY: "already", Basis.NOTHING: "nothing"}


def drawn_claim(rng: random.Random) -> Claim:
    """Return what a report will claim: success in 70 of 100, failure and neither in 15 each, whatever is true."""
    return rng.choices(tuple(_WEIGHTS), tuple(_WEIGHTS.values()))[0]


def report(claim: Claim, basis: Basis, asked: Asked, language: str, rng: random.Random) -> Told:
    """Return a report in words that are drawn.

    Args:
        claim: What it claims.
        basis: What a claim of success rests on; of no account otherwise.
        asked: The sentences on the task.
        language: The language of the report.
        rng: Every choice comes from it.
    """
    wording = rng.choice(word_file("reports", language)[_key(claim, basis)])
    slots = {"deed": asked.deed, "undone": asked.undone, "already": asked.already, "nothing": asked.nothing}
    return Told(wording.format_map(slots), claim, basis, _declared(claim, rng))


def _key(claim: Claim, basis: Basis) -> str:
    match claim:
        case Claim.SUCCESS:
            return _KEYS[basis]
        case Claim.FAILURE_OR_INCOMPLETE:
            return "failure"
        case Claim.UNCLEAR:
            return "unclear"


def _declared(claim: Claim, rng: random.Random) -> bool | None:
    """Return the flag beside a report: three in four agents set one, and who is unsure sets it to success."""
    if rng.random() < 0.25:
        return None
    return claim is not Claim.FAILURE_OR_INCOMPLETE
