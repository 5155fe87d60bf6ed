"""Every format passes every check of the conformance suite."""

import math
import resource
from collections import Counter
from pathlib import Path

import pytest

from plants import Planted, all_plants
from tracewitness.intake.formats import built_in
from tracewitness.testing.formats import CHECKS, assert_conforms

PLANTS = all_plants()
DIALECTS = Counter(planted.format.name for planted in PLANTS.values())
DAILY, NIGHTLY = 500, 20_000
"""Mutated logs a format, shared out among its dialects."""

MOST_MEMORY = 1024**3


def share(planted: Planted, count: int) -> int:
    return math.ceil(count / DIALECTS[planted.format.name])


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS)
def test_conforms(planted: Planted, check: str, tmp_path: Path) -> None:
    mutations = share(planted, DAILY)
    assert_conforms(planted.format, planted.plant, tmp_path, task=planted.task, only=check, mutations=mutations)


def test_every_format_is_tried() -> None:
    assert {one.name for one in built_in()} == {planted.format.name for planted in PLANTS.values()}


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS)
def test_many_mutations(planted: Planted, tmp_path: Path) -> None:
    """As many as a night allows: typed errors alone, no hang (the suite times each log), and no memory over 1 GB."""
    mutations = share(planted, NIGHTLY)
    assert_conforms(planted.format, planted.plant, tmp_path, task=planted.task, only="mutations", mutations=mutations)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < MOST_MEMORY
