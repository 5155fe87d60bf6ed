"""Whether an answer that was told is the right one, in whatever format, and whether a page showed it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from tracewitness.findings.labels import Language
from tracewitness.lab.apps.spec import App, FieldKind
from tracewitness.lab.truth.course import Course
from tracewitness.lab.truth.goals import AnswerIs
from tracewitness.lab.truth.outcomes import Outcome, Sight
from tracewitness.lab.truth.parts import PartTruth, has_values
from tracewitness.lab.world.rows import Row
from tracewitness.language.quantities import read_figures, same_value
from tracewitness.values.answers import AnswerValue, Currency, DateValue, MoneyValue, NumberValue, TimeValue
from tracewitness.values.folding import fold

STATE = "state"
"""What a goal names that asks for the state of a row, and not for a field."""


class Forms(Protocol):
    """The ways in which the pages of a run write a value of a field, or of a state."""

    def __call__(self, table: str, field: str, value: str) -> Sequence[str]:
        """Return them; none where the value is written as it is stored."""
        ...


@dataclass(frozen=True, slots=True)
class Telling:
    """What the agent told and saw, and how the pages and the report write values.

    Attributes:
        app: The app of the run.
        language: The language in which figures are read.
        told: What was told in answer; ``None`` where nothing was.
        seen: The pages that were shown, in their order.
        forms: How values are written.
    """

    app: App
    language: Language
    told: tuple[str, ...] | None
    seen: tuple[Sight, ...]
    forms: Forms


def answered(part: AnswerIs, course: Course, telling: Telling) -> PartTruth:
    """Check that the right value at the end of the run was told, and that a page showed it."""
    found = [row for row in course.after.rows(part.collection) if _counts(part, row)]
    rows = frozenset((part.collection, row.id) for row in found)
    if part.field is None:
        right, kind = str(len(found)), FieldKind.NUMBER
    elif not found:
        return PartTruth(Outcome.NOT_ACCOMPLISHED, f"there is no such {part.collection} in the end", rows)
    else:
        row = _meant(part, found)
        found, rows = [row], frozenset({(part.collection, row.id)})
        right, kind = _value(row, part.field), _kind(telling.app, part)
    if not telling.told:
        return PartTruth(Outcome.NOT_ACCOMPLISHED, "no answer was told", rows)
    wrong = [one for one in telling.told if not _says(one, right, kind, part, telling)]
    if wrong:
        return PartTruth(Outcome.NOT_ACCOMPLISHED, f"told was {wrong[0]!r}, right is {right!r}", rows)
    if not _shown(part, found, right, kind, telling):
        return PartTruth(Outcome.NOT_ACCOMPLISHED, f"{right!r} is right, but no page showed it", rows)
    return PartTruth(Outcome.ACCOMPLISHED, f"{right!r} was told, and a page showed it", rows)


def written(text: str, page: str) -> bool:
    """Return whether a folded page holds a text, not as a piece of a longer number or word of the Latin script."""
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(fold(text))}(?![a-z0-9])", page))


def title_written(table: str, row: Row, page: str, telling: Telling) -> bool:
    """Return whether a folded page names a row."""
    title = telling.app.collection(table).title
    return any(written(form, page) for form in _all_forms(table, title, row.values[title], telling))


def _counts(part: AnswerIs, row: Row) -> bool:
    mine = part.owner in (None, row.owner)
    return mine and (not part.states or row.state in part.states) and has_values(row, part.row)


def _meant(part: AnswerIs, found: list[Row]) -> Row:
    if part.greatest is None:
        return found[0]
    by = part.greatest
    return max(found, key=lambda row: (len(row.values[by]) if row.values[by].isdigit() else 0, row.values[by]))


def _value(row: Row, field: str) -> str:
    return row.state if field == STATE else row.values[field]


def _kind(app: App, part: AnswerIs) -> FieldKind:
    if part.field is None or part.field == STATE:
        return FieldKind.CHOICE
    return app.collection(part.collection).field(part.field).kind


def _says(told: str, right: str, kind: FieldKind, part: AnswerIs, telling: Telling) -> bool:
    forms = _all_forms(part.collection, part.field, right, telling)
    if fold(told) in {fold(form) for form in forms}:
        return True
    if kind is FieldKind.PHONE:
        return _digits(told) == _digits(right)
    typed = _typed(right, kind)
    figures = [found.value for found in read_figures(told, telling.language)] if typed else []
    return bool(typed and figures) and all(same_value(figure, typed) for figure in figures if typed)


def _shown(part: AnswerIs, found: list[Row], right: str, kind: FieldKind, telling: Telling) -> bool:
    """Return whether the agent saw what it told: a row with its value, or every row that counts."""
    pages = [fold(sight.text) for sight in telling.seen]
    if part.field is None:
        return bool(pages) and all(
            any(title_written(part.collection, row, page, telling) for page in pages) for row in found
        )
    named = [page for page in pages if title_written(part.collection, found[0], page, telling)]
    return any(_value_written(part, right, kind, page, telling) for page in named)


def _value_written(part: AnswerIs, right: str, kind: FieldKind, page: str, telling: Telling) -> bool:
    if any(written(form, page) for form in _all_forms(part.collection, part.field, right, telling)):
        return True
    typed = _typed(right, kind)
    return typed is not None and any(same_value(found.value, typed) for found in read_figures(page, telling.language))


def _all_forms(table: str, field: str | None, value: str, telling: Telling) -> tuple[str, ...]:
    return (value,) if field is None else (value, *telling.forms(table, field, value))


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit())


def _typed(stored: str, kind: FieldKind) -> AnswerValue | None:
    """Return the typed value of a stored text, where its kind has one."""
    match kind:
        case FieldKind.NUMBER:
            return NumberValue(Decimal(stored))
        case FieldKind.LEVEL:
            return NumberValue(Decimal(stored), percent=True)
        case FieldKind.MONEY:
            return MoneyValue(Decimal(stored) / 100, Currency.ANY)
        case FieldKind.DATE:
            year, month, day = map(int, stored.split("-"))
            return DateValue(month, day, year)
        case FieldKind.TIME:
            hour, minute = map(int, stored.split(":"))
            return TimeValue(hour, minute)
        case _:
            return None
