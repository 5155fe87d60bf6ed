"""The opcodes that put a plain value on the stack."""

import re
import struct
from collections.abc import Callable, Mapping

from tracewitness.intake.errors import BadPickleError
from tracewitness.intake.pickles.source import Source
from tracewitness.intake.pickles.values import Blob

_LONGEST_DECIMAL = 1000
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}

Literal = bool | int | float | str | bytes | Blob | None


def _decimal(source: Source) -> Literal:
    written = source.line()
    if written in (b"00", b"01"):
        return written == b"01"
    return _integer(written)


def _long(source: Source) -> Literal:
    return _integer(source.line().removesuffix(b"L"))


def _integer(written: bytes) -> int:
    try:
        if len(written) <= _LONGEST_DECIMAL:
            return int(written)
    except ValueError:
        pass
    raise BadPickleError("not a number", "leave the file out")


def _float(source: Source) -> Literal:
    try:
        return float(source.line())
    except ValueError as error:
        raise BadPickleError("not a number", "leave the file out") from error


def _quoted(source: Source) -> Literal:
    written = source.line().strip()
    if len(written) < 2 or written[0] != written[-1] or written[:1] not in (b'"', b"'"):
        raise BadPickleError("a text without quotation marks", "leave the file out")
    source.keep(len(written))
    return _ESCAPE.sub(_unescaped, written[1:-1].decode("latin-1"))


def _unescaped(found: re.Match[str]) -> str:
    code = found.group(1)
    if code[0] == "x" and len(code) == 3:
        return chr(int(code[1:], 16))
    return chr(int(code, 8) & 0xFF) if code.isdigit() and code[0] < "8" else _NAMED.get(code, code)


def _raw_text(source: Source) -> Literal:
    written = source.line()
    source.keep(len(written))
    try:
        text = written.decode("raw_unicode_escape")
    except UnicodeDecodeError as error:
        raise BadPickleError("a text with a broken escape", "leave the file out") from error
    return text.encode("utf-8", "replace").decode("utf-8")


def _narrow_text(source: Source, size: int) -> Literal:
    source.keep(size)
    return source.exact(size).decode("latin-1")


def _size(source: Source) -> int:
    size = source.number("<i")
    if size < 0:
        raise BadPickleError("a negative length", "leave the file out")
    return size


LITERALS: Mapping[int, Callable[[Source], Literal]] = {
    ord("N"): lambda _: None,
    0x88: lambda _: True,
    0x89: lambda _: False,
    ord("I"): _decimal,
    ord("L"): _long,
    ord("F"): _float,
    ord("S"): _quoted,
    ord("V"): _raw_text,
    ord("J"): lambda source: source.number("<i"),
    ord("K"): lambda source: source.number("<B"),
    ord("M"): lambda source: source.number("<H"),
    ord("G"): lambda source: struct.unpack(">d", source.exact(8))[0],
    0x8A: lambda source: source.integer(source.number("<B")),
    0x8B: lambda source: source.integer(_size(source)),
    ord("T"): lambda source: _narrow_text(source, _size(source)),
    ord("U"): lambda source: _narrow_text(source, source.number("<B")),
    ord("X"): lambda source: source.text(source.number("<I")),
    0x8C: lambda source: source.text(source.number("<B")),
    0x8D: lambda source: source.text(source.number("<Q")),
    ord("B"): lambda source: source.content(source.number("<I")),
    ord("C"): lambda source: source.content(source.number("<B")),
    0x8E: lambda source: source.content(source.number("<Q")),
    0x96: lambda source: source.content(source.number("<Q")),
}
"""By opcode."""
