"""Zip files of untrusted logs, read member by member in memory and never unpacked to disk.

What an archive says about itself is checked before anything is read: names that lead out of it, links, encrypted
members, two members of one name or on the same bytes, too many members. How much a member unpacks to is counted while
it is read, because the size in its header is only what its author wrote there. Whatever is wrong is an
:class:`~tracewitness.intake.errors.IntakeError` that names the member.
"""

import hashlib
import io
import lzma
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tracewitness.intake.archive_directory import refuse_huge_directory
from tracewitness.intake.errors import IntakeError, TooLargeError, UnreadableError, UnsafeArchiveError
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.intake.reading_files import Line, bounded_lines, open_plain, peek, refuse_lfs, size_words
from tracewitness.values.digests import Digest

_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
_CHUNK = 256 * 1024
_RATIO = 300
"""A member that unpacks to more than so many times its size is a bomb; texts of one line repeated stay below it."""

_FREE_OF_RATIO = 32 * MEBIBYTE
_PACKINGS = {12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ"}
_READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ZSTANDARD = 93
_ENCRYPTED = 0x1
_LOCAL_HEADER = 30
_REMEDY = "leave the file out"
_DAMAGE = (zipfile.BadZipFile, EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, NotImplementedError)


def is_archive(head: bytes) -> bool:
    """Tell by its first bytes whether a file is a zip file."""
    return head.startswith(_BEGINNINGS)


@contextmanager
def opened_archive(path: Path, limits: Limits) -> Generator["Archive"]:
    """Open a zip file whose list of members has been checked.

    Raises:
        UnreadableError: The path is no plain file, no zip file, damaged or cut off, or a member is encrypted.
        LfsPointerError: The file is a Git LFS pointer.
        TooLargeError: It has more members than are read.
        UnsafeArchiveError: A member's name leads out of the archive or stands twice, it is a link, or members overlap.
    """
    with open_plain(path) as stream:
        refuse_lfs(stream.read(64), path)
        try:
            refuse_huge_directory(stream, limits.members)
            archive = _directory_of(stream)
            _refuse_unsafe(archive, limits)
        except IntakeError as error:
            raise error.at(str(path)) from error.__cause__
        with archive:
            yield Archive(archive, path, limits)


def names_of_archive(path: Path, limits: Limits) -> frozenset[str]:
    """Return the names of a zip file's members, for detection; none where the file is no zip file.

    Raises:
        IntakeError: It is one, and damaged or unsafe; see :func:`opened_archive`.
    """
    if not path.is_file() or not is_archive(peek(path, 4)):
        return frozenset()
    with opened_archive(path, limits) as archive:
        return frozenset(archive.names)


def _directory_of(stream: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(stream)
    except _DAMAGE as error:
        raise _damaged() from error


def _damaged(where: str = "") -> UnreadableError:
    return UnreadableError("the zip file is damaged or cut off", "copy the file again", where=where)


class Archive:
    """An open zip file. Made by :func:`opened_archive`.

    Args:
        archive: The open file, checked.
        path: Where it lies, for errors.
        limits: Bounds on what is read.
    """

    def __init__(self, archive: zipfile.ZipFile, path: Path, limits: Limits) -> None:
        self._archive = archive
        self._path = path
        self._limits = limits
        self._members = {one.filename: one for one in archive.infolist() if not one.is_dir()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members that are files, in the order of the archive."""
        return tuple(self._members)

    def __contains__(self, name: str) -> bool:
        """Tell whether there is a member of that name."""
        return name in self._members

    def read_member(self, name: str, limit: int) -> bytes:
        """Return the content of a member.

        Raises:
            UnreadableError: There is none of that name, it is damaged (its checksum is wrong), or its packing is not
                one that is read.
            TooLargeError: It unpacks to more than ``limit`` bytes, or to implausibly many times its size.
        """
        with self._opened(name, limit) as source:
            return b"".join(iter(lambda: source.read(_CHUNK), b""))

    def lines_of_member(self, name: str) -> Iterator[Line]:
        """Yield the non-blank lines of a member in constant memory; what stands before damage comes before the error.

        Raises:
            UnreadableError, TooLargeError: See :meth:`read_member`; the bounds are those of a line and of a file.
        """
        with self._opened(name, self._limits.unpacked) as source:
            yield from bounded_lines(source, self._path, self._limits, self._limits.unpacked)

    def digest_of_member(self, name: str) -> Digest | None:
        """Return the digest of a member's bytes; None where it is missing, empty, damaged, or larger than a picture."""
        hasher, size = hashlib.sha256(), 0
        try:
            with self._opened(name, self._limits.screenshot) as source:
                while chunk := source.read(_CHUNK):
                    hasher.update(chunk)
                    size += len(chunk)
        except IntakeError:
            return None
        return Digest("sha256:" + hasher.hexdigest()) if size else None

    @contextmanager
    def opened_member(self, name: str) -> Generator[BinaryIO]:
        """Open a member to be read as a stream, bounded as a whole file is.

        Raises:
            UnreadableError, TooLargeError: See :meth:`read_member`; also while it is read.
        """
        with self._opened(name, self._limits.unpacked) as source:
            yield source

    @contextmanager
    def _opened(self, name: str, limit: int) -> Generator[BinaryIO]:
        member = self._members.get(name)
        where = f"member {name[:200]}"
        if member is None:
            raise UnreadableError("there is no such member", _REMEDY, path=str(self._path), where=where)
        if member.file_size > limit:
            raise _too_large(limit).at(str(self._path), where)
        _refuse_packing(member, self._path)
        try:
            with self._archive.open(member) as packed:
                counted = _Counted(packed.read, limit, _FREE_OF_RATIO + _RATIO * member.compress_size)
                yield io.BufferedReader(counted, _CHUNK)
        except IntakeError as error:
            raise error.at(str(self._path), where) from error.__cause__
        except _DAMAGE as error:
            raise _damaged(where).at(str(self._path)) from error
        except Exception as error:  # a decompressor that another package put in place has errors of its own
            if member.compress_type in _READABLE:
                raise
            raise _damaged(where).at(str(self._path)) from error


class _Counted(io.RawIOBase):
    """Counts what is unpacked, whatever the header said."""

    def __init__(self, read: Callable[[int], bytes], limit: int, plausible: int) -> None:
        self._read = read
        self._limit = limit
        self._plausible = plausible
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview[int]") -> int:  # type: ignore[override]
        content = self._read(len(buffer))
        self._size += len(content)
        if self._size > self._limit:
            raise _too_large(self._limit)
        if self._size > self._plausible:
            raise TooLargeError(f"unpacks to more than {_RATIO} times its size, as only a trap does", _REMEDY)
        buffer[: len(content)] = content
        return len(content)


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(f"unpacks to more than the limit of {size_words(limit)}", _REMEDY)


def _refuse_packing(member: zipfile.ZipInfo, path: Path) -> None:
    """Refuse packings that are not read; those of the LZMA family may ask for gigabytes of memory by their header."""
    packing = member.compress_type
    if packing in _READABLE or (packing == _ZSTANDARD and hasattr(zipfile, "ZIP_ZSTANDARD")):
        return
    named = _PACKINGS.get(packing, f"method {packing}")
    remedy = "pack it again with deflate" + (", or use Python 3.14 or later" if packing == _ZSTANDARD else "")
    raise UnreadableError(f"is packed with {named}, which is not read", remedy, path=str(path))


def _refuse_unsafe(archive: zipfile.ZipFile, limits: Limits) -> None:
    members = archive.infolist()
    if len(members) > limits.members:
        raise TooLargeError(f"has {len(members)} members, at most {limits.members} are read", "split it")
    for member in members:
        problem = _problem_of(member)
        if problem is not None:
            raise UnsafeArchiveError(problem, _REMEDY, where=f"member {member.filename[:200]}")
        if member.flag_bits & _ENCRYPTED:
            problem = "is encrypted"
            raise UnreadableError(problem, "pack it again without a password", where=f"member {member.filename[:200]}")
    twice = [name for name, count in Counter(member.filename for member in members).items() if count > 1]
    if twice:
        raise UnsafeArchiveError("two members have this name", _REMEDY, where=f"member {twice[0][:200]}")
    _refuse_overlap(members, archive.start_dir)


def _problem_of(member: zipfile.ZipInfo) -> str | None:
    # ``orig_filename`` is the name as it was written; ``filename`` ends at a NUL character and has other slashes.
    name = member.orig_filename.replace("\\", "/")
    if "\0" in name:
        return "its name holds a NUL character"
    if name.startswith("/") or name[1:2] == ":":
        return "its name is an absolute path"
    if ".." in name.split("/"):
        return "its name climbs out of the archive"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link"
    return None


def _refuse_overlap(members: list[zipfile.ZipInfo], directory: int) -> None:
    """Refuse members that lie on the same bytes, by which a small file unpacks to any size."""
    placed = sorted(members, key=lambda member: member.header_offset)
    starts = [*(member.header_offset for member in placed[1:]), directory]
    for member, following in zip(placed, starts, strict=False):  # an archive without members has no first one either
        if member.header_offset + _LOCAL_HEADER + member.compress_size > following:
            raise UnsafeArchiveError("overlaps another member", _REMEDY, where=f"member {member.filename[:200]}")
