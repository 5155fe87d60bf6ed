"""Bounded reading of untrusted files: size limits, encodings, Git LFS pointers, strict JSON.

Every function raises an :class:`~tracewitness.intake.errors.IntakeError` that already names the place; none of them
reads more than the limits allow, follows a device or a pipe, or trusts a length that a file states about itself.
"""

import gzip
import json
import math
import os
import re
import stat
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tracewitness.intake.chinese import plausibly_chinese
from tracewitness.intake.errors import (
    BadJsonError,
    EmptyError,
    EncodingError,
    IntakeError,
    LfsPointerError,
    TooLargeError,
    UnknownEncodingError,
    UnreadableError,
)
from tracewitness.intake.json_places import key_given_twice, place_of
from tracewitness.intake.json_weight import refuse_countless
from tracewitness.intake.limits import MEBIBYTE, Limits

_LFS = b"version https://git-lfs.github.com/spec/v1"
_GZIP = b"\x1f\x8b"
_STRING = r'"(?:[^"\\]++|\\.)*+"?'
_TOKENS = re.compile(rf"{_STRING}|NaN|-?Infinity", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]")
_WIDE = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_MARKS = tuple(mark for mark, _ in _WIDE)
_UNMARKED = re.compile(rb"(?:[\t\r\n -~]\0){4}|(?:\0[\t\r\n -~]){4}")
"""Four characters of ASCII, each beside a NUL byte: how JSON in UTF-16 begins."""
_CHINESE = "gb18030"
_REPLACED = "utf-8 with bytes replaced"


@dataclass(frozen=True, slots=True)
class TextRead:
    """A decoded text with the encoding that was used (``utf-8``, ``gb18030``, ``utf-8 with bytes replaced``)."""

    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class Line:
    """One non-blank line of a file: its 1-based number, its bytes without the line end, and whether it had one."""

    number: int
    content: bytes
    ended: bool


