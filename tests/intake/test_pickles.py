"""The pickle machine: plain data comes back equal, everything else as stubs, attacks are refused by name."""

import builtins
import collections
import datetime
import decimal
import gzip
import importlib
import io
import os
import pathlib
import random
import resource
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pickles import Reduced, dumped, read

from tracewitness.intake.errors import BadPickleError, IntakeError, TooLargeError, UnreadableError, UnsafePickleError
from tracewitness.intake.limits import Limits
from tracewitness.intake.pickles import Array, Blob, Global, Stub, arrays_of, read_pickle
from tracewitness.intake.pickles.machine import PickleMachine
from tracewitness.intake.pickles.plain import extent, plain
from tracewitness.intake.pickles.source import Source
from tracewitness.intake.pickles.writing import write_pickle

PROTOCOLS = range(6)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.tuples(inner, inner)
        | st.tuples(inner)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])) | st.integers() | st.binary(), inner)
        | st.sets(st.integers() | st.text(st.characters(exclude_categories=["Cs"])))
        | st.frozensets(st.integers())
    ),
    max_leaves=30,
)


@settings(max_examples=300, deadline=None)
@given(value=PLAIN, protocol=st.sampled_from(PROTOCOLS))
def test_plain_data_reads_back_equal(value: Any, protocol: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    found = read(dumped(value, protocol), tmp_path_factory.getbasetemp())
    assert found.value == value
    assert found.unknown == ()
    out = io.BytesIO()
    write_pickle(found.value, out)
    assert read(out.getvalue(), tmp_path_factory.getbasetemp()).value == value


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_known_objects_become_data_or_stubs(protocol: int, tmp_path: Path) -> None:
    when = datetime.datetime(2026, 1, 31, 12, 0)
    value: list[Any] = [
        collections.OrderedDict(a=1),
        collections.defaultdict(list, b=[2]),
        bytearray(b"abc"),
        np.float64(1.5),
        np.int32(-7),
        np.bool_(True),
        when,
        pathlib.PurePosixPath("/a/b"),
        decimal.Decimal("1.5"),
    ]
    found = read(dumped(value, protocol), tmp_path)
    assert found.value[:6] == [{"a": 1}, {"b": [2]}, b"abc", 1.5, -7, True]
    assert [one.of.path for one in found.value[6:]][0] == "datetime.datetime"
    assert all(isinstance(one, Stub) for one in found.value[6:])
    assert found.unknown == ()


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ["u1", "i4", "f8"])
def test_arrays_keep_shape_type_and_bytes(protocol: int, kind: str, tmp_path: Path) -> None:
    one = np.arange(24).reshape(2, 3, 4).astype(kind)
    found = read(dumped([one, np.asfortranarray(one)], protocol), tmp_path).value
    assert all(isinstance(array, Array) for array in found)
    assert [(array.shape, array.dtype, array.fortran) for array in found] == [
        ((2, 3, 4), kind, False),
        ((2, 3, 4), kind, True),
    ]
    assert found[0].content == one.tobytes()
    assert np.frombuffer(found[1].content, kind).reshape((2, 3, 4), order="F").tolist() == one.tolist()


def test_both_module_paths_of_numpy(tmp_path: Path) -> None:
    content = dumped(np.zeros((2, 2), "u1"), 2)
    module = next(name for name in (b"numpy._core.multiarray", b"numpy.core.multiarray") if name in content)
    for other in (b"numpy._core.multiarray", b"numpy.core.multiarray"):
        array = read(content.replace(module, other), tmp_path).value
        assert isinstance(array, Array)
        assert array.content == bytes(4)


class Other:
    """A class of a log's own code."""

    def __init__(self) -> None:
        self.said = "hello"
        self.me = self


def test_unknown_classes_are_stubs_and_named(tmp_path: Path) -> None:
    found = read(dumped(Other()), tmp_path)
    assert isinstance(found.value, Stub)
    assert found.value.get("said") == "hello"
    assert found.value.get("me") is found.value
    assert found.unknown == (f"{Other.__module__}.Other",)


IMPORT: Any = vars(importlib)["import_module"]
SYSTEM: Any = vars(os)["system"]


def marker(folder: Path) -> str:
    return f"touch {folder / 'ran'}"


