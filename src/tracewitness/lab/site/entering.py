"""Reads what a form was posted with, and says what is wrong with it."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from starlette.datastructures import FormData

from tracewitness.lab.apps.spec import Collection, Field, FieldKind, Submit
from tracewitness.lab.site.served import Served
from tracewitness.lab.words.formatting import DAYS
from tracewitness.lab.world.rows import Row

LONGEST = 2000
"""Characters that a field takes at most."""

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_PHONE = re.compile(r"\+?[\d ()./-]{3,30}")
_EMAIL = re.compile(r"[^@\s]{1,80}@[^@\s]{1,80}\.[^@\s.]{2,20}")


def entered_values(fields: Sequence[Field], form: FormData) -> dict[str, str]:
    """Return what was entered into fields, as it is stored (or as it was typed, where that is no such value)."""
    return {field.name: _entered(field, form) for field in fields}


def mistakes(
    served: Served, collection: Collection, values: Mapping[str, str], row: Row | None, submit: Submit | None
) -> dict[str, str]:
    """Return messages by field for what is wrong with entered values.

    Args:
        served: The world.
        collection: What is entered.
        values: The values.
        row: The row that is edited, if one is.
        submit: How the form is ended; it may need more fields than are required anyway.
    """
    found: dict[str, str] = {}
    for field in collection.fields:
        if not field.in_form:
            continue
        value = values[field.name]
        if not value:
            if field.required or (submit is not None and field.name in submit.needs):
                found[field.name] = served.texts("error.required")
        elif not is_well_formed(field, value):
            found[field.name] = served.texts("error.format")
        elif field.unique and _is_taken(served, collection, field, value, row):
            found[field.name] = served.texts("error.unique")
    return found


def is_well_formed(field: Field, value: str) -> bool:
    """Tell whether a value is one that the field can hold."""
    if len(value) > LONGEST:
        return False
    check = _CHECKS.get(field.kind)
    if check is not None:
        return check(value)
    return not field.choices or value in field.choices


def _entered(field: Field, form: FormData) -> str:
    if field.kind is FieldKind.DAYS:
        chosen = form.getlist(field.name)
        return " ".join(day for day in DAYS if day in chosen)
    if field.kind is FieldKind.SWITCH:
        return "on" if form.get(field.name) else "off"
    if field.kind is FieldKind.TIME and f"{field.name}.hour" in form:
        return _time_of_parts(*(_text(form, f"{field.name}.{part}") for part in ("hour", "minute", "half")))
    text = _text(form, field.name)
    if field.kind is FieldKind.TIME and (match := _TIME.match(text)):
        return f"{int(match[1]):02}:{match[2]}"
    return text


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.strip().replace("\r\n", "\n") if isinstance(value, str) else ""


def _time_of_parts(hour: str, minute: str, half: str) -> str:
    if not hour or not minute:
        return ""
    if not (hour.isdecimal() and minute.isdecimal()):
        return f"{hour}:{minute}"
    count = int(hour)
    if half:
        count = count % 12 + (12 if half == "pm" else 0)
    return f"{count:02}:{int(minute):02}"


def _is_taken(served: Served, collection: Collection, field: Field, value: str, row: Row | None) -> bool:
    return any(
        other.values[field.name].casefold() == value.casefold()
        for other in served.rows(collection, collection.states)
        if row is None or other.id != row.id
    )


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_count(value: str) -> bool:
    return value.isascii() and value.isdecimal() and 1 <= int(value[:7]) <= 999 and len(value) <= 7


def _is_level(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) <= 3 and int(value) <= 100


_CHECKS: dict[FieldKind, Callable[[str], bool]] = {
    FieldKind.PHONE: lambda value: _PHONE.fullmatch(value) is not None,
    FieldKind.EMAIL: lambda value: _EMAIL.fullmatch(value) is not None,
    FieldKind.TIME: lambda value: _TIME.fullmatch(value) is not None,
    FieldKind.DATE: _is_date,
    FieldKind.NUMBER: _is_count,
    FieldKind.LEVEL: _is_level,
    FieldKind.DAYS: lambda value: True,
    FieldKind.SWITCH: lambda value: value in {"on", "off"},
}
