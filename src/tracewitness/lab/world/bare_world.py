"""A world without rows yet: database, accounts, clock and circumstances, and how its rows are read and written."""

import random
from collections.abc import Mapping

from tracewitness.lab.apps.spec import App
from tracewitness.lab.world.accounts import Account
from tracewitness.lab.world.clock import Clock
from tracewitness.lab.world.database import Database
from tracewitness.lab.world.faults import Circumstances
from tracewitness.lab.world.people import People
from tracewitness.lab.world.rows import EVERYONE, Cause, Change, Row, Snapshot


class BareWorld:
    """Everything that the app of one run knows.

    Attributes:
        app: The app.
        language: The language of its people and data.
        circumstances: What is not as usual.
        clock: The time in the world.
        people: The people that its rows are about.
        accounts: Who can be signed in.
        account: The key of the account of the run.
        request: The number of the request that is being answered; 0 before the run.
    """

    def __init__(self, app: App, language: str, rng: random.Random, circumstances: Circumstances) -> None:
        self.app = app
        self.language = language
        self.circumstances = circumstances
        self.clock = Clock.drawn(rng)
        self.request = 0
        self._moment = 0
        self._alike: dict[tuple[str, int], int] = {}
        self._database = Database(app, first_number=rng.randrange(11, 400))
        self.people = People(language, rng)
        self.accounts = tuple(Account(key, *self.people.account()) for key in app.accounts)
        self.account = self.accounts[0].key

    def close(self) -> None:
        """Let the database go."""
        self._database.close()

    def rows(self, collection: str) -> list[Row]:
        """Return all rows of a collection, whoever owns them and whatever state they are in."""
        return self._database.rows(collection)

    def find(self, collection: str, number: int) -> Row | None:
        """Return one row, if it is there."""
        return self._database.find(collection, number)

    def panel(self, name: str, owner: str | None = None) -> dict[str, str]:
        """Return the settings of a panel for an account (that of the run)."""
        return dict(self.panel_row(name, owner or self.account).values)

    def panel_row(self, name: str, owner: str) -> Row:
        """Return the row in which a panel of an account is kept.

        Raises:
            LookupError: The account has no such panel.
        """
        for row in self._database.rows(name):
            if row.owner == owner:
                return row
        raise LookupError(f"There is no panel {name!r} of {owner!r}.")

    def snapshot(self) -> Snapshot:
        """Return all tables as they are now."""
        return self._database.snapshot()

    def changes(self) -> tuple[Change, ...]:
        """Return every change, the first one first; those before the run were caused by the system."""
        return self._database.changes()

    def owner_of(self, collection: str, account: str) -> str:
        """Return who owns the rows of a collection that an account sees."""
        for part in self.app.collections:
            if part.name == collection and part.shared:
                return EVERYONE
        return account

    def account_named(self, key: str) -> Account:
        """Return an account by its key.

        Raises:
            LookupError: There is none.
        """
        for account in self.accounts:
            if account.key == key:
                return account
        raise LookupError(f"There is no account {key!r}.")

    def write(self, cause: Cause, collection: str, number: int, after: Row | None) -> Change:
        """Put a row in place of another, or take it away (``None``)."""
        self._moment += 1
        if self.request:
            self.clock.tick()
        return self._database.write(collection, number, after, (self._moment, self.request, cause))

    def insert(self, cause: Cause, collection: str, values: Mapping[str, str], state: str, owner: str) -> Row:
        """Make a new row."""
        row = Row(self._database.next_number(collection), owner, state, dict(values))
        self.write(cause, collection, row.id, row)
        return row

    def update(
        self, cause: Cause, collection: str, row: Row, values: Mapping[str, str] | None = None, state: str | None = None
    ) -> Change:
        """Give a row other values, another state, or both; what is not named stays."""
        after = Row(row.id, row.owner, state or row.state, {**row.values, **(values or {})})
        return self.write(cause, collection, row.id, after)

    def put(
        self, collection: str, values: Mapping[str, str], state: str | None = None, owner: str | None = None
    ) -> Row:
        """Make a row before the run: the system's doing."""
        first = self.app.collection(collection).states[0]
        row_owner = owner or self.owner_of(collection, self.account)
        return self.insert(Cause.SYSTEM, collection, values, state or first, row_owner)

    def amend(self, collection: str, row: Row, values: Mapping[str, str], state: str | None = None) -> None:
        """Change a row before the run: the system's doing."""
        self.update(Cause.SYSTEM, collection, row, values, state)

    def remove(self, collection: str, row: Row) -> None:
        """Take a row away before the run: the system's doing."""
        self.write(Cause.SYSTEM, collection, row.id, None)

    def set_panel(self, name: str, values: Mapping[str, str], owner: str | None = None) -> None:
        """Set a panel before the run: the system's doing."""
        row = self.panel_row(name, owner or self.account)
        self.update(Cause.SYSTEM, name, row, values)

    def add_panel(self, name: str, values: Mapping[str, str], owner: str) -> None:
        """Make the panel of an account before the run."""
        self.insert(Cause.SYSTEM, name, values, "set", owner)

    def pair(self, collection: str, first: Row, second: Row) -> None:
        """Note that two rows are easily taken for each other."""
        self._alike[collection, first.id] = second.id
        self._alike[collection, second.id] = first.id

    def alike(self, collection: str, row: Row) -> Row | None:
        """Return the row that is easily taken for this one, if it is still there."""
        number = self._alike.get((collection, row.id))
        return None if number is None else self.find(collection, number)
