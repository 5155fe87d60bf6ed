"""Zip files of untrusted logs: nothing on disk, every trouble a typed error that names the member."""

import io
import stat
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from tracewitness.intake.archives import is_archive, names_of_archive, opened_archive
from tracewitness.intake.errors import (
    EmptyError,
    IntakeError,
    LfsPointerError,
    TooLargeError,
    UnreadableError,
    UnsafeArchiveError,
)
from tracewitness.intake.limits import MEBIBYTE, Limits
from tracewitness.values.digests import digest_bytes

LIMITS = Limits()


def packed(path: Path, members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def named(path: Path, name: str, *names: str) -> Path:
    """Write a zip file whose members have just these names, which zipfile would make harmless."""
    placeholders = {f"{at}".ljust(len(one), "_"): one for at, one in enumerate((name, *names))}
    packed(path, {placeholder: b"content" for placeholder in placeholders})
    whole = path.read_bytes()
    for placeholder, one in placeholders.items():
        whole = whole.replace(placeholder.encode(), one.encode())
    path.write_bytes(whole)
    return path


def trouble(path: Path, limits: Limits = LIMITS) -> IntakeError:
    with pytest.raises(IntakeError) as caught, opened_archive(path, limits):
        pass
    assert caught.value.path
    return caught.value


def test_members_and_lines_are_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a/b.jsonl": b'{"a": 1}\n\n{"b": 2}', "c.bin": b"\0\1", "d/": b""})
    with opened_archive(path, LIMITS) as archive:
        assert archive.names == ("a/b.jsonl", "c.bin")
        assert "c.bin" in archive and "d.bin" not in archive
        assert archive.read_member("c.bin", 2) == b"\0\1"
        lines = list(archive.lines_of_member("a/b.jsonl"))
        assert archive.digest_of_member("c.bin") == digest_bytes(b"\0\1")
        assert archive.digest_of_member("nothing") is None
    assert [(line.number, line.content, line.ended) for line in lines] == [
        (1, b'{"a": 1}', True),
        (3, b'{"b": 2}', False),
    ]
    assert names_of_archive(path, LIMITS) == {"a/b.jsonl", "c.bin"}
    assert is_archive(path.read_bytes())


def test_what_is_no_zip_file_has_no_names(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    assert names_of_archive(path, LIMITS) == frozenset()
    assert names_of_archive(tmp_path, LIMITS) == frozenset()
    assert isinstance(trouble(path), UnreadableError)


@pytest.mark.parametrize("name", ["../../x", "a/../../x", "/etc/x", "C:/x", "..\\x", "a/..", "\\\\host\\x"])
def test_a_name_that_leads_out_of_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    found = trouble(named(tmp_path / "a.zip", name))
    assert isinstance(found, UnsafeArchiveError)
    assert "member" in found.where


def test_a_name_with_a_nul_character_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"evil_name": b"x"})
    path.write_bytes(path.read_bytes().replace(b"evil_name", b"evil\0name"))
    assert "NUL" in trouble(path).problem


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert "link" in trouble(path).problem


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("a", "1")
        archive.writestr("a", "2")
    assert isinstance(trouble(path), UnsafeArchiveError)


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a": b"x"})
    whole = bytearray(path.read_bytes())
    whole[whole.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(whole)
    assert "encrypted" in trouble(path).problem


def test_too_many_members_are_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {f"m{at}": b"" for at in range(20)})
    with opened_archive(path, Limits(members=20)) as archive:
        assert len(archive.names) == 20
    assert isinstance(trouble(path, Limits(members=19)), TooLargeError)


def test_a_directory_longer_than_its_members_need_is_not_even_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for at in range(4):
            one = zipfile.ZipInfo(f"m{at}")
            one.comment = b"c" * 60_000
            archive.writestr(one, "")
    assert isinstance(trouble(tmp_path / "a.zip", Limits(members=8)), TooLargeError)


def test_the_directory_of_large_files_is_looked_at_too(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a": b"x"})
    whole = path.read_bytes()
    end = whole.index(b"PK\x05\x06")
    start = whole.index(b"PK\x01\x02")
    big = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 1 << 40, start)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    path.write_bytes(whole[:end] + big + locator + whole[end:])
    assert isinstance(trouble(path), TooLargeError)


