"""Small GGUF files, whole and damaged, written for the tests."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Tensor = tuple[str, tuple[int, ...], int]
"""Name, dimensions and type of a tensor."""

PLAIN: tuple[Tensor, ...] = (("a.weight", (32, 2), 8), ("b.weight", (4,), 0))


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def value_of(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<Id", 12, value)
    items: list[Any] = value
    inner = [value_of(item) for item in items]
    kind = inner[0][:4] if inner else struct.pack("<I", 4)
    return struct.pack("<I", 9) + kind + struct.pack("<Q", len(items)) + b"".join(one[4:] for one in inner)


ENTRIES: Mapping[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Made",
    "tokenizer.ggml.tokens": ["a", "b", "ü"],
    "tokenizer.ggml.scores": [1, 2, 3],
    "nested": [[1, 2], [3]],
    "rope": 0.5,
    "flag": True,
    "llama.context_length": 2048,
}

_SIZES = {0: (1, 4), 8: (32, 34), 99: (1, 1)}


def gguf(entries: Mapping[str, Any] = ENTRIES, tensors: tuple[Tensor, ...] = PLAIN, version: int = 3) -> bytes:
    offset, end, infos, alignment = 0, 0, b"", int(entries.get("general.alignment", 32))
    for name, dimensions, kind in tensors:
        infos += text(name) + struct.pack(f"<I{len(dimensions)}Q", len(dimensions), *dimensions)
        infos += struct.pack("<IQ", kind, offset)
        weights = 1
        for dimension in dimensions:
            weights *= dimension
        block, size = _SIZES[kind]
        end = offset + -(-weights // block) * size
        offset = -(-end // alignment) * alignment
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(entries))
    head += b"".join(text(key) + value_of(value) for key, value in entries.items()) + infos
    return head + bytes(-len(head) % alignment) + bytes(end)


def write_gguf(path: Path, **changes: Any) -> Path:
    path.write_bytes(gguf(**changes))
    return path
