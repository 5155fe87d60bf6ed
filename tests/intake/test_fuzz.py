"""Damaged logs of every format: always a run or a clear failure, never a fault of the reader."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import FIXTURES, SETTINGS, appagent, neutral, outcomes, said

from tracewitness.intake.errors import FailureKind, IntakeFailure
from tracewitness.intake.limits import ReadOptions

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
BROWSER: Any = json.loads((FIXTURES / "browser_use" / "AgentHistory.json").read_text("utf-8"))


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, item in cast(dict[str, Any], value).items():
            found += places(item, (*path, key))
    if isinstance(value, list):
        for at, item in enumerate(cast(list[Any], value)):
            found += places(item, (*path, at))
    return found


def changed(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    copy = json.loads(json.dumps(value))
    holder = copy
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = new
    return copy


def never_a_fault(path: Path) -> None:
    for one in outcomes(path, options=ReadOptions(task="t")):
        if isinstance(one, IntakeFailure):
            assert one.kind is not FailureKind.INTERNAL, one
            assert "\n" not in one.line()


@pytest.mark.parametrize("whole", [BROWSER, neutral()], ids=["browser_use", "neutral"])
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_any_value_in_any_place(whole: Any, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(places(whole)))
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.json"
        log.write_text(json.dumps(changed(whole, path, data.draw(JSON))), "utf-8")
        never_a_fault(log)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["step", "prompt", "image", "response"]), JSON, st.text(max_size=30))
def test_any_value_in_an_appagent_line(key: str, value: Any, response: str) -> None:
    with TemporaryDirectory() as name:
        folder = appagent(Path(name), [said("tap(1)"), response, said("FINISH")])
        log = next(folder.glob("log_*"))
        lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        lines[1][key] = value
        log.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
        never_a_fault(folder)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(SETTINGS) - 1), st.binary(min_size=1, max_size=3))
def test_any_bytes_in_a_dump(at: int, damage: bytes) -> None:
    with TemporaryDirectory() as name:
        folder = appagent(Path(name), [said("tap(1)"), said("FINISH")])
        dump = next(folder.glob("*_1.xml"))
        content = dump.read_bytes()
        dump.write_bytes(content[:at] + damage + content[at + len(damage) :])
        never_a_fault(folder)


@pytest.mark.parametrize("step", [97, 101])
def test_a_history_cut_anywhere(tmp_path: Path, step: int) -> None:
    whole = (FIXTURES / "browser_use" / "AgentHistory.json").read_bytes()
    for end in range(1, len(whole), step):
        (tmp_path / "h.json").write_bytes(whole[:end])
        found = outcomes(tmp_path / "h.json")
        assert len(found) == 1
        assert isinstance(found[0], IntakeFailure)
        assert found[0].kind in (FailureKind.BAD_JSON, FailureKind.EMPTY)