def test_a_member_larger_than_the_limit_is_refused_by_what_it_unpacks_to(tmp_path: Path) -> None:
    path = packed(tmp_path / "bomb.zip", {"a": b"x" * 100_000})
    whole = path.read_bytes()
    lied = whole.replace(struct.pack("<L", 100_000), struct.pack("<L", 10))
    path.write_bytes(lied)
    with opened_archive(path, LIMITS) as archive:
        with pytest.raises(IntakeError) as caught:
            archive.read_member("a", 1000)
    assert "member a" in caught.value.where
    path.write_bytes(whole)
    with opened_archive(path, LIMITS) as archive, pytest.raises(TooLargeError):
        archive.read_member("a", 99_999)
    with opened_archive(path, LIMITS) as archive:
        assert len(archive.read_member("a", 100_000)) == 100_000


def test_a_member_that_unpacks_to_very_many_times_its_size_is_refused_early(tmp_path: Path) -> None:
    path = packed(tmp_path / "bomb.zip", {"a": (b" " * 65_535 + b"\n") * 3200})
    tracemalloc.start()
    with opened_archive(path, LIMITS) as archive, pytest.raises(TooLargeError, match="times its size"):
        for _ in archive.lines_of_member("a"):
            pass
    assert tracemalloc.get_traced_memory()[1] < 16 * MEBIBYTE
    tracemalloc.stop()


def test_members_on_the_same_bytes_are_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"aa": b"x" * 50, "bb": b"x" * 50}, zipfile.ZIP_STORED)
    whole = bytearray(path.read_bytes())
    second = whole.index(b"PK\x01\x02", whole.index(b"PK\x01\x02") + 1)
    whole[second + 42 : second + 46] = struct.pack("<L", 0)
    path.write_bytes(whole)
    assert "overlaps" in trouble(path).problem


def test_every_cut_off_zip_file_is_a_typed_error(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.jsonl": b'{"a": 1}\n' * 40, "b": b"x"})
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(IntakeError), opened_archive(path, LIMITS) as archive:
            for name in archive.names:
                archive.read_member(name, MEBIBYTE)


def test_changed_bytes_give_content_or_typed_errors(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.jsonl": b'{"a": 1}\n' * 40, "b": b"x"})
    whole = path.read_bytes()
    for at in range(len(whole)):
        for bits in (0x01, 0x80, 0xFF):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :])
            try:
                with opened_archive(path, LIMITS) as archive:
                    for name in archive.names:
                        archive.read_member(name, MEBIBYTE)
            except IntakeError:
                continue


def test_a_wrong_checksum_is_told_after_the_lines_before_it(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.jsonl": b'{"a": 1}\n{"b": 2}\n'}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b'"b": 2', b'"b": 3'))
    lines: list[bytes] = []
    with opened_archive(path, LIMITS) as archive, pytest.raises(UnreadableError) as caught:
        for line in archive.lines_of_member("a.jsonl"):
            lines.append(line.content)
        archive.read_member("a.jsonl", 100)
    assert "a.jsonl" in caught.value.where


def test_other_packings_are_named(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a": b"x" * 100}, zipfile.ZIP_LZMA)
    with opened_archive(path, LIMITS) as archive, pytest.raises(UnreadableError, match="LZMA"):
        archive.read_member("a", 1000)


def test_zstandard_is_read_where_python_can_and_named_elsewhere(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a": b"x" * 100})
    whole = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = whole.index(mark)
        whole[at + offset : at + offset + 2] = struct.pack("<H", 93)
    path.write_bytes(whole)
    with opened_archive(path, LIMITS) as archive, pytest.raises(UnreadableError):
        archive.read_member("a", 1000)


def test_an_empty_file_and_a_pointer_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n")
    assert isinstance(trouble(path), LfsPointerError)
    path.write_bytes(b"")
    assert isinstance(trouble(path), EmptyError | UnreadableError)


def test_nothing_is_written_to_disk(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a/b": b"x"})
    with opened_archive(path, LIMITS) as archive:
        archive.read_member("a/b", 10)
    assert [one.name for one in tmp_path.rglob("*")] == ["a.zip"]


def test_an_archive_before_which_something_stands_is_read(tmp_path: Path) -> None:
    made = packed(tmp_path / "a.zip", {"a": b"x"}).read_bytes()
    (tmp_path / "b.zip").write_bytes(io.BytesIO(b"#!stub\n" + made).getvalue())
    with opened_archive(tmp_path / "b.zip", LIMITS) as archive:
        assert archive.read_member("a", 1) == b"x"


def test_an_archive_without_members_has_none(tmp_path: Path) -> None:
    with opened_archive(packed(tmp_path / "a.zip", {}), LIMITS) as archive:
        assert archive.names == ()
