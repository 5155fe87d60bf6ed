"""A container that is damaged or a trap says so, wherever it is named: alone, in a folder, as another tool's log."""

import gzip
import json
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_all
from tracewitness.intake.registry import Registry
from tracewitness.wiring.formats import known_formats

CONTEXT = json.dumps({"type": "context-options", "version": 8, "browserName": "chromium", "options": {}}) + "\n"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return known_formats()[0]


def packed(path: Path, members: list[tuple[str, str]]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members:
            archive.writestr(name, text)


def climbing(path: Path) -> None:
    packed(path, [("trace.trace", CONTEXT), ("header.json", "{}"), ("../../x", "out")])


def absolute(path: Path) -> None:
    packed(path, [("/etc/x", CONTEXT)])


def doubled(path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        packed(path, [("trace.trace", CONTEXT), ("trace.trace", CONTEXT)])


def crowded(path: Path) -> None:
    packed(path, [("trace.trace", CONTEXT), *((f"resources/{at}", "") for at in range(70_000))])


def bomb(path: Path) -> None:
    packed(path, [("trace.trace", " " * (80 * 1024 * 1024))])


def cut_off(path: Path) -> None:
    packed(path, [("trace.trace", CONTEXT * 100), ("header.json", "{}")])
    path.write_bytes(path.read_bytes()[:-30])


def encrypted(path: Path) -> None:
    packed(path, [("trace.trace", CONTEXT)])
    whole = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        whole[whole.index(mark) + at] |= 1
    path.write_bytes(bytes(whole))


TRAPS: Mapping[Callable[[Path], None], str] = {
    climbing: "its name climbs out of the archive",
    absolute: "its name is an absolute path",
    doubled: "two members have this name",
    crowded: "lists more members than the 65536 that are read",
    bomb: "larger than the limit|unpacks to more than",
    cut_off: "damaged or cut off",
    encrypted: "is encrypted",
}


@pytest.mark.parametrize("name", ["trace.zip", "run.trace.zip", "other.zip", "log.eval"])
@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.__name__)
def test_a_zip_file_that_is_a_trap_says_why_it_is_not_read(
    trap: Callable[[Path], None], name: str, registry: Registry, tmp_path: Path
) -> None:
    path = tmp_path / name
    trap(path)
    (failure,) = read_all([path], registry, ReadOptions(task="Do it"))
    assert isinstance(failure, IntakeFailure)
    assert any(reason in failure.line() for reason in TRAPS[trap].split("|")), failure.line()


def no_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(b'[{"a": 1}]')[:12])


def wrong_end(path: Path) -> None:
    path.write_bytes(gzip.compress(b'[{"a": 1}]')[:-8] + struct.pack("<LL", 1, 1))


@pytest.mark.parametrize("name", ["log.json.gz", "log.jsonl.gz", "Task_0.pkl.gz", "log.gz", "page.html.gz"])
@pytest.mark.parametrize("damage", [no_gzip, wrong_end])
def test_damaged_gzip_says_so(damage: Callable[[Path], None], name: str, registry: Registry, tmp_path: Path) -> None:
    damage(tmp_path / name)
    (failure,) = read_all([tmp_path / name], registry)
    assert isinstance(failure, IntakeFailure) and "gzip data is damaged or cut off" in failure.line()


def test_in_a_folder_the_reason_is_told_beside_the_file(registry: Registry, tmp_path: Path) -> None:
    climbing(tmp_path / "trace.zip")
    told = " ".join(str(one) for one in read_all([tmp_path], registry))
    assert "climbs out of the archive" in told