ATTACKS: dict[str, Callable[[Path], Any]] = {
    "os.system": lambda folder: Reduced(SYSTEM, marker(folder)),
    "subprocess.Popen": lambda folder: Reduced(subprocess.Popen, marker(folder)),
    "subprocess.check_output": lambda folder: Reduced(subprocess.check_output, ["touch", str(folder / "ran")]),
    "builtins.eval": lambda folder: Reduced(builtins.eval, "1 + 1"),
    "builtins.exec": lambda folder: Reduced(builtins.exec, "x = 1"),
    "builtins.getattr": lambda folder: Reduced(getattr, Reduced(IMPORT, "os"), "system"),
    "builtins.__import__": lambda folder: Reduced(builtins.__import__, "os"),
    "builtins.open": lambda folder: Reduced(builtins.open, str(folder / "ran"), "w"),
    "builtins.print": lambda folder: Reduced(print, "x"),
    "importlib.import_module": lambda folder: Reduced(IMPORT, "os"),
    "shutil.rmtree": lambda folder: Reduced(shutil.rmtree, str(folder)),
    "socket.socket": lambda folder: Reduced(socket.socket),
    "sys.exit": lambda folder: Reduced(sys.exit, 3),
    "inside": lambda folder: {"episode": [{"goal": "x", "data": (1, [Reduced(SYSTEM, marker(folder))])}]},
    "as a class": lambda folder: [SYSTEM],
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused_by_name_and_nothing_runs(attack: str, protocol: int, tmp_path: Path) -> None:
    with pytest.raises(UnsafePickleError) as refused:
        read(dumped(ATTACKS[attack](tmp_path), protocol), tmp_path)
    assert not (tmp_path / "ran").exists()
    assert "nothing of it was run" in refused.value.problem
    named = {"inside": "system", "as a class": "system"}.get(attack, attack.partition(".")[2])
    assert f".{named}," in refused.value.problem


def name(module: str, attribute: str) -> bytes:
    return f"c{module}\n{attribute}\n".encode()


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


HANDMADE = {
    "global alone": name("os", "system") + b".",
    "nt": name("nt", "system") + b".",
    "Python 2": name("__builtin__", "eval") + b".",
    "pickle within": name("pickle", "loads") + b".",
    "inst": b"(" + text("id") + b"ios\nsystem\n.",
    "obj": b"(" + name("os", "system") + text("id") + b"o.",
    "newobj": b"\x80\x02" + name("os", "system") + text("id") + b"\x85\x81.",
    "newobj_ex": b"\x80\x04" + name("subprocess", "Popen") + b")}" + text("args") + text("id") + b"s\x92.",
    "stack_global": b"\x80\x04" + text("os") + text("system") + b"\x93.",
    "dotted": b"\x80\x04" + text("os") + text("path.join") + b"\x93.",
    "dunder chain": b"\x80\x04" + text("collections") + text("OrderedDict.__init__.__globals__") + b"\x93.",
    "submodule": name("os.path", "join") + b".",
    "runstring": name("numpy.testing._private.utils", "runstring") + b".",
    "attrgetter": name("operator", "attrgetter") + b".",
    "named by parts of the memo": b"\x80\x04" + text("system") + b"\x94" + text("os") + b"h\x00\x93.",
    "persid": b"Pabc\n.",
    "binpersid": b"\x80\x02K\x01Q.",
    "ext1": b"\x80\x02\x82\x01.",
    "ext2": b"\x80\x02\x83\x01\x00.",
    "ext4": b"\x80\x02\x84\x01\x00\x00\x00.",
    "out of band": b"\x80\x05\x97.",
    "read-only buffer": b"\x80\x05N\x98.",
}


@pytest.mark.parametrize("attack", HANDMADE)
def test_handmade_attacks_are_refused(attack: str, tmp_path: Path) -> None:
    with pytest.raises(UnsafePickleError):
        read(HANDMADE[attack], tmp_path)


def test_state_is_data_whatever_it_is_called(tmp_path: Path) -> None:
    for key in ("__setstate__", "__class__", "__dict__", "__reduce__", "get", "of", "state"):
        found = read(name("some.app", "Thing") + b")R}" + text(key) + text("evil") + b"sb.", tmp_path).value
        assert isinstance(found, Stub)
        assert found.of.path == "some.app.Thing"
        assert dict(found.state) == {key: "evil"}
        assert callable(found.get)


def test_a_class_is_not_changed(tmp_path: Path) -> None:
    with pytest.raises(BadPickleError):
        read(name("some.app", "Thing") + b"}" + text("x") + b"K\x01sb.", tmp_path)


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b".",
        b"\x80\x09.",
        b"\xff",
        b"]",
        b"0",
        b"(]",
        b"}K\x01s.",
        b"}](K\x01s.",
        b"](K\x01u.",
        b"e.",
        b"K\x01R.",
        b"))R.",
        b"h\x09.",
        b"g9x\n.",
        b"Iabc\n.",
        b"I" + b"9" * 100_000 + b"\n.",
        b"L" + b"9" * 5000 + b"L\n.",
        b"F1.2.3\n.",
        b"Sabc\n.",
        b"V\\u12\n.",
        b"X\xff\xff\xff\xff",
        b"\x8d" + b"\xff" * 8,
        b"\x8e" + b"\xff" * 8,
        b"\x96" + b"\x00" * 7 + b"\x40",
        b"B\x00\x00\x00\x7fabc",
        b"T\xff\xff\xff\xffabc.",
        b"\x8b\xff\xff\xff\x7fab",
        b"\x8b\xff\xff\xff\xffab",
        b"X\x02\x00\x00\x00\xc3\x28.",
        b"}]K\x01s.",
        b"](]\x90.",
        b"(]l\x91.",
        name("collections", "OrderedDict") + b"N\x85\x85b.",
        name("numpy.core.multiarray", "_reconstruct") + b")RN\x85b.",
        name("numpy.core.multiarray", "_reconstruct") + b")R(K\x01K\x02N\x89Ntb.",
        b"c" + b"a" * 5000 + b"\nb\n.",
    ],
)
def test_damage_is_a_typed_error(broken: bytes, tmp_path: Path) -> None:
    with pytest.raises((BadPickleError, TooLargeError)) as told:
        read(broken, tmp_path)
    assert told.value.problem


