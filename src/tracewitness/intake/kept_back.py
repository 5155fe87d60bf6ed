"""Notes of what a record of a log keeps back from the trace side, field by field."""

from collections.abc import Iterator, Mapping
from typing import Any

from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped

Fields = Mapping[str, tuple[Plane, LeakRoute]]
"""Names of fields with the plane that each belongs to and the route that it would open."""


def kept_back(record: Mapping[str, Any], where: str, fields: Fields) -> Iterator[Stripped]:
    """Yield a note for every one of the fields that a record fills.

    Args:
        record: An object of a log.
        where: Its place in the log.
        fields: The fields that the trace side must not see.
    """
    for name, (plane, route) in fields.items():
        value = record.get(name)
        if value or isinstance(value, int | float):
            yield Stripped(f"{where}.{name}" if where else name, plane, route, size_of(value))
