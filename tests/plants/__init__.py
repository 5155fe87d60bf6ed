"""Planters of every format: each module here has ``PLANTS``, one entry a dialect."""

import pkgutil
from dataclasses import dataclass
from pathlib import Path

from tracewitness.intake.format import Format
from tracewitness.testing.formats import Plant


@dataclass(frozen=True)
class Planted:
    """A format with a planter of one of its dialects; ``task`` where the log does not hold the instruction."""

    format: Format
    plant: Plant
    task: str | None = None


def all_plants() -> dict[str, Planted]:
    """Return every planter by the name of its dialect."""
    found: dict[str, Planted] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        plants: dict[str, Planted] = pkgutil.resolve_name(f"plants.{module.name}:PLANTS")
        assert not found.keys() & plants.keys(), module.name
        found |= plants
    return found