def timed(content: bytes, folder: Path, limits: Limits | None = None) -> Any:
    started = time.process_time()
    try:
        return read(content, folder, limits)
    except IntakeError as error:
        return error
    finally:
        assert time.process_time() - started < 20


def test_nesting_without_end(tmp_path: Path) -> None:
    for opening, closing in ((b"]" * 400_000, b"a" * 399_999), (b")" + b"\x85" * 400_000, b""), (b"(" * 400_000, b"")):
        timed(opening + closing + b".", tmp_path)
    deep = b"K\x01" + name("a", "B").join([b""] * 2) + b"\x85" * 100
    timed(deep + b".", tmp_path)
    as_key = timed(b"}" + b")" + b"\x85" * 300_000 + b"K\x01s.", tmp_path)
    assert isinstance(as_key, BadPickleError)
    stubs = b"".join(name("a", "B") for _ in range(100_000)) + b")" + b"\x85R" * 100_000
    timed(stubs + b".", tmp_path)


def doubling(times: int) -> bytes:
    """Return a list of two lists of two lists ...: small, and endless to whoever walks it."""
    grow = b"".join(b"(h" + bytes([at]) + b"h" + bytes([at]) + b"lq" + bytes([at + 1]) for at in range(times))
    return b"(lq\x00" + grow + b"."


def test_what_is_shared_stays_shared(tmp_path: Path) -> None:
    value = read(doubling(200), tmp_path).value
    assert value[0] is value[1]
    assert isinstance(timed(b"}" + doubling(30)[:-1].replace(b"l", b"t") + b"K\x01s.", tmp_path), BadPickleError)


def test_work_is_bounded_where_a_few_bytes_ask_for_much(tmp_path: Path) -> None:
    many = b"(" + b"K\x01" * 300_000 + b"lq\x00" + name("builtins", "set") + b"q\x01"
    assert isinstance(timed(many + b"h\x01h\x00\x85R" * 200_000 + b".", tmp_path), TooLargeError)
    state = b"}(" + b"".join(text(str(at)) + b"K\x01" for at in range(50_000)) + b"uq\x00" + name("a", "B") + b")R"
    assert isinstance(timed(state + b"h\x00b" * 200_000 + b".", tmp_path), TooLargeError)
    encoded = text("x" * 1_000_000) + b"q\x00" + name("_codecs", "encode") + b"q\x01"
    many_bytes = (
        encoded + b"h\x01h\x00" + text("latin1") + b"\x86R" + (b"h\x01h\x00" + text("latin1") + b"\x86R") * 5000
    )
    assert isinstance(timed(many_bytes + b".", tmp_path), TooLargeError)
    colliding = b"".join(b"\x8a\x0a" + ((2**61 - 1) * at).to_bytes(10, "little") + b"N" for at in range(100_000))
    assert isinstance(timed(b"}(" + colliding + b"u.", tmp_path), BadPickleError)


