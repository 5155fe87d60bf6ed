"""Finds elements of the lab's pages by the marks that they carry for the driver."""

import json

from playwright.async_api import Locator, Page

from tracewitness.lab.driving.hands import PlanError


class Places:
    """The marked elements of a page that can be seen."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def all(self, mark: str) -> Locator:
        """Return all visible elements with a mark."""
        return self._page.locator(f"[data-lab={json.dumps(mark)}]").filter(visible=True)

    async def one(self, *marks: str) -> Locator:
        """Return the visible element with one of these marks; the last one, where a form lies over the page.

        Raises:
            PlanError: There is none.
        """
        for mark in marks:
            found = self.all(mark)
            if await found.count():
                return found.last
        raise PlanError(f"there is no {' or '.join(marks)} on {self._page.url}")

    async def has(self, mark: str) -> bool:
        """Return whether an element with a mark is to be seen."""
        return await self.all(mark).count() > 0

    def rows(self) -> Locator:
        """Return the rows of the open list."""
        return self._page.locator('[data-lab^="row:"]').filter(visible=True)

    async def row(self, title: str) -> Locator | None:
        """Return the row with a title, where the open page of the list has it."""
        found = self._page.locator(f'[data-lab^="row:"][data-title={json.dumps(title, ensure_ascii=False)}]')
        return found.first if await found.filter(visible=True).count() else None

    async def number(self, row: Locator) -> str:
        """Return the number of a row."""
        return (await row.get_attribute("data-lab") or "").partition(":")[2]

    async def dialog(self) -> bool:
        """Return whether something lies over the page."""
        return await self._page.locator("dialog[open]").count() > 0
