"""Values of a pickle taken as plain data: how much they hold, and what of them JSON can express."""

import math
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, cast

from tracewitness.intake.pickles.values import Array, Blob, Stub

_MOST_VISITS = 50_000
_WIDEST = (200, 50, 8, 4)
"""Most parts of a list or object by depth: parts may be shared, so that few of them make endless text."""


def extent(value: Any) -> int:
    """Return about how many characters a value holds: each text and number once, however often it is referred to."""
    size, visits = 0, 0
    pending, met = [value], set[int]()
    while pending and visits < _MOST_VISITS:
        one = pending.pop()
        visits += 1
        if one is None or isinstance(one, bool):
            continue
        if isinstance(one, str | bytes):
            size += len(one)
        elif isinstance(one, int | float):
            size += 1
        elif isinstance(one, Array | Blob):
            size += one.size if isinstance(one, Blob) else math.prod(one.shape)
        elif id(one) not in met:
            met.add(id(one))
            pending.extend(_parts(one))
    return size


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Stub):
        yield from value.arguments
        yield from (value.named, value.state, value.rest, value.items, value.pairs)
    elif isinstance(value, Mapping):
        for key, item in cast(Mapping[Any, Any], value).items():
            yield key
            yield item
    elif isinstance(value, list | tuple | set | frozenset):
        yield from cast(list[Any], value)


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON holds it: texts, finite numbers, lists and objects of these; None for all else.

    What stands deeper than a call of a tool ever does is left out, and so is what is wider.
    """
    if isinstance(value, str | bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth >= len(_WIDEST):
        return None
    if isinstance(value, list | tuple):
        return [plain(one, depth + 1) for one in islice(cast(list[Any], value), _WIDEST[depth])]
    if isinstance(value, Mapping):
        pairs = islice(cast(Mapping[Any, Any], value).items(), _WIDEST[depth])
        return {key: plain(item, depth + 1) for key, item in pairs if isinstance(key, str)}
    return None
