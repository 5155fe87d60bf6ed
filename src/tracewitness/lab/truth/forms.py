"""How the pages of a run write values: in all wordings and lengths, so that what was seen can be recognised."""

from collections.abc import Sequence

from tracewitness.lab.apps.spec import App, Field, FieldKind
from tracewitness.lab.truth.answers import STATE, Forms
from tracewitness.lab.words.formatting import Formatter, formatter_of

_WORDINGS = range(3)
_DATES = ("medium", "long", "full")


def page_forms(app: App, language: str) -> Forms:
    """Return what tells the ways in which pages of an app write a value in a language."""
    formatters = [formatter_of(language, wording) for wording in _WORDINGS]
    lengths = [formatter_of(language, dates=length) for length in _DATES]
    tables = app.tables()

    def forms(table: str, field: str, value: str) -> Sequence[str]:
        if field == STATE:
            return sorted({formatter.texts(f"state.{value}") for formatter in formatters})
        found = next(one for one in tables[table] if one.name == field)
        return sorted(_written(found, value, lengths if found.kind is FieldKind.DATE else formatters))

    return forms


def _written(field: Field, value: str, formatters: Sequence[Formatter]) -> set[str]:
    return {formatter.show(field, value) for formatter in formatters} - {""}
