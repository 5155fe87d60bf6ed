"""What is served: a world in a look to one visit."""

from dataclasses import dataclass

from tracewitness.lab.apps.spec import Collection, Field, Panel, View
from tracewitness.lab.site.look import Look
from tracewitness.lab.site.visit import Visit
from tracewitness.lab.words.formatting import Formatter
from tracewitness.lab.words.interface import Texts
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.rows import Row


@dataclass(frozen=True, slots=True)
class Served:
    """A world in a look, served to one visit.

    Attributes:
        world: The world.
        look: Its look.
        texts: The words of its pages.
        formatter: How values are written.
        visit: Who visits.
    """

    world: BareWorld
    look: Look
    texts: Texts
    formatter: Formatter
    visit: Visit

    @property
    def home(self) -> str:
        """The address of the first page."""
        return f"/{self.world.app.name}"

    def view(self, name: str) -> tuple[Collection, View] | None:
        """Return a view and what it lists, if there is one of that name."""
        for collection in self.world.app.collections:
            for view in collection.views:
                if view.name == name:
                    return collection, view
        return None

    def panel(self, name: str) -> Panel | None:
        """Return a panel, if there is one of that name."""
        return next((panel for panel in self.world.app.panels if panel.name == name), None)

    def collection(self, name: str) -> Collection | None:
        """Return a collection, if there is one of that name."""
        return next((part for part in self.world.app.collections if part.name == name), None)

    def row(self, collection: Collection, number: int) -> Row | None:
        """Return a row that the signed-in account may see."""
        row = self.world.find(collection.name, number)
        owner = self.world.owner_of(collection.name, self.visit.account)
        return row if row is not None and row.owner == owner else None

    def rows(self, collection: Collection, states: tuple[str, ...]) -> list[Row]:
        """Return the rows in these states that the signed-in account may see."""
        owner = self.world.owner_of(collection.name, self.visit.account)
        return [row for row in self.world.rows(collection.name) if row.owner == owner and row.state in states]

    def title(self, collection: Collection, row: Row) -> str:
        """Return how pages call a row."""
        return self.shown(collection.field(collection.title), row)

    def shown(self, field: Field, row: Row) -> str:
        """Return a value of a row as pages show it."""
        return self.formatter.show(field, row.values.get(field.name, ""))

    def first_view(self, collection: Collection, state: str) -> str:
        """Return the address of the view that a row of this state is listed in."""
        for view in collection.views:
            if state in view.states:
                return f"{self.home}/{view.name}"
        return self.home