def open_plain(path: Path) -> BinaryIO:
    """Open a plain file for reading; refuse folders, devices and pipes before they can block.

    Raises:
        UnreadableError: The path is missing, not a plain file, or not readable.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise UnreadableError("this is not a plain file", "name a file or a folder of runs", path=str(path))
        return path.open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "the name cannot be used"
        raise UnreadableError(f"cannot be opened ({reason.lower()})", "check the path", path=str(path)) from error


def is_compressed(head: bytes) -> bool:
    """Tell by its first bytes whether a file is gzip-compressed."""
    return head.startswith(_GZIP)


def peek(path: Path, size: int = 64 * 1024) -> bytes:
    """Return the first bytes of a file, unpacked where it is gzip-compressed.

    Raises:
        UnreadableError: See :func:`open_plain`.
        EmptyError: The file has no bytes.
        LfsPointerError: The file is a Git LFS pointer.
    """
    with open_plain(path) as stream:
        head = stream.read(2)
        stream.seek(0)
        if not is_compressed(head):
            head = stream.read(size)
        else:
            head = _unpacked_head(stream, size, path)
    if not head.strip():
        if not head:
            raise EmptyError("the file is empty", "record the run again or leave the file out", path=str(path))
    refuse_lfs(head, path)
    return head


def _unpacked_head(stream: BinaryIO, size: int, path: Path) -> bytes:
    try:
        with gzip.GzipFile(fileobj=stream) as unpacked:
            return unpacked.read1(size) or unpacked.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError("the gzip data is damaged or cut off", "copy the file again", path=str(path)) from error


def refuse_lfs(head: bytes, path: Path) -> None:
    """Raise LfsPointerError where the bytes are a Git LFS pointer."""
    if head.startswith(_LFS):
        raise LfsPointerError(
            "this is a Git LFS pointer, not the recorded file", "fetch it with 'git lfs pull'", path=str(path)
        )


def read_bytes(path: Path, limit: int, way_out: str = "leave the file out") -> bytes:
    """Return the whole content of a small file, unpacked where compressed, never more than ``limit`` bytes.

    Raises:
        TooLargeError: The file is larger; found out before it is read (or while it is unpacked).
        UnreadableError, EmptyError, LfsPointerError: See :func:`peek`.
    """
    with open_plain(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > limit:
            raise _too_large(path, limit, way_out)
        head = stream.read(2)
        stream.seek(0)
        content = _unpack_all(stream, limit, path, way_out) if is_compressed(head) else stream.read(limit + 1)
    if len(content) > limit:
        raise _too_large(path, limit, way_out)
    if not content:
        raise EmptyError("the file is empty", "record the run again or leave the file out", path=str(path))
    refuse_lfs(content[:64], path)
    return content


def _unpack_all(stream: BinaryIO, limit: int, path: Path, way_out: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=stream) as unpacked:
            content = unpacked.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError("the gzip data is damaged or cut off", "copy the file again", path=str(path)) from error
    if len(content) > limit:
        raise _too_large(path, limit, way_out)
    return content


def _too_large(path: Path, limit: int, way_out: str, where: str = "") -> TooLargeError:
    return TooLargeError(f"larger than the limit of {size_words(limit)}", way_out, path=str(path), where=where)


def size_words(size: int) -> str:
    """Return a size in bytes as a person reads it: ``64 MiB``, ``512 bytes``."""
    if size >= MEBIBYTE and size % MEBIBYTE == 0:
        return f"{size // MEBIBYTE} MiB"
    return f"{size} bytes"


def decode(content: bytes, path: Path | str = "", known: str = "") -> TextRead:
    """Decode a log: UTF-8 (with or without a byte order mark), else GB18030 where that gives Chinese.

    Loggers that open files without an encoding write the platform's; GB18030 is the one met in real logs. A UTF-8 text
    cut in the middle of its last character stays UTF-8. In one that is full of other than ASCII, a few bad bytes become
    U+FFFD, so that they never cost the run, and the encoding says so. Anything else is refused: a wrong guess would put
    other words into the record.

    Args:
        content: The bytes.
        path: The file, for an error.
        known: The encoding that was found for the lines before; ``gb18030`` is then taken without a look.

    Raises:
        EncodingError: The text is UTF-16, or binary (it holds NUL bytes).
        UnknownEncodingError: Its encoding cannot be told.
    """
    refuse_wide(content, path)
    if b"\0" in content[:4096]:
        raise EncodingError("this is binary data, expected UTF-8 text", "leave the file out", path=str(path))
    try:
        return TextRead(content.decode("utf-8-sig"), "utf-8")
    except UnicodeDecodeError as error:
        if error.end >= len(content) and error.start >= len(content) - 3:
            return TextRead(content.decode("utf-8-sig", "ignore"), "utf-8")
        bad = content[error.start]
    found = _as_chinese(content, known) or _nearly_utf8(content)
    if found is None:
        problem = f"not UTF-8 text (byte 0x{bad:02x}), nor Chinese text in GB18030"
        raise UnknownEncodingError(problem, "convert it to UTF-8 (iconv -f ENCODING -t UTF-8)", path=str(path))
    return found


def _as_chinese(content: bytes, known: str) -> TextRead | None:
    try:
        text = content.decode(_CHINESE)
    except UnicodeDecodeError:
        return None
    return TextRead(text, _CHINESE) if known == _CHINESE or plausibly_chinese(text) else None


def _nearly_utf8(content: bytes) -> TextRead | None:
    text = content.decode("utf-8-sig", "replace")
    wide = sum(letter > "\x7f" for letter in text)
    return TextRead(text, _REPLACED) if text.count("\ufffd") * 10 <= wide else None


def refuse_wide(content: bytes, path: Path | str = "") -> None:
    """Raise EncodingError where the bytes are UTF-16 or UTF-32, with or without a byte order mark."""
    if content.startswith(_MARKS):
        name = next(name for mark, name in _WIDE if content.startswith(mark))
    elif _UNMARKED.match(content):
        name = "UTF-16"
    else:
        return
    raise EncodingError(f"this is {name}", "convert it to UTF-8", path=str(path))


def decode_utf8(content: bytes, where: str = "") -> str:
    """Decode what must be UTF-8; raise EncodingError where it is not."""
    try:
        refuse_wide(content)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 text (byte 0x{content[error.start]:02x} at offset {error.start})"
        raise EncodingError(problem, "save the file as UTF-8", where=where) from error


def lines_of(path: Path, limits: Limits) -> Iterator[Line]:
    """Yield the non-blank lines of a file, unpacked where compressed, in constant memory.

    Raises:
        TooLargeError: A line is longer than ``limits.line``, or more than ``limits.unpacked`` would be unpacked.
        UnreadableError: The file cannot be opened, or its gzip data is damaged.
    """
    with open_unpacked(path) as (source, compressed):
        yield from bounded_lines(source, path, limits, limits.unpacked if compressed else None)


@contextmanager
def open_unpacked(path: Path) -> Generator[tuple[BinaryIO, bool]]:
    """Open a plain file for reading from its beginning, unpacked where compressed; and tell whether it was.

    Raises:
        UnreadableError: See :func:`open_plain`; or what is read in the block breaks off.
    """
    with open_plain(path) as stream:
        compressed = is_compressed(stream.read(2))
        stream.seek(0)
        source: BinaryIO = gzip.GzipFile(fileobj=stream) if compressed else stream  # type: ignore[assignment]
        try:
            yield source, compressed
        except (OSError, EOFError, zlib.error) as error:
            problem = "the gzip data is damaged or cut off" if compressed else "the file cannot be read to its end"
            raise UnreadableError(problem, "copy the file again", path=str(path)) from error


def bounded_lines(source: BinaryIO, path: Path, limits: Limits, total: int | None) -> Iterator[Line]:
    """Yield the non-blank lines of an open file; see :func:`lines_of`.

    Args:
        source: The file.
        path: Its path, for errors.
        limits: Bounds on what is read.
        total: Most bytes of all lines together; None where the file itself is bounded.

    Raises:
        TooLargeError: A line or the whole is too long.
    """
    number = seen = 0
    while content := source.readline(limits.line + 1):
        number += 1
        seen += len(content)
        if len(content) > limits.line:
            raise _too_large(path, limits.line, "write one run per line", f"line {number}")
        if total is not None and seen > total:
            raise _too_large(path, total, "unpack it and split it", f"line {number}")
        bare = content.rstrip(b"\r\n")
        if bare.strip():
            yield Line(number, bare, len(bare) != len(content))


def parse_json(text: str, first_line: int = 1, *, strict: bool = False) -> Any:
    """Parse the JSON of a log: no key twice, no endless nesting.

    Lone surrogates become U+FFFD. Loggers in Python write NaN and infinities, which JSON does not have, and numbers as
    large as 1e999; all of these become None, unless ``strict``.

    Args:
        text: The JSON text.
        first_line: The line of the file on which the text starts, for the place in an error.
        strict: Refuse what JSON does not have.

    Raises:
        BadJsonError: With line and, where they can be told, column and key path.
        TooLargeError: It holds more values than memory is granted.
    """
    try:
        refuse_countless(text)
    except IntakeError as error:
        raise error.at(where=f"line {first_line}") from None
    try:
        value = (STRICT if strict else LENIENT).decode(text)
    except json.JSONDecodeError as error:
        raise _syntax_error(error, text, first_line) from error
    except RecursionError as error:
        raise BadJsonError("nested too deeply", "leave the record out", where=f"line {first_line}") from error
    except ConstantError as error:
        raise _constant_error(text, first_line, error.constant) from error
    except IntakeError as error:
        raise error.at(where=key_given_twice(text, first_line) or f"line {first_line}") from None
    except ValueError as error:
        raise BadJsonError("holds a number that is too long", "leave it out", where=f"line {first_line}") from error
    return without_surrogates(value) if may_hold_surrogates(text) else value


class ConstantError(ValueError):
    """NaN, an infinity or a number too large for a float was met; ``constant`` is how it was written."""

    def __init__(self, constant: str) -> None:
        super().__init__(constant)
        self.constant = constant


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of its keys and values; raise BadJsonError where a key stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadJsonError(f"key {twice!r} stands twice in one object", "keep one of them")
    return found


def _finite_float(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise ConstantError(written)
    return number


def _no_constant(constant: str) -> Any:
    raise ConstantError(constant)


def _finite_or_none(written: str) -> float | None:
    number = float(written)
    return number if math.isfinite(number) else None


def _constant_as_none(_: str) -> None:
    return None


STRICT = json.JSONDecoder(object_pairs_hook=object_of, parse_constant=_no_constant, parse_float=_finite_float)
"""Decoder of JSON as it is written down: a key given twice raises, and so does what JSON does not have."""

LENIENT = json.JSONDecoder(object_pairs_hook=object_of, parse_constant=_constant_as_none, parse_float=_finite_or_none)
"""Decoder of the JSON of loggers: a key given twice raises; NaN, infinities and endless numbers are None."""


def _syntax_error(error: json.JSONDecodeError, text: str, first_line: int) -> BadJsonError:
    where = f"line {first_line + error.lineno - 1}, column {error.colno}"
    if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
        return BadJsonError(
            "the JSON ends in the middle of a value", "the log was cut off; record it again", where=where
        )
    return BadJsonError(f"not valid JSON ({error.msg})", "check the line", where=where)


def _constant_error(text: str, first_line: int, constant: str) -> BadJsonError:
    tokens = _TOKENS if constant[-1].isalpha() else re.compile(rf"{_STRING}|{re.escape(constant)}", re.DOTALL)
    offset = next((found.start() for found in tokens.finditer(text) if not found.group().startswith('"')), 0)
    problem = f"{constant} is not JSON" if tokens is _TOKENS else "a number that JSON cannot express"
    return BadJsonError(problem, "write null or a number", where=place_of(text, offset, first_line))


def may_hold_surrogates(text: str) -> bool:
    """Tell whether JSON text may hold a lone surrogate, written as an escape; False where all stand in pairs."""
    written = text.count("\\ud") + text.count("\\uD")
    if not written:
        return False
    # Behind an escaped backslash, what looks like an escape is none; telling these apart is not worth it.
    return "\\\\u" in text or written != 2 * sum(1 for _ in _PAIR.finditer(text))


def without_surrogates(value: Any) -> Any:
    """Replace lone surrogates, which no database, terminal or file can hold, by U+FFFD."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value) if _SURROGATE.search(value) else value
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value
