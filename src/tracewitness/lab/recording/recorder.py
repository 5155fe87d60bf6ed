"""Records a page while an agent is driven on it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import ConsoleMessage, Error, Locator, Page, Response
from pydantic import TypeAdapter

from tracewitness.lab.recording.recording import Act, Action, Box, Control, Seen

_READY = "body[data-ready]:not([data-busy])"
_READY_MS = 10_000
_QUALITY = 35
_LOUD = frozenset({"error", "warning"})
_PAGE = files("tracewitness.lab.recording").joinpath("page.js").read_text(encoding="utf-8")
_NAMED = f"(element) => {_PAGE}.named(element)"
_SURVEY = f"() => {_PAGE}.survey()"

_CONTROLS = TypeAdapter(tuple[Control, ...])


class Recorder:
    """What was done to a page, and what it showed before the first action and after each.

    Args:
        pictures: The folder that screenshots are written to; None takes none.
        changes: Says how many changes the agent has made to the app's database so far.
    """

    def __init__(self, pictures: Path | None, changes: Callable[[], int]) -> None:
        self.actions: list[Action] = []
        self.seen: list[Seen] = []
        self._pictures = pictures
        self._changes = changes
        self._network: list[str] = []
        self._console: list[str] = []
        self._page: Page | None = None

    async def start(self, page: Page) -> None:
        """Begin with what a page shows now."""
        self._page = page
        page.on("response", self._note_response)
        page.on("console", self._note_console)
        page.on("pageerror", self._note_error)
        self.seen.append(await self._look())

    @asynccontextmanager
    async def act(
        self, kind: Act, element: Locator | None = None, text: str | None = None, *, patient: bool = True
    ) -> AsyncGenerator[None]:
        """Record an action that is carried out inside of this context, and what the page shows then.

        Args:
            kind: What is done.
            element: What it is done to.
            text: What is typed, chosen or pressed; for a navigation the address.
            patient: Whether the page is seen when it is through with it, or as it is at once.

        What Playwright raises inside is recorded as the action's error and goes no further: a page that lets nobody
        press a button is part of a run.
        """
        target, role, box = await self._named(element)
        moment, changes, error = datetime.now(UTC).isoformat(timespec="milliseconds"), self._changes(), None
        try:
            yield
        except Error as cause:
            error = str(cause).partition("\n")[0][:200]
        seen = await self._look(patient)
        changed = self._changes() > changes
        self.actions.append(Action(kind, target, role, text, box, moment, changed, error))
        self.seen.append(seen)

    def note(self, line: str) -> None:
        """Note what the browser said and did by itself, such as a question in a window of its own."""
        self._console.append(line)

    async def _named(self, element: Locator | None) -> tuple[str | None, str | None, Box | None]:
        if element is None:
            return None, None, None
        told: dict[str, Any] = await element.evaluate(_NAMED)
        return told["name"] or None, told["role"], Box(**told["box"])

    async def _look(self, patient: bool = True) -> Seen:
        page = self._open_page()
        await page.wait_for_selector(_READY if patient else "body", state="attached", timeout=_READY_MS)
        told: dict[str, Any] = await page.evaluate(_SURVEY)
        tree = await page.locator("body").aria_snapshot()
        noted = tuple(self._network), tuple(self._console)
        self._network.clear()
        self._console.clear()
        return Seen(
            url=page.url,
            title=told["title"],
            text=told["text"],
            tree=tree,
            controls=_CONTROLS.validate_python(told["controls"]),
            network=noted[0],
            console=noted[1],
            picture=await self._photograph(page),
            size=(told["width"], told["height"]),
        )

    async def _photograph(self, page: Page) -> str | None:
        if self._pictures is None:
            return None
        name = f"{len(self.seen):03}.jpg"
        await page.screenshot(path=self._pictures / name, type="jpeg", quality=_QUALITY)
        return name

    def _open_page(self) -> Page:
        if self._page is None:
            raise RuntimeError("the recorder was not started")
        return self._page

    def _note_response(self, response: Response) -> None:
        method = response.request.method
        if method not in {"GET", "HEAD"} or response.status >= 400:
            self._network.append(f"{method} {urlsplit(response.url).path} -> {response.status}")

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type in _LOUD:
            self._console.append(f"{message.type}: {message.text[:300]}")

    def _note_error(self, error: Error) -> None:
        self._console.append(f"uncaught error: {str(error)[:300]}")
