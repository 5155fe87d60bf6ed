"""The header of a GGUF file, read as plain data: what model it is, how much it reads, whether the file is whole.

A runtime that maps a file of weights into memory dies where the file ends too early. So every length that the header
states is held against the size of the file before a runtime sees it.
"""

import math
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST_ENTRIES = 10_000
_MOST_TENSORS = 100_000
_MOST_ITEMS = 5_000_000
_LONGEST_KEY = 65_535
_LONGEST_TEXT = 16 * 1024 * 1024
_LONGEST_HEADER = 512 * 1024 * 1024
_MOST_DIMENSIONS = 8
_MOST_NESTED = 3
_ALIGNMENT = 32
_LARGEST_ALIGNMENT = 1024 * 1024
_TEXT, _ARRAY = 8, 9
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "B", 10: "Q", 11: "q", 12: "d"}

# How many weights a block of each type holds, and in how many bytes.
_BLOCKS = {
    0: (1, 4),
    1: (1, 2),
    2: (32, 18),
    3: (32, 20),
    6: (32, 22),
    7: (32, 24),
    8: (32, 34),
    10: (256, 84),
    11: (256, 110),
    12: (256, 144),
    13: (256, 176),
    14: (256, 210),
    24: (1, 1),
    25: (1, 2),
    26: (1, 4),
    27: (1, 8),
    28: (1, 8),
    30: (1, 2),
}


class GgufError(ValueError):
    """A file is no whole GGUF file; the message says in what."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What the header of a GGUF file says.

    Attributes:
        architecture: Such as ``llama`` or ``qwen2``; empty where it does not say.
        name: The name of the model; empty where it does not say.
        context_tokens: How many tokens the model reads at once; None where it does not say.
    """

    architecture: str
    name: str
    context_tokens: int | None


def read_header(path: Path) -> GgufHeader:
    """Read the header of a GGUF file. Nothing in it is executed, and no more is read than the file holds.

    Raises:
        GgufError: It is no GGUF file, of an unknown version, damaged, or cut off.
        OSError: It cannot be opened.
    """
    with path.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise GgufError("it does not begin as a GGUF file does")
        return _Header(stream, size).read()


class _Header:
    """Reads a header front to back."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._size = size
        self._items = 0
        self._told: dict[str, str | int | float] = {}

    def read(self) -> GgufHeader:
        version = self._number("I")
        if version not in _VERSIONS:
            raise GgufError(f"its version is {version}, expected 2 or 3")
        tensors, entries = self._count(_MOST_TENSORS, "tensors"), self._count(_MOST_ENTRIES, "entries")
        for _ in range(entries):
            self._entry()
        if not tensors:
            raise GgufError("it holds no weights")
        ends = [self._tensor_end() for _ in range(tensors)]
        begin = -(-self._stream.tell() // self._alignment()) * self._alignment()
        if begin + max(ends) > self._size:
            raise GgufError("it is cut off: weights that its header lists are not there")
        return self._header()

    def _header(self) -> GgufHeader:
        architecture, name = (self._told.get(f"general.{key}", "") for key in ("architecture", "name"))
        context = self._told.get(f"{architecture}.context_length")
        known = context if isinstance(context, int) and context > 0 else None
        return GgufHeader(str(architecture), str(name), known)

    def _alignment(self) -> int:
        given = self._told.get("general.alignment", _ALIGNMENT)
        if not isinstance(given, int) or not 0 < given <= _LARGEST_ALIGNMENT:
            raise GgufError("its alignment is not in order")
        return given

    def _entry(self) -> None:
        key = self._text(_LONGEST_KEY)
        value = self._value(int(self._number("I")), 0)
        if value is not None:
            self._told[key] = value

    def _value(self, kind: int, depth: int) -> str | int | float | None:
        """Return a value; None for an array, which is passed over."""
        if kind == _TEXT:
            return self._text(_LONGEST_TEXT)
        if kind in _NUMBERS:
            return self._number(_NUMBERS[kind])
        if kind != _ARRAY or depth >= _MOST_NESTED:
            raise GgufError(f"it holds a value of an unknown type ({kind})")
        self._pass_array(depth)
        return None

    def _pass_array(self, depth: int) -> None:
        kind, length = int(self._number("I")), int(self._number("Q"))
        self._items += length
        if self._items > _MOST_ITEMS:
            raise GgufError("its header is too long")
        if kind in _NUMBERS:
            self._pass(length * struct.calcsize(f"<{_NUMBERS[kind]}"))
            return
        for _ in range(length):
            if kind == _TEXT:
                self._pass(int(self._number("Q")))
            else:
                self._value(kind, depth + 1)

    def _tensor_end(self) -> int:
        """Return where the weights of a tensor end, from where the weights begin."""
        self._pass(int(self._number("Q")))
        dimensions = int(self._number("I"))
        if dimensions > _MOST_DIMENSIONS:
            raise GgufError("a tensor has too many dimensions")
        weights = math.prod(int(self._number("Q")) for _ in range(dimensions))
        kind, offset = int(self._number("I")), int(self._number("Q"))
        # Of a type that is not known here, one byte at least is there.
        block, size = _BLOCKS.get(kind, (max(weights, 1), 1))
        return offset + -(-weights // block) * size

    def _count(self, most: int, what: str) -> int:
        found = int(self._number("Q"))
        if found > most:
            raise GgufError(f"it states {found} {what}, at most {most} are read")
        return found

    def _text(self, longest: int) -> str:
        length = int(self._number("Q"))
        if length > longest:
            raise GgufError("a text in its header is too long")
        return self._bytes(length).decode("utf-8", "replace")

    def _number(self, form: str) -> int | float:
        return struct.unpack(f"<{form}", self._bytes(struct.calcsize(f"<{form}")))[0]

    def _pass(self, length: int) -> None:
        self._within(length)
        self._stream.seek(length, os.SEEK_CUR)

    def _bytes(self, length: int) -> bytes:
        self._within(length)
        return self._stream.read(length)

    def _within(self, length: int) -> None:
        end = self._stream.tell() + length
        if end > self._size:
            raise GgufError("it is cut off in its header")
        if end > _LONGEST_HEADER:
            raise GgufError("its header is too long")