def test_a_bomb_is_not_unpacked_into_memory(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    path = tmp_path / "bomb.pkl.gz"
    zeros = b"\x8e" + struct.pack("<Q", 250 * 1024 * 1024)
    with gzip.open(path, "wb", 1) as out:
        out.write(b"\x80\x04]" + zeros)
        for _ in range(250):
            out.write(bytes(1024 * 1024))
        out.write(b"a.")
    blob = read_pickle(path, Limits()).value[0]
    assert isinstance(blob, Blob)
    assert (blob.content, blob.size) == (None, 250 * 1024 * 1024)
    with pytest.raises(TooLargeError):
        read_pickle(path, Limits(unpacked=100 * 1024 * 1024))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024
    texts = b"\x80\x04]" + (text("x" * 1_000_000)) * 300
    with pytest.raises(TooLargeError):
        read(gzip.compress(texts + b"."), tmp_path)


def test_arrays_go_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "frames.pkl.gz"
    frames = [np.full((500, 500, 3), at, "u1") for at in range(40)]
    path.write_bytes(gzip.compress(dumped(frames), 1))
    noted = read_pickle(path, Limits(document=2_000_000), note=lambda array: len(array.content or b"")).value
    assert [array.mark for array in noted] == [750_000] * 40
    assert all(array.content is None for array in noted)
    assert [(array.content or b"")[0] for array in arrays_of(path, Limits(document=2_000_000))] == list(range(40))
    with pytest.raises(TooLargeError):
        read_pickle(path, Limits(document=2_000_000))


def test_room_is_not_given_back_twice(tmp_path: Path) -> None:
    array = name("numpy.core.multiarray", "_reconstruct")
    dtype = name("numpy", "dtype") + text("u1") + b"\x85Rq\x01"
    content = b"B" + struct.pack("<I", 70_000) + bytes(70_000) + b"q\x00"
    again = array + b")R(K\x01M\x70\x11\x85h\x01\x89h\x00tb"
    path = tmp_path / "one.pkl"
    path.write_bytes(b"\x80\x03" + dtype + content + again * 50 + (text("x" * 1000)) * 200 + b".")
    with pytest.raises(TooLargeError):
        read_pickle(path, Limits(document=150_000), note=lambda _: None)


def test_a_damaged_gzip_file(tmp_path: Path) -> None:
    whole = gzip.compress(dumped({"a": list(range(5000))}))
    for content in (whole[:-3], whole[:50], whole[:-8] + b"12345678", b"\x1f\x8bjunk"):
        with pytest.raises(IntakeError) as told:
            read(content, tmp_path)
        assert isinstance(told.value, BadPickleError | UnreadableError)


def mutated(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(content) + 1)
        end = min(len(content), at + chance.choice((0, 1, 4, 30)))
        fill = bytes(chance.randrange(256) for _ in range(chance.choice((0, 1, 1, 4))))
        content = (
            content[:at] + chance.choice((fill, content[chance.randrange(len(content) + 1) :][:8])) + content[end:]
        )
        if not content:
            return b"."
    return content


def test_random_and_mutated_pickles_give_values_or_typed_errors() -> None:
    chance = random.Random(11)
    value = {
        "episode_data": {"raw": [np.zeros((3, 4, 3), "u1")] * 2, "ui": [Other(), Other()], "n": [0, 1]},
        "when": datetime.datetime(2026, 1, 31),
        "set": {1, 2, "x"},
        "path": pathlib.PurePosixPath("/a"),
        "scalar": np.float32(2.5),
    }
    seeds = [dumped(value, protocol) for protocol in PROTOCOLS]
    for at in range(20_000):
        if at % 4 == 0:
            content = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 60)))
        else:
            content = mutated(chance.choice(seeds), chance)
        try:
            for array in PickleMachine(Source(io.BytesIO(content), Limits())).run():
                array.content = None
        except IntakeError as error:
            assert error.problem


def test_a_written_pickle_holds_what_was_read(tmp_path: Path) -> None:
    screen = Stub(Global("some.app", "Screen"), (1,), state={"title": "Home"})
    screen.items, screen.pairs = [1, 2], {"a": screen}
    array = Array((2, 2), "u1", content=b"abcd")
    out = io.BytesIO()
    write_pickle({"screens": [screen, screen], "array": array, "of": screen.of}, out)
    found = read(out.getvalue(), tmp_path).value
    again = found["screens"][0]
    assert again is found["screens"][1]
    assert (again.of.path, again.arguments, dict(again.state), again.items) == (
        "some.app.Screen",
        (1,),
        {"title": "Home"},
        [1, 2],
    )
    assert again.pairs == {"a": again}
    assert (found["array"].shape, found["array"].dtype, found["array"].content) == ((2, 2), "u1", b"abcd")
    assert found["of"].path == "some.app.Screen"
    with pytest.raises(BadPickleError):
        write_pickle(object(), io.BytesIO())
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadPickleError):
        write_pickle(deep, io.BytesIO())


def test_values_are_measured_and_made_plain_in_bounded_time(tmp_path: Path) -> None:
    endless = read(doubling(200), tmp_path).value
    started = time.process_time()
    assert extent(endless) == 0
    assert plain({"x": endless, "n": float("nan"), "big": 2**80, "s": Stub(Global("a", "B"))})["n"] is None
    assert time.process_time() - started < 2
    shown = Stub(Global("a", "B"), ("abc",), state={"key": ["de", 1, None]}, rest=Array((2, 3), "u1"))
    assert extent([shown, shown]) == len("abc") + len("key") + len("de") + 1 + 6
    assert plain({1: "x", "a": (1, [2.5, {"b": True}])}) == {"a": [1, [2.5, {"b": True}]]}
    assert len(plain([["x"] * 1000] * 1000)[0]) == 50
