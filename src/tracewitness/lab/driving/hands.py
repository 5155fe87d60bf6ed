"""What an agent's hands do to a page: one recorded action each, with the mouse or with the keyboard alone."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from playwright.async_api import Error, Locator, Page

from tracewitness.lab.recording.recording import Act

_TIMEOUT_MS = 4_000
_MOST_TABS = 150
_SAVING_SECONDS = 0.45
"""After this time a page says that it is still saving."""

_AS_SHOWN = "(select, value) => [...select.options].find((option) => option.value === value)?.text ?? null"
_IS_FOCUSED = "(element) => element === document.activeElement"


class PlanError(RuntimeError):
    """A plan cannot be carried out on the page that is there."""


class Watcher(Protocol):
    """What records the actions."""

    def act(
        self, kind: Act, element: Locator | None = None, text: str | None = None, *, patient: bool = True
    ) -> AbstractAsyncContextManager[None]:
        """Record an action that is carried out inside of the context; the patient wait until it is through."""
        ...

    def note(self, line: str) -> None:
        """Note what the browser itself said and did, such as a question in a window of its own."""
        ...


class Hands:
    """Carries out single actions.

    Args:
        page: The page.
        watcher: Records each action.
        keyboard: Whether only keys are used.
    """

    def __init__(self, page: Page, watcher: Watcher, keyboard: bool = False) -> None:
        self.page = page
        self.count = 0
        self._watcher = watcher
        self._keyboard = keyboard

    async def press(self, element: Locator, *, hasty: bool = False) -> None:
        """Press a button, link or switch; the hasty do not wait for what comes of it."""

        async def pressed() -> None:
            if self._keyboard:
                await self._focus(element)
                await self.page.keyboard.press(await self._key_for(element))
            else:
                await element.click(timeout=_TIMEOUT_MS, no_wait_after=True)
            if hasty:
                await asyncio.sleep(_SAVING_SECONDS)

        kind, text = (Act.PRESS, await self._key_for(element)) if self._keyboard else (Act.CLICK, None)
        await self._act(kind, element, text, pressed, patient=not hasty)

    async def press_anyway(self, element: Locator) -> None:
        """Press where a button is, whether or not it can be pressed."""

        async def pressed() -> None:
            await element.scroll_into_view_if_needed(timeout=_TIMEOUT_MS)
            box = await element.bounding_box()
            if box is not None:
                await self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

        await self._act(Act.CLICK, element, None, pressed)

    async def type(self, element: Locator, text: str) -> None:
        """Type a text into a field, in place of what is there."""
        plain = await element.get_attribute("type") not in {"date", "time", "range"}

        async def typed() -> None:
            if self._keyboard and plain:
                await self._focus(element)
                await self.page.keyboard.press("Control+A")
                await (self.page.keyboard.type(text) if text else self.page.keyboard.press("Delete"))
            else:
                await element.fill(text, timeout=_TIMEOUT_MS)

        await self._act(Act.TYPE, element, text, typed)

    async def choose(self, element: Locator, value: str) -> None:
        """Choose a value of a drop-down list, unless it is chosen already.

        Raises:
            PlanError: There is no such value.
        """
        if await element.input_value() == value:
            return
        shown = await element.evaluate(_AS_SHOWN, value)
        if shown is None:
            raise PlanError(f"there is no {value!r} to choose on {self.page.url}")

        async def chosen() -> None:
            await element.select_option(value=value, timeout=_TIMEOUT_MS)

        await self._act(Act.SELECT, element, shown, chosen)

    async def key(self, name: str) -> None:
        """Press a key."""
        await self._act(Act.PRESS, None, name, lambda: self.page.keyboard.press(name))

    async def scroll(self) -> None:
        """Scroll down and see what is there."""
        await self._act(Act.SCROLL, None, "down", lambda: self.page.mouse.wheel(0, 300))

    async def wait(self, seconds: float) -> None:
        """Wait."""
        await self._act(Act.WAIT, None, f"{seconds:g}", lambda: asyncio.sleep(seconds))

    async def back(self) -> None:
        """Go back in the browser."""
        await self._act(Act.BACK, None, None, lambda: self.page.go_back(wait_until="commit"))

    async def reload(self) -> None:
        """Load the page again."""
        await self._act(Act.RELOAD, None, None, lambda: self.page.reload(wait_until="commit"))

    async def _act(
        self,
        kind: Act,
        element: Locator | None,
        text: str | None,
        action: Callable[[], Awaitable[object]],
        patient: bool = True,
    ) -> None:
        """Carry out one action under the watcher's eyes; what fails there is an error of the plan."""
        failure: Error | None = None
        self.count += 1
        async with self._watcher.act(kind, element, text, patient=patient):
            try:
                await action()
            except Error as cause:
                failure = cause
                raise
        if failure is not None:
            raise PlanError(f"{kind} failed on {self.page.url}: {failure}") from failure

    async def _focus(self, element: Locator) -> None:
        """Go to an element from one to the next, as who has no mouse does."""
        for _ in range(_MOST_TABS):
            if await element.evaluate(_IS_FOCUSED):
                return
            await self.page.keyboard.press("Tab")
        raise PlanError(f"{element} cannot be reached by keys on {self.page.url}")

    async def _key_for(self, element: Locator) -> str:
        return "Space" if await element.get_attribute("type") == "checkbox" else "Enter"
