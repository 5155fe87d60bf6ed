"""Damage to a planted log: everything that happens to files on their way, and bytes changed at random."""

import json
import random
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
_LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
_BAD = b'\n\n{"cut off": \n'
_PARTS = 24
_MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Damage:
    """A change to a planted log.

    Attributes:
        name: What it is.
        file: The file it is done to, relative to the log; empty where the log is that file.
        change: Returns the new bytes of the file; None deletes it.
        breaks: Whether evidence that is lost by it must be named as missing.
        becomes_folder: A folder of the same name stands in place of the file.
    """

    name: str
    file: str
    change: Callable[[bytes], bytes | None]
    breaks: bool = True
    becomes_folder: bool = False

    def apply(self, log: Path) -> None:
        """Do it."""
        path = self._path(log)
        changed = self.change(path.read_bytes())
        if changed is None:
            path.unlink()
        else:
            path.write_bytes(changed)
        if self.becomes_folder:
            path.mkdir()

    @contextmanager
    def applied_for_a_while(self, log: Path) -> Generator[None]:
        """Do it, and undo it behind the block: thousands of logs are tried without planting each anew."""
        path = self._path(log)
        content = path.read_bytes()
        self.apply(log)
        try:
            yield
        finally:
            path.write_bytes(content)

    def _path(self, log: Path) -> Path:
        return (log.parent if log.is_file() else log) / self.file.removeprefix("../") if self.file else log


def damages(log: Path) -> Iterator[Damage]:
    """Yield the damage that every reader must bear: cut off, empty, pointers, foreign encodings, missing pictures."""
    for file, content in _files(log):
        if file:
            yield Damage(f"{file} is a folder", file, lambda _: None, becomes_folder=True)
        if file.lower().endswith(_PICTURES):
            yield Damage(f"{file} is missing", file, lambda _: None)
            yield Damage(f"{file} is a pointer", file, lambda _: _LFS)
            yield Damage(f"{file} is empty", file, lambda _: b"")
            continue
        for end in _cuts(content):
            yield Damage(f"{file or log.name} is cut off after {end} bytes", file, lambda whole, end=end: whole[:end])
        yield Damage(f"{file or log.name} is empty", file, lambda _: b"")
        yield Damage(f"{file or log.name} is a pointer", file, lambda _: _LFS)
        yield Damage(f"{file or log.name} is UTF-16", file, lambda whole: whole.decode("latin-1").encode("utf-16"))
        yield Damage(f"{file or log.name} holds a byte of Latin-1", file, _with_latin_byte, breaks=False)
        yield Damage(f"{file or log.name} has a byte order mark", file, lambda whole: b"\xef\xbb\xbf" + whole)
        yield Damage(f"{file or log.name} has CRLF", file, lambda whole: whole.replace(b"\n", b"\r\n"))
        yield Damage(f"{file or log.name} holds NaN", file, lambda whole: whole.replace(b"null", b"NaN"), breaks=False)
        yield Damage(f"{file or log.name} is nested deeply", file, lambda _: b"[" * 100_000)


def _cuts(content: bytes) -> Iterator[int]:
    ends = [at + 1 for at, byte in enumerate(content) if byte == 0x0A][:_MOST_LINES]
    evenly = [len(content) * part // _PARTS for part in range(1, _PARTS)]
    return iter(sorted({*ends, *(end - 1 for end in ends), *evenly} - {0, len(content)}))


def _with_latin_byte(content: bytes) -> bytes:
    return content[: len(content) // 2] + b"\xe9" + content[len(content) // 2 :]


def with_damaged_lines(log: Path) -> bool:
    """Put a blank and a damaged line behind the first one of every file of JSON Lines; False where there is none."""
    found = False
    for file, content in _files(log):
        first, _, rest = content.partition(b"\n")
        if rest.strip() and all(map(_is_object, filter(None, content.split(b"\n")))):
            Damage("a blank and a damaged line", file, lambda _, new=(first, rest): new[0] + _BAD + new[1]).apply(log)
            found = True
    return found


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def mutations(log: Path, chance: random.Random, count: int) -> Iterator[Damage]:
    """Yield ``count`` logs in which some bytes of one file were changed, inserted, deleted, doubled or swapped."""
    files = [(file, content) for file, content in _files(log) if not file.lower().endswith(_PICTURES) and content]
    for number in range(count if files else 0):
        file, content = chance.choice(files)
        mutated = _mutated(content, chance)
        yield Damage(f"mutation {number} of {file or log.name}", file, lambda _, new=mutated: new, breaks=False)


_TOKENS = (b"null", b"[]", b"{}", b'""', b"-1", b"1e999", b"true", b'"x"', b"[[]]", b'{"a":1}', b"99999999999999999999")


def _mutated(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 4))):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice((0, 1, 1, 4, 16, 64)))
        piece = content[start:end]
        new = chance.choice(
            (
                bytes(chance.randrange(256) for _ in piece) or bytes([chance.randrange(256)]),
                b"",
                piece + piece,
                chance.choice(_TOKENS),
                content[chance.randrange(len(content) + 1) :][: len(piece)],
            )
        )
        content = _value_replaced(content, chance) if chance.random() < 0.4 else content[:start] + new + content[end:]
        if not content:
            return b" "
    return content


def _value_replaced(content: bytes, chance: random.Random) -> bytes:
    """Return JSON text with one value behind a colon replaced by a token of another type."""
    places = [mark.end() for mark in re.finditer(b":", content)]
    if not places:
        return content
    start = chance.choice(places)
    ends = [end for mark in (b",", b"}", b"]", b"\n") if (end := content.find(mark, start)) >= 0]
    end = min(ends, default=len(content))
    return content[:start] + chance.choice(_TOKENS) + content[end:]


def _files(log: Path) -> list[tuple[str, bytes]]:
    if log.is_file():
        beside = [one for one in sorted(log.parent.rglob("*")) if one.is_file() and one != log]
        pictures = [(f"../{one.relative_to(log.parent)}", one.read_bytes()) for one in beside if _is_picture(one)]
        return [("", log.read_bytes()), *pictures]
    return [(str(one.relative_to(log)), one.read_bytes()) for one in sorted(log.rglob("*")) if one.is_file()]


def _is_picture(path: Path) -> bool:
    return path.name.lower().endswith(_PICTURES)
