"""Carries out plans in a browser."""

from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Dialog, Locator, Page

from tracewitness.lab.driving.entering import enter
from tracewitness.lab.driving.hands import Hands, PlanError, Watcher
from tracewitness.lab.driving.places import Places
from tracewitness.lab.plans.operations import (
    Answer,
    Back,
    ChangeAccount,
    Clear,
    Edit,
    Enter,
    Filter,
    Flip,
    Leave,
    Look,
    Mark,
    MarkedDeed,
    New,
    NextPage,
    Open,
    OpenRow,
    Operation,
    Press,
    ReadAll,
    Reload,
    RowDeed,
    Search,
    SignIn,
    Undo,
    Wait,
)

_MOST_PAGES = 30
"""More pages than any list of the lab has."""


class Driver:
    """Carries out operations on a page of the lab's site, each as the actions that an agent needs for it.

    Attributes:
        ends: How many actions there had been after each operation.

    Args:
        page: The page, which shows the app.
        watcher: Records each action.
        keyboard: Whether only keys are used.
    """

    def __init__(self, page: Page, watcher: Watcher, keyboard: bool = False) -> None:
        self.ends: list[int] = []
        self._hands = Hands(page, watcher, keyboard)
        self._places = Places(page)
        self._watcher = watcher
        self._agrees = False
        self._answered = False
        page.on("dialog", self._answer_browser)

    async def carry_out(self, plan: tuple[Operation, ...]) -> None:
        """Carry out a plan.

        Raises:
            PlanError: An operation is not possible on the page that is there.
        """
        for index, operation in enumerate(plan):
            await self.do(operation, plan[index + 1] if index + 1 < len(plan) else None)

    async def do(self, operation: Operation, following: Operation | None = None) -> None:
        """Carry out one operation.

        Args:
            operation: What is done.
            following: What comes next: the browser's own questions must be answered while they are asked.

        Raises:
            PlanError: It is not possible on the page that is there.
        """
        self._agrees = isinstance(operation, Clear) or following == Answer()
        if not isinstance(operation, Answer):
            self._answered = False
        perform: Callable[[Any], Awaitable[None]] = self._performers()[type(operation)]
        try:
            await perform(operation)
        except PlanError as cause:
            raise PlanError(f"{operation} cannot be carried out: {cause}") from cause
        self.ends.append(self._hands.count)

    def _performers(self) -> dict[type[Operation], Callable[[Any], Awaitable[None]]]:
        hands = self._hands
        return {
            Open: self._open,
            Search: self._search,
            Filter: self._filter,
            NextPage: lambda _: self._press("next"),
            OpenRow: self._open_row,
            New: lambda operation: self._press(f"new:{operation.collection}"),
            Edit: lambda _: self._press("edit"),
            Enter: lambda operation: enter(hands, self._places, operation.field, operation.value),
            Flip: lambda operation: self._press(f"field:{operation.field}"),
            Press: self._press_button,
            RowDeed: self._row_deed,
            Mark: self._mark,
            MarkedDeed: lambda operation: self._press(f"bulk:{operation.name}"),
            Clear: self._clear,
            ReadAll: self._read_all,
            Answer: self._answer,
            Leave: lambda _: self._press("cancel"),
            Undo: lambda _: self._press("undo"),
            SignIn: lambda _: self._press("sign-in"),
            ChangeAccount: self._change_account,
            Back: lambda _: hands.back(),
            Reload: lambda _: hands.reload(),
            Look: lambda _: hands.scroll(),
            Wait: lambda operation: hands.wait(operation.seconds),
        }

    async def _press(self, *marks: str) -> None:
        await self._hands.press(await self._places.one(*marks))

    async def _open(self, operation: Open) -> None:
        if await self._places.dialog():
            await self._hands.key("Escape")
        link = f"nav:{operation.view}"
        if not await self._places.has(link):
            await self._press("menu")
        await self._press(link)

    async def _search(self, operation: Search) -> None:
        await self._hands.type(await self._places.one("search"), operation.words)
        await self._press("search-go")

    async def _filter(self, operation: Filter) -> None:
        await self._hands.choose(await self._places.one(f"filter:{operation.field}"), operation.value or "")

    async def _open_row(self, operation: OpenRow) -> None:
        row = await self._row(operation.title, operation.turning)
        await self._press(f"open:{await self._places.number(row)}")

    async def _row(self, title: str, turning: bool = True) -> Locator:
        for _ in range(_MOST_PAGES):
            row = await self._places.row(title)
            if row is not None:
                return row
            if not turning or not await self._places.has("next"):
                break
            await self._press("next")
        raise PlanError(f"there is no row {title!r}")

    async def _press_button(self, operation: Press) -> None:
        button = await self._places.one(f"submit:{operation.name}", f"deed:{operation.name}")
        if operation.expects_nothing:
            await self._hands.press_anyway(button)
        else:
            await self._hands.press(button, hasty=operation.hasty)

    async def _row_deed(self, operation: RowDeed) -> None:
        row = await self._row(operation.title)
        button = await self._places.one(f"rowdeed:{operation.name}:{await self._places.number(row)}")
        await (self._hands.press_anyway(button) if operation.expects_nothing else self._hands.press(button))

    async def _mark(self, operation: Mark) -> None:
        if not operation.titles:
            await self._press("mark-all")
        for title in operation.titles:
            row = await self._row(title, turning=False)
            await self._press(f"mark:{await self._places.number(row)}")

    async def _clear(self, operation: Clear) -> None:
        """Do a deed to one page after the other; a page that only hides its rows is loaded again."""
        for _ in range(operation.pages or _MOST_PAGES):
            if not await self._places.rows().count():
                return
            await self._press("mark-all")
            self._answered = False
            await self._press(f"bulk:{operation.deed}")
            if await self._places.has("yes") and not self._answered:
                await self._press("yes")
            if operation.pages is None and not await self._places.rows().count():
                await self._hands.reload()

    async def _read_all(self, operation: ReadAll) -> None:
        for _ in range(_MOST_PAGES):
            if not await self._places.has("next"):
                return
            await self._press("next")

    async def _answer(self, operation: Answer) -> None:
        if not self._answered:
            await self._press("yes" if operation.yes else "no")
        self._answered = False

    async def _change_account(self, operation: ChangeAccount) -> None:
        await self._press("account-menu")
        await self._press(f"account:{operation.account}")

    async def _answer_browser(self, dialog: Dialog) -> None:
        """Answer a question of the browser's own; it stops the page, so nothing else can be done meanwhile."""
        self._answered = True
        self._watcher.note(f"dialog: {dialog.message} -> {'OK' if self._agrees else 'Cancel'}")
        await (dialog.accept() if self._agrees else dialog.dismiss())
