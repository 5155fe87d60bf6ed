"""Logs are told by what they hold: marked, compressed, with other line ends or another name, they are the same logs."""

import gzip
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from plants import Planted, all_plants
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import EncodingError
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.registry import Registry
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.words import Words
from tracewitness.wiring.formats import known_formats

TEXTS: Mapping[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "blank lines ahead": lambda content: b"\n\n  " + content,
    "blank lines behind": lambda content: content + b"\n\n",
}
PLANTS = {name: planted for name, planted in all_plants().items() if "androidworld" not in name}
NAMED = {"androidlab", "droidrun", "mobile_agent_runner", "ufo"}
"""Told by the name of their file as well, for their keys are those of many."""


@pytest.fixture(scope="module")
def registry() -> Registry:
    return known_formats()[0]


def takers(registry: Registry, path: Path) -> list[str]:
    return [name for name, verdict in registry.verdicts(Candidate(path, path.name)).items() if verdict.yes]


def the_run(planted: Planted, path: Path) -> SealedRun:
    candidate = Candidate(path, path.name)
    assert planted.format.detect(candidate).yes
    (run,) = planted.format.read(candidate, ReadOptions(task=planted.task))
    assert isinstance(run, SealedRun)
    return run


@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS)
def test_a_log_is_told_whatever_became_of_its_file(planted: Planted, registry: Registry, tmp_path: Path) -> None:
    log = planted.plant(tmp_path, Words())
    if log.is_dir():
        pytest.skip("a folder, whose files keep their names")
    content, wanted = log.read_bytes(), [planted.format.name]
    is_text = not content.startswith(b"PK")
    variants = {name: (log.name, change(content)) for name, change in TEXTS.items() if is_text}
    variants["gzip"] = (f"{log.name}.gz", gzip.compress(content)) if is_text else (log.name, content)
    if planted.format.name not in NAMED:
        variants["another name"] = (f"other{''.join(log.suffixes[-1:])}", content)
        variants["no suffix"] = ("other", content)
    for name, (called, changed) in variants.items():
        path = tmp_path / name / called
        path.parent.mkdir()
        path.write_bytes(changed)
        assert takers(registry, path) == wanted, name


@pytest.mark.parametrize("name", ["midscene_page", "ui_tars_desktop page", "chat_list", "claude_code"])
def test_a_log_in_utf_16_says_so(name: str, registry: Registry, tmp_path: Path) -> None:
    log = PLANTS[name].plant(tmp_path, Words())
    log.write_text(log.read_text("utf-8"), "utf-16")
    with pytest.raises(EncodingError, match="UTF-16"):
        registry.choose(Candidate(log, log.name))


@pytest.mark.parametrize("name", ["midscene_page", "ui_tars_desktop page"])
def test_a_page_is_read_the_same_whatever_became_of_its_file(name: str, tmp_path: Path) -> None:
    planted = PLANTS[name]
    log = planted.plant(tmp_path, Words())
    content = log.read_bytes()
    whole = the_run(planted, log)
    for called, changed in (("log", content), ("log.gz", gzip.compress(content)), ("log.x", b"\xef\xbb\xbf" + content)):
        path = tmp_path / called
        path.write_bytes(changed)
        run = the_run(planted, path)
        assert (run.trace, run.report, run.task) == (whole.trace, whole.report, whole.task)
