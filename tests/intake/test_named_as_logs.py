"""A folder that is called as a log, a step or a sidecar is none: neither for detection nor for a reader."""

from pathlib import Path

import pytest

from plants import Planted, all_plants
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Found, find_runs
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_all
from tracewitness.intake.registry import Registry
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.words import Words
from tracewitness.wiring.formats import known_formats

PLANTS = all_plants()
MORE = ("trace.zip", "run.trace.zip", "task.json", "task.txt", "log.eval", "report.txt", "summary_info.json")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return known_formats()[0]


@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS)
def test_no_folder_is_taken_for_a_log_by_its_name(planted: Planted, registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    planted.plant(tmp_path / "run", Words())
    names = {one.name for one in (tmp_path / "run").rglob("*") if one.is_file()} | set(MORE)
    for name in names:
        inner = tmp_path / "folders" / name / name
        inner.mkdir(parents=True)
        (inner / "notes.txt").write_text("Nothing of this kind.", encoding="utf-8")
        found = [one for one in find_runs([inner.parent, inner], registry) if isinstance(one, Found)]
        assert not found, (name, found)


def test_folders_called_as_sidecars_take_nothing_from_a_run(registry: Registry, tmp_path: Path) -> None:
    planted = PLANTS["chat_list"]
    (tmp_path / "run").mkdir()
    log = planted.plant(tmp_path / "run", Words())
    for name in MORE:
        (tmp_path / "run" / name).mkdir(exist_ok=True)
    (alone,) = planted.format.read(Candidate(log, log.name), ReadOptions())
    (run,) = (one for one in read_all([tmp_path / "run"], registry) if isinstance(one, SealedRun))
    assert isinstance(alone, SealedRun) and run.trace == alone.trace and run.task == alone.task
