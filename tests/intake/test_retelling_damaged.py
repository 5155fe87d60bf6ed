"""Logs with a value changed, left out or doubled are retold without a fault, and read again as the same run."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from made_logs import REGISTRY, neutral, write_json

from plants import all_plants
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Found, find_runs
from tracewitness.intake.errors import FailureKind, IntakeFailure
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_found, read_retold
from tracewitness.intake.registry import Registry
from tracewitness.intake.retelling import Say
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.words import Words

FORMATS = (
    "appagent browser_use mobile_agent_e mobile_agent_runner mobile_agent_v3 mobile_agent_web neutral osworld "
    "webvoyager"
).split()
PLANTS = {name: one for name, one in all_plants().items() if one.format.name in FORMATS}
OPTIONS = ReadOptions(task="Switch it on")
VALUES: tuple[Any, ...] = (
    None,
    "",
    0,
    -1,
    1.5,
    True,
    [],
    {},
    [None],
    {"a": None},
    "DONE",
    ["a"],
    [[1]],
    {"text": "y"},
    "{}",
    10**20,
)
LOGS = (".json", ".jsonl", ".txt")
ROUNDS = 20


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in cast(dict[str, Any], value).items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(cast(list[Any], value)):
            yield from places(item, (*path, at))


def damaged(text: str, chance: random.Random) -> str:
    """Return JSON text with one value changed, left out or doubled."""
    value: Any = json.loads(text)
    found = list(places(value))
    if not found:
        return text
    *above, last = chance.choice(found)
    holder = value
    for key in above:
        holder = holder[key]
    kind = chance.random()
    if kind < 0.25 and isinstance(holder, dict):
        del cast(dict[str, Any], holder)[last]
    elif kind < 0.35 and isinstance(holder, list):
        cast(list[Any], holder).insert(last, cast(list[Any], holder)[last])
    else:
        holder[last] = chance.choice(VALUES)
    return json.dumps(value)


def damage(path: Path, chance: random.Random) -> None:
    """Damage one of the files of a log: the document, or one of its lines."""
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.suffix in LOGS)
    chosen = chance.choice(files)
    lines = chosen.read_text("utf-8").splitlines()
    try:
        chosen.write_text(damaged("\n".join(lines), chance), "utf-8")
    except ValueError:
        at = chance.randrange(len(lines))
        try:
            lines[at] = damaged(lines[at], chance)
        except ValueError:
            return
        chosen.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.parametrize("name", PLANTS)
def test_a_damaged_log_that_can_be_read_is_retold_and_read_as_the_same_run(name: str, tmp_path: Path) -> None:
    chance = random.Random(name)
    for number in range(ROUNDS):
        folder = tmp_path / f"{number}" / "run"
        folder.mkdir(parents=True)
        path = PLANTS[name].plant(folder, Words())
        damage(path, chance)
        for found in find_runs([path], REGISTRY):
            if not isinstance(found, Found):
                continue
            read = [one for one in read_found(found, OPTIONS)]
            again = list(read_retold(found, OPTIONS, lambda plane: f"Other words of the {plane}.", None) or ())
            faults = [one for one in (*read, *again) if isinstance(one, IntakeFailure)]
            assert not [one for one in faults if one.kind is FailureKind.INTERNAL], folder
            told = {one.run_id: (one.task, one.trace) for one in again if isinstance(one, SealedRun)}
            for one in read:
                if isinstance(one, SealedRun):
                    assert told.get(one.run_id) == (one.task, one.trace), folder


class Faulty(NeutralFormat):
    """Its reader is in order, and what retells its logs is not."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def retell(self, candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
        raise self.error


def test_a_fault_of_a_retelling_costs_its_log_alone_and_a_full_disk_is_none(tmp_path: Path) -> None:
    path = write_json(tmp_path / "run.json", neutral())
    for error in (ValueError("zip"), KeyError("x"), RecursionError()):
        (found,) = find_runs([path], Registry([Faulty(error)]))
        assert isinstance(found, Found)
        (failure,) = list(read_retold(found, OPTIONS, str, None) or ())
        assert isinstance(failure, IntakeFailure)
        assert (failure.kind, failure.path) == (FailureKind.INTERNAL, str(path))
    (found,) = find_runs([path], Registry([Faulty(OSError("no space left"))]))
    assert isinstance(found, Found)
    with pytest.raises(OSError, match="no space left"):
        list(read_retold(found, OPTIONS, str, None) or ())
