"""Visits the lab's site without a browser: over HTTP, at the real server."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from html.parser import HTMLParser
from typing import TypeVar

import httpx

from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.site.look import Look
from tracewitness.lab.site.served import Served
from tracewitness.lab.site.server import Site
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.faults import Circumstances
from tracewitness.lab.world.rows import Cause, Change, Row
from tracewitness.lab.world.world import World

Result = TypeVar("Result")


class Visitor:
    """Somebody who visits a site and follows where it leads."""

    def __init__(self, site: Site, served: Served, client: httpx.AsyncClient) -> None:
        self.site = site
        self.served = served
        self.world = served.world
        self._client = client

    async def get(self, path: str = "", piece: bool = False) -> httpx.Response:
        """Ask for a page of the app, by its path after the app's name."""
        headers = {"X-Lab": "piece"} if piece else {}
        return await self._client.get(self.at(path), headers=headers)

    async def post(self, path: str, data: Mapping[str, str | list[str]], kind: str = "") -> httpx.Response:
        """Post a form of the app; with a kind, as the script does."""
        return await self._client.post(self.at(path), data=dict(data), headers={"X-Lab": kind} if kind else {})

    def at(self, path: str) -> str:
        """Return a whole address."""
        return f"{self.site.address}{path}" if path.startswith("/") else f"{self.site.address}{self.served.home}/{path}"

    def made(self, cause: Cause | None = Cause.AGENT) -> list[Change]:
        """Return the changes during the run, of one cause or of any."""
        return [change for change in self.world.changes() if change.request and cause in {None, change.cause}]

    def text(self, key: str, **slots: str) -> str:
        """Return a text of the interface."""
        return self.served.texts(key, **slots)


def visit(
    app: str,
    action: Callable[[Visitor], Awaitable[Result]],
    *,
    language: str = "en",
    look: Look | None = None,
    circumstances: Circumstances | None = None,
    seed: int = 7,
) -> Result:
    """Run something at a site that serves an app."""

    async def run() -> Result:
        world = World.create(APPS[app], language, random.Random(seed), circumstances)
        async with Site() as site, httpx.AsyncClient(follow_redirects=True, timeout=30, verify=False) as client:
            served = site.show(world, look or Look())
            return await action(Visitor(site, served, client))

    return asyncio.run(run())


def contact_values(row: Row, **changed: str) -> dict[str, str]:
    """Return what the form of a contact posts."""
    return {**row.values, "ends": "save", **changed}


def pages_of(world: BareWorld) -> list[str]:
    """Return the paths of every page of a world that can be asked for, after the app's name."""
    app = world.app
    paths = ["", *(view.name for part in app.collections for view in part.views), *(panel.name for panel in app.panels)]
    for part in app.collections:
        rows = [row for row in world.rows(part.name) if row.owner == world.owner_of(part.name, world.account)]
        if part.creatable:
            paths.append(f"{part.name}/new")
        for state in part.states:
            row = next((row for row in rows if row.state == state), None)
            if row is None:
                continue
            paths.append(f"{part.name}/{row.id}")
            paths += [
                f"{other.name}/new?{part.name}={row.id}" for other in app.collections if other.made_from == part.name
            ]
            paths += [f"{part.name}/{row.id}/edit"] if state in part.editable else []
            for deed in part.deeds:
                if state in deed.of and deed.confirmed:
                    paths.append(f"{part.name}/{row.id}/deed/{deed.name}")
                    paths += [f"{part.name}/marked/{deed.name}?row={row.id}"] if deed.bulk else []
    return paths


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._skipping = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._skipping = tag in {"script", "style"}
        self.words += [
            value for name, value in attrs if value and name in {"title", "aria-label", "placeholder", "alt"}
        ]

    def handle_endtag(self, tag: str) -> None:
        self._skipping = False

    def handle_data(self, data: str) -> None:
        if not self._skipping and data.strip():
            self.words.append(data.strip())


def words_of(page: str) -> list[str]:
    """Return the words of a page that people see or hear."""
    reader = _Words()
    reader.feed(page)
    return reader.words


def tags_of(page: str) -> list[tuple[str, dict[str, str | None]]]:
    """Return the elements of a page with their attributes."""
    reader = _Words()
    reader.feed(page)
    return reader.tags


def marks_of(page: str) -> set[str]:
    """Return the marks for the driver on a page, without what a script may still add."""
    return {mark for _, attributes in tags_of(page.partition("<template")[0]) if (mark := attributes.get("data-lab"))}


RAW_KEY = re.compile(
    r"\b(?:app|view|panel|field|choice|state|new|edit|submit|deed|done|ask|error|page|days)\.[a-z_]+\b"
)
"""What a key looks like where its text is missing."""
