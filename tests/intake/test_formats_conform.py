"""Every format passes every check of the conformance suite."""

from pathlib import Path

import pytest

from plants import Planted, all_plants
from tracewitness.intake.formats import built_in
from tracewitness.testing.formats import CHECKS, assert_conforms

PLANTS = all_plants()
NIGHTLY = 20_000


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS)
def test_conforms(planted: Planted, check: str, tmp_path: Path) -> None:
    assert_conforms(planted.format, planted.plant, tmp_path, task=planted.task, only=check, mutations=500)


def test_every_format_is_tried() -> None:
    assert {one.name for one in built_in()} == {planted.format.name for planted in PLANTS.values()}


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS)
def test_many_mutations(planted: Planted, tmp_path: Path) -> None:
    assert_conforms(planted.format, planted.plant, tmp_path, task=planted.task, only="mutations", mutations=NIGHTLY)
