"""The database of one world: a table for each collection and panel, and a log of every change."""

import json
import sqlite3
from collections.abc import Mapping

from tracewitness.lab.apps.spec import App
from tracewitness.lab.world.rows import Cause, Change, Row, Snapshot

_CHANGES = (
    "CREATE TABLE change (id INTEGER PRIMARY KEY, moment INTEGER NOT NULL, request INTEGER NOT NULL,"
    " cause TEXT NOT NULL, collection TEXT NOT NULL, row INTEGER NOT NULL, before TEXT, after TEXT)"
)


class Database:
    """Rows in SQLite. Every write goes into the log of changes in the same transaction.

    Args:
        app: The app whose tables are made.
        path: A file, or memory.
        first_number: Row numbers start above it.
    """

    def __init__(self, app: App, path: str = ":memory:", first_number: int = 0) -> None:
        self._fields = {table: tuple(field.name for field in fields) for table, fields in app.tables().items()}
        self._first_number = first_number
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute(_CHANGES)
        for table, fields in self._fields.items():
            columns = "".join(f', "{field}" TEXT NOT NULL' for field in fields)
            self._connection.execute(
                f'CREATE TABLE "{table}" (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL{columns})'
            )

    def rows(self, table: str) -> list[Row]:
        """Return all rows of a table by their numbers."""
        found = self._connection.execute(f'SELECT * FROM "{table}" ORDER BY id')
        return [self._row(table, record) for record in found]

    def find(self, table: str, number: int) -> Row | None:
        """Return one row, if it is there."""
        record = self._connection.execute(f'SELECT * FROM "{table}" WHERE id = ?', (number,)).fetchone()
        return self._row(table, record) if record else None

    def next_number(self, table: str) -> int:
        """Return the number of the next new row; numbers of rows that are gone do not come again."""
        highest = self._connection.execute(
            f'SELECT MAX((SELECT IFNULL(MAX(id), 0) FROM "{table}"),'
            " (SELECT IFNULL(MAX(row), 0) FROM change WHERE collection = ?))",
            (table,),
        ).fetchone()[0]
        return max(highest, self._first_number) + 1

    def write(self, table: str, number: int, after: Row | None, told: tuple[int, int, Cause]) -> Change:
        """Put a row in place of another, or take it away, and log it.

        Args:
            table: The collection or panel.
            number: The row's number.
            after: What is there afterwards; ``None`` takes it away.
            told: Moment, request and cause for the log.
        """
        before = self.find(table, number)
        moment, request, cause = told
        self._connection.execute("BEGIN")
        self._connection.execute(f'DELETE FROM "{table}" WHERE id = ?', (number,))
        if after is not None:
            values = [after.values.get(field, "") for field in self._fields[table]]
            places = ", ".join("?" * (3 + len(values)))
            record = (number, after.owner, after.state, *values)
            self._connection.execute(f'INSERT INTO "{table}" VALUES ({places})', record)
        logged = self._connection.execute(
            "INSERT INTO change (moment, request, cause, collection, row, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (moment, request, cause.value, table, number, _told(before), _told(after)),
        )
        self._connection.execute("COMMIT")
        return Change(logged.lastrowid or 0, moment, request, cause, table, number, before, after)

    def changes(self) -> tuple[Change, ...]:
        """Return the log of changes, the first one first."""
        found = self._connection.execute(
            "SELECT id, moment, request, cause, collection, row, before, after FROM change ORDER BY id"
        )
        return tuple(
            Change(number, moment, request, Cause(cause), table, row, _read(row, before), _read(row, after))
            for number, moment, request, cause, table, row, before, after in found
        )

    def snapshot(self) -> Snapshot:
        """Return all tables as they are now."""
        return Snapshot({table: tuple(self.rows(table)) for table in self._fields})

    def close(self) -> None:
        """Let the database go."""
        self._connection.close()

    def _row(self, table: str, record: tuple[object, ...]) -> Row:
        number, owner, state, *values = record
        return Row(
            int(str(number)),
            str(owner),
            str(state),
            dict(zip(self._fields[table], (str(value) for value in values), strict=True)),
        )


def _told(row: Row | None) -> str | None:
    if row is None:
        return None
    told: Mapping[str, object] = {"owner": row.owner, "state": row.state, "values": dict(row.values)}
    return json.dumps(told, ensure_ascii=False, sort_keys=True)


def _read(number: int, told: str | None) -> Row | None:
    if told is None:
        return None
    record = json.loads(told)
    return Row(number, record["owner"], record["state"], record["values"])
