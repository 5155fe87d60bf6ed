"""A model file is looked through before a runtime maps it into memory: a cut one would end the process."""

import struct
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_gguf import ENTRIES, gguf, text, write_gguf

from tracewitness.backends.gguf import GgufError, GgufHeader, read_header


def read(content: bytes, folder: Path) -> GgufHeader:
    path = folder / "model.gguf"
    path.write_bytes(content)
    return read_header(path)


def test_a_header_tells_model_and_context(tmp_path: Path) -> None:
    assert read_header(write_gguf(tmp_path / "a.gguf")) == GgufHeader("llama", "Made", 2048)
    assert read_header(write_gguf(tmp_path / "b.gguf", version=2)) == GgufHeader("llama", "Made", 2048)


def test_what_it_does_not_say_is_not_made_up(tmp_path: Path) -> None:
    assert read_header(write_gguf(tmp_path / "a.gguf", entries={})) == GgufHeader("", "", None)
    odd = {"general.architecture": "llama", "llama.context_length": "many"}
    assert read_header(write_gguf(tmp_path / "b.gguf", entries=odd)) == GgufHeader("llama", "", None)


def test_another_alignment_is_kept_to(tmp_path: Path) -> None:
    whole = gguf(entries={"general.alignment": 64, **ENTRIES})
    assert read(whole, tmp_path).context_tokens == 2048
    with pytest.raises(GgufError, match="cut off"):
        read(whole[:-1], tmp_path)


@pytest.mark.parametrize("alignment", [0, 2**31])
def test_an_alignment_out_of_order_is_refused(alignment: int, tmp_path: Path) -> None:
    content = gguf(entries={"general.alignment": 32})
    odd = content.replace(struct.pack("<II", 4, 32), struct.pack("<II", 4, alignment), 1)
    with pytest.raises(GgufError, match="alignment"):
        read(odd, tmp_path)


def test_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    whole = gguf()
    assert read(whole, tmp_path)
    for end in range(len(whole)):
        with pytest.raises((GgufError, struct.error)) as caught:
            read(whole[:end], tmp_path)
        assert isinstance(caught.value, GgufError), end


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "does not begin"),
        (b"PK\x03\x04" + bytes(60), "does not begin"),
        (gguf(version=1), "version is 1"),
        (b"GGUF" + struct.pack(">IQQ", 3, 1, 1), "version is"),
        (gguf(tensors=()), "no weights"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**63, 1), "tensors"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 2**63), "entries"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + struct.pack("<Q", 2**62), "too long"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + text("k") + struct.pack("<I", 77), "unknown type"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + text("k") + struct.pack("<IIQ", 9, 9, 2**60), "too long"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + text("k") + struct.pack("<IIQ", 9, 4, 1000), "cut off"),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + text("k") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 9,
            "type",
        ),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("w") + struct.pack("<I", 9) + bytes(200), "dimensions"),
    ],
)
def test_a_damaged_header_is_refused_with_its_reason(content: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(GgufError, match=why):
        read(content, tmp_path)


def test_weights_of_an_unknown_type_must_at_least_begin_within_the_file(tmp_path: Path) -> None:
    whole = gguf(tensors=(("a", (4,), 0), ("b", (1,), 99)))
    assert read(whole, tmp_path)
    with pytest.raises(GgufError, match="cut off"):
        read(whole[:-8], tmp_path)


@given(st.binary(max_size=200), st.integers(0, 400))
def test_no_bytes_make_it_fail_otherwise(noise: bytes, at: int) -> None:
    whole = gguf()
    content = whole[:at] + noise + whole[at + len(noise) :]
    with TemporaryDirectory() as folder:
        try:
            read(content, Path(folder))
        except GgufError:
            pass
