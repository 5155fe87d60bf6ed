"""Three-valued answers with a fixed order from best to worst."""

from collections.abc import Iterable
from enum import StrEnum


class Ternary(StrEnum):
    """YES, NO, or UNKNOWN where the record cannot tell."""

    YES = "YES"
    UNKNOWN = "UNKNOWN"
    NO = "NO"


_RANK = {Ternary.YES: 0, Ternary.UNKNOWN: 1, Ternary.NO: 2}


def worst(values: Iterable[Ternary]) -> Ternary:
    """Return the worst of the values: any NO is NO, else any UNKNOWN is UNKNOWN, else YES (also for no values)."""
    return max(values, key=_RANK.__getitem__, default=Ternary.YES)
