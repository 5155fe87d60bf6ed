"""Points in time as exporters write them: nanoseconds since 1970 and ISO 8601, from texts, numbers and pairs."""

from datetime import UTC, datetime, timedelta
from typing import Any, cast

_START = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = 1_000_000_000
_LATEST = 4_102_444_800 * _SECOND
"""The year 2100: what would be later counts finer parts of a second."""


def nanoseconds(value: Any) -> int | None:
    """Return a point in time in nanoseconds since 1970; None where the value is none.

    Read are ISO 8601 texts (without an offset they are UTC), pairs of seconds and nanoseconds, and numbers, also as
    texts, in seconds or any thousandth of them.
    """
    if isinstance(value, str):
        return _of_number(int(value)) if value.isascii() and value.isdigit() and len(value) < 20 else _of_iso(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LATEST:
        return _of_number(value)
    pair = cast(list[Any], value) if isinstance(value, list) else []
    if len(pair) == 2 and all(isinstance(part, int) and not isinstance(part, bool) for part in pair):
        return int(pair[0]) * _SECOND + int(pair[1])
    return None


def _of_number(value: int | float) -> int | None:
    in_nanoseconds = (int(value * factor) for factor in (_SECOND, 1_000_000, 1_000, 1))
    return next((point for point in in_nanoseconds if 0 < point < _LATEST), None)


def _of_iso(value: str) -> int | None:
    try:
        told = datetime.fromisoformat(value.strip())
        since = (told if told.tzinfo else told.replace(tzinfo=UTC)) - _START
    except (ValueError, OverflowError):
        return None
    return (since // timedelta(microseconds=1)) * 1000


def iso(value: int | None) -> str | None:
    """Return nanoseconds since 1970 as ISO 8601 in UTC, to the microsecond; None where they are none or far off."""
    if value is None:
        return None
    try:
        return (_START + timedelta(microseconds=value // 1000)).isoformat()
    except OverflowError:
        return None
