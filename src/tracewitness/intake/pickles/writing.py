"""Writing what was read of a pickle as a pickle again, for logs that are told in other words."""

import struct
from typing import Any, BinaryIO, cast

from tracewitness.intake.errors import BadPickleError
from tracewitness.intake.pickles.values import Array, Blob, Global, Stub

_RECONSTRUCT = Global("numpy.core.multiarray", "_reconstruct")
_NDARRAY = Global("numpy", "ndarray")
_DTYPE = Global("numpy", "dtype")


def write_pickle(value: Any, out: BinaryIO) -> None:
    """Write a value as a pickle of protocol 4: plain data, stubs, arrays and names of classes.

    Args:
        value: The value. An array without bytes must have them in ``mark``, as a function that returns them.
        out: Where to.

    Raises:
        BadPickleError: The value holds something else, or is nested too deeply.
    """
    out.write(b"\x80\x04")
    try:
        _Writer(out).write(value)
    except RecursionError as error:
        raise BadPickleError("nested too deeply to be written", "leave the file out") from error
    out.write(b".")


class _Writer:
    def __init__(self, out: BinaryIO) -> None:
        self._put = out.write
        self._memo: dict[int, int] = {}
        self._held: list[Any] = []

    def write(self, value: Any) -> None:
        if id(value) in self._memo:
            self._put(b"j" + struct.pack("<I", self._memo[id(value)]))
        elif value is None or isinstance(value, bool | int | float | str | bytes | Blob):
            self._plain(value)
        elif isinstance(value, Global):
            self._plain(value.module)
            self._plain(value.name)
            self._put(b"\x93")
        elif isinstance(value, Array):
            self._array(value)
        elif isinstance(value, Stub):
            self._stub(value)
        else:
            self._container(value)

    def _remember(self, value: Any) -> None:
        """Put the top of the stack into the memo; the value is held, so that no other gets its id."""
        self._memo[id(value)] = len(self._held)
        self._put(b"r" + struct.pack("<I", len(self._held)))
        self._held.append(value)

    def _plain(self, value: bool | int | float | str | bytes | Blob | None) -> None:
        if value is None or isinstance(value, bool):
            self._put({None: b"N", True: b"\x88", False: b"\x89"}[value])
        elif isinstance(value, int):
            content = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
            self._put(b"\x8b" + struct.pack("<i", len(content)) + content)
        elif isinstance(value, float):
            self._put(b"G" + struct.pack(">d", value))
        elif isinstance(value, str):
            content = value.encode("utf-8", "surrogatepass")
            self._put(b"\x8d" + struct.pack("<Q", len(content)) + content)
        else:
            content = value if isinstance(value, bytes) else value.content or b""
            self._put(b"\x8e" + struct.pack("<Q", len(content)) + content)

    def _container(self, value: Any) -> None:
        if isinstance(value, tuple | frozenset):
            self._put(b"(")
            for item in cast(tuple[Any, ...], value):
                self.write(item)
            self._put(b"t" if isinstance(value, tuple) else b"\x91")
        elif isinstance(value, list | set):
            self._put(b"]" if isinstance(value, list) else b"\x8f")
            self._remember(value)
            self._items(list(cast(list[Any], value)), b"e" if isinstance(value, list) else b"\x90")
        elif isinstance(value, dict):
            self._put(b"}")
            self._remember(cast(Any, value))
            self._pairs(cast(dict[Any, Any], value))
        else:
            raise BadPickleError(f"{type(value).__name__} is not written", "leave the file out")

    def _items(self, items: list[Any], closing: bytes) -> None:
        self._put(b"(")
        for item in items:
            self.write(item)
        self._put(closing)

    def _pairs(self, pairs: dict[Any, Any]) -> None:
        self._items([part for pair in pairs.items() for part in pair], b"u")

    def _stub(self, stub: Stub) -> None:
        self.write(stub.of)
        self.write(stub.arguments)
        if stub.named:
            self.write(dict(stub.named))
        self._put(b"\x92" if stub.named else b"R")
        self._remember(stub)
        if stub.items is not None:
            self._items(stub.items, b"e")
        if stub.pairs is not None:
            self._pairs(stub.pairs)
        if stub.state or stub.rest is not None:
            self.write(dict(stub.state) if stub.state else stub.rest)
            self._put(b"b")

    def _array(self, array: Array) -> None:
        self.write(_RECONSTRUCT)
        self.write((_NDARRAY, (0,), b"b"))
        self._put(b"R")
        self._remember(array)
        content = array.content if array.content is not None else array.mark()
        dtype = Stub(_DTYPE, (array.dtype, False, True), rest=(3, "|", None, None, None, -1, -1, 0))
        self.write((1, array.shape, dtype, array.fortran, content))
        self._put(b"b")
