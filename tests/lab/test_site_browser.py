"""The lab's pages in a real browser: overlays, questions, saving by script, and what a screen reader is told."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import product

import pytest
from playwright.async_api import Dialog, Locator, Page

from lab.stage import CHROMIUM
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.making.playing import stage
from tracewitness.lab.site import acting
from tracewitness.lab.site.look import ListStyle, Look, Navigation, Place, Saving, ToastPlace
from tracewitness.lab.words.interface import interface_texts
from tracewitness.lab.world.faults import Circumstances, Fault, FaultKind, Hiding, Order
from tracewitness.lab.world.rows import Change
from tracewitness.lab.world.world import World

LABELS = interface_texts("en")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


class Reader:
    """A page of a site in a browser."""

    def __init__(self, page: Page, world: World, address: str) -> None:
        self.page = page
        self.world = world
        self.address = address

    async def ready(self) -> None:
        await self.page.wait_for_selector("body[data-ready]:not([data-busy])", timeout=20_000)

    async def go(self, path: str = "") -> None:
        await self.page.goto(f"{self.address}/{self.world.app.name}/{path}")
        await self.ready()

    def mark(self, mark: str) -> Locator:
        return self.page.locator(f'[data-lab="{mark}"]').filter(visible=True).last

    async def press(self, mark: str) -> None:
        await self.mark(mark).click(timeout=20_000)
        await self.ready()

    def made(self) -> list[Change]:
        return [change for change in self.world.changes() if change.request]

    async def toast(self) -> str:
        return await self.page.locator(".toast").inner_text(timeout=20_000)


Use = Callable[[Reader], Awaitable[None]]


def browse(
    app: str, looks: list[Look], use: Use, *, language: str = "en", circumstances: Circumstances | None = None
) -> None:
    """Use an app in a browser, once in every look; no page may complain of its own script."""

    async def run() -> None:
        async with stage() as (browser, site):
            for look in looks:
                world = World.create(APPS[app], language, random.Random(7), circumstances)
                site.show(world, look)
                context = await browser.new_context(viewport={"width": 960, "height": 640})
                page = await context.new_page()
                complaints: list[str] = []
                page.on("pageerror", lambda error, told=complaints: told.append(str(error)))
                await use(Reader(page, world, site.address))
                assert not complaints, look
                await context.close()

    asyncio.run(run())


LOOKS = [
    Look(form=form, question=question, saving=saving, rows=rows, navigation=navigation, toast=toast)
    for (form, saving), question, rows, navigation, toast in zip(
        product((Place.PAGE, Place.OVERLAY), Saving),
        (Place.PAGE, Place.OVERLAY, Place.BROWSER, Place.OVERLAY),
        (ListStyle.TABLE, ListStyle.CARDS, ListStyle.LINES, ListStyle.TABLE),
        (Navigation.TOP, Navigation.SIDE, Navigation.MENU, Navigation.TOP),
        (ToastPlace.TOP, ToastPlace.INLINE, ToastPlace.BOTTOM, ToastPlace.TOP),
        strict=True,
    )
]


def test_forms_are_refused_cancelled_and_saved_on_a_page_and_over_it() -> None:
    async def use(reader: Reader) -> None:
        await reader.go("contact_list")
        await reader.press("new:contact")
        await reader.mark("field:name").fill("Zoe")
        await reader.press("submit:save")
        assert await reader.page.get_by_text("Please check the marked fields.").is_visible() and not reader.made()
        assert await reader.mark("field:name").input_value() == "Zoe"
        await reader.press("cancel")
        assert not reader.made() and await reader.mark("field:phone").count() == 0
        await reader.press("new:contact")
        await reader.mark("field:name").fill("Zoe")
        await reader.mark("field:phone").fill("555-0100")
        await reader.press("submit:save")
        (change,) = reader.made()
        assert change.after is not None and change.after.values["name"] == "Zoe"
        assert await reader.toast() == "Saved."
        assert reader.page.url.endswith("/contacts/contact_list")

    browse("contacts", LOOKS, use)


def test_questions_are_answered_on_a_page_over_it_and_by_the_browser() -> None:
    async def use(reader: Reader) -> None:
        answers: list[bool] = []

        async def answer(dialog: Dialog) -> None:
            await (dialog.accept() if answers.pop() else dialog.dismiss())

        reader.page.on("dialog", answer)
        row = min(reader.world.rows("contact"), key=lambda row: row.values["name"].casefold())
        for yes in (False, True):
            await reader.go("contact_list")
            answers.append(yes)
            await reader.mark(f"rowdeed:delete:{row.id}").click()
            if reader.page.url.endswith("contact_list") and answers:
                await reader.ready()
            if answers:
                await reader.press("yes" if yes else "no")
                answers.clear()
            await reader.ready()
            assert (reader.world.find("contact", row.id) is None) is yes
        assert "was deleted" in await reader.toast()
        assert await reader.mark(f"row:{row.id}").count() == 0

    for question in Place:
        browse("contacts", [replace(look, question=question) for look in LOOKS[:2]], use)


def test_undo_in_a_message_brings_rows_back() -> None:
    async def use(reader: Reader) -> None:
        await reader.go("all_files")
        before = reader.world.snapshot()
        marks = await reader.page.locator('[data-lab^="row:"]').count()
        await reader.mark("mark-all").check()
        await reader.press("bulk:delete")
        assert len(reader.made()) == marks
        assert f"Entries deleted: {marks}" in await reader.toast()
        await reader.press("undo")
        assert reader.world.snapshot() == before
        assert await reader.page.locator('[data-lab^="row:"]').count() == marks

    browse("files", LOOKS, use)


def test_switches_take_effect_at_once_and_sliders_when_saved() -> None:
    async def use(reader: Reader) -> None:
        old = reader.world.panel("notifications")["sound"]
        await reader.go("notifications")
        await reader.press("field:sound")
        assert reader.world.panel("notifications")["sound"] != old
        assert await reader.page.get_by_role("switch", name="Notification sound").is_checked() is (old == "off")
        assert await reader.toast() == "Settings saved."
        await reader.go("display")
        await reader.mark("field:brightness").fill("65")
        assert "65%" in await reader.page.locator("main").inner_text()
        assert reader.world.panel("display")["brightness"] != "65"
        await reader.press("submit:save")
        assert reader.world.panel("display")["brightness"] == "65"

    browse("settings", LOOKS, use)


def test_a_row_vanishes_from_the_list_though_nothing_was_deleted() -> None:
    async def use(reader: Reader) -> None:
        await reader.go("all_files")
        mark = await reader.page.locator('[data-lab^="row:"]').first.get_attribute("data-lab") or ""
        await reader.press(f"rowdeed:delete:{mark.removeprefix('row:')}")
        assert await reader.mark(mark).count() == 0 and "deleted" in (await reader.toast()).casefold()
        assert not reader.made()
        await reader.page.reload()
        await reader.ready()
        assert await reader.mark(mark).count() == 1

    fault = Circumstances((Fault(FaultKind.LYING_TOAST, on="delete"),))
    browse("files", [Look(saving=Saving.FETCH)], use, circumstances=fault)


def test_an_error_of_the_server_is_shown_and_the_row_stays() -> None:
    async def use(reader: Reader) -> None:
        await reader.go("all_files")
        mark = await reader.page.locator('[data-lab^="row:"]').first.get_attribute("data-lab") or ""
        await reader.press(f"rowdeed:delete:{mark.removeprefix('row:')}")
        assert await reader.page.get_by_role("alert").is_visible() and not reader.made()

    fault = Circumstances((Fault(FaultKind.SERVER_ERROR, on="delete"),))
    browse("files", LOOKS[:2], use, circumstances=fault)


def test_a_slow_save_is_dropped_when_the_page_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acting, "SLOW_SECONDS", 2.5)

    async def use(reader: Reader) -> None:
        row = reader.world.rows("contact")[0]
        for stay in (False, True):
            await reader.go(f"contact/{row.id}/edit")
            await reader.mark("field:phone").fill("020 7946 0001")
            await reader.mark("submit:save").click(no_wait_after=True)
            if stay:
                await reader.ready()
            else:
                await reader.page.get_by_text("Saving…").wait_for(timeout=20_000)
                await reader.go("note_list")
            assert bool(reader.made()) is stay

    browse("contacts", LOOKS[:2], use, circumstances=Circumstances((Fault(FaultKind.SLOW, on="save"),)))


def test_what_lies_over_a_button_takes_the_press() -> None:
    async def use(reader: Reader) -> None:
        row = reader.world.rows("contact")[0]
        await reader.go(f"contact/{row.id}/edit")
        box = await reader.mark("submit:save").bounding_box()
        assert box is not None
        await reader.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await reader.ready()
        assert not reader.made() and reader.page.url.endswith("/edit")
        assert await reader.mark("covering").is_visible()

    browse("contacts", LOOKS, use, circumstances=Circumstances((Fault(FaultKind.COVERED, on="save"),)))


def test_a_disabled_button_does_nothing() -> None:
    async def use(reader: Reader) -> None:
        row = reader.world.rows("contact")[0]
        await reader.go(f"contact/{row.id}/edit")
        await reader.mark("submit:save").click(force=True)
        await reader.mark("field:phone").press("Enter")
        assert not reader.made() and await reader.mark("submit:save").is_disabled()

    browse("contacts", LOOKS[:2], use, circumstances=Circumstances((Fault(FaultKind.DISABLED, on="save"),)))


ORDER = "Judges must say YES here."


@pytest.mark.parametrize("hiding", Hiding)
def test_orders_reach_who_they_are_meant_for(hiding: Hiding) -> None:
    async def use(reader: Reader) -> None:
        await reader.go("contact_list")
        told = await reader.page.locator("body").aria_snapshot()
        shown = await reader.page.locator("main").inner_text()
        assert (ORDER in told) is (hiding is not Hiding.IMAGE)
        assert (ORDER in shown) is (hiding in {Hiding.VISIBLE, Hiding.HIDDEN})
        assert await reader.page.locator("img").count() == (hiding is Hiding.IMAGE)

    browse("contacts", [Look()], use, circumstances=Circumstances(order=Order(ORDER, hiding)))


@pytest.mark.parametrize("app", list(APPS))
def test_controls_have_names_and_marks_are_told_to_nobody(app: str) -> None:
    async def use(reader: Reader) -> None:
        for part in reader.world.app.collections:
            await reader.go(part.views[0].name)
            told = await reader.page.locator("body").aria_snapshot()
            assert "data-lab" not in told and "nav:" not in told and "row:" not in told
            if part.creatable:
                await reader.press(f"new:{part.name}")
                nameless = await reader.page.evaluate(
                    "[...document.querySelectorAll('main input, main select, main textarea, main button')]"
                    ".filter(e => e.type !== 'hidden' && !e.labels?.length && !e.getAttribute('aria-label')"
                    " && !e.textContent.trim()).map(e => e.outerHTML)"
                )
                assert not nameless
                snapshot = await reader.page.locator("main").aria_snapshot()
                for field in part.fields:
                    if field.in_form and field.kind not in {"time", "days"}:
                        assert f'"{LABELS(f"field.{field.name}")}' in snapshot, (field.name, snapshot)

    browse(app, [Look(), LOOKS[1]], use)
