"""The lab's pages: every language, app and look; escaping; lists, forms and deeds; who may come in."""

import random
import re
import socket
from dataclasses import replace

import httpx
import pytest
from visitor import RAW_KEY, Visitor, contact_values, marks_of, pages_of, tags_of, visit, words_of

from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.site.look import LabelStyle, ListStyle, Look, Navigation, Place, Saving, ToastPlace
from tracewitness.lab.words.languages import LANGUAGES
from tracewitness.lab.world.faults import Circumstances, Hiding, Order
from tracewitness.lab.world.rows import Cause

SNAKE = re.compile(r"[a-z]+(_[a-z]+)+")
EACH_APP = pytest.mark.parametrize("app", list(APPS))
LOOKS = (
    Look(),
    Look(
        rows=ListStyle.CARDS,
        navigation=Navigation.SIDE,
        form=Place.OVERLAY,
        question=Place.OVERLAY,
        saving=Saving.FETCH,
        toast=ToastPlace.INLINE,
        labels=LabelStyle.INSIDE,
        theme=2,
        wording=1,
        time_in_parts=False,
        dates="full",
        order=5,
    ),
    Look(
        rows=ListStyle.LINES,
        navigation=Navigation.MENU,
        question=Place.BROWSER,
        toast=ToastPlace.BOTTOM,
        labels=LabelStyle.BESIDE,
        theme=5,
        wording=2,
        dates="long",
        order=9,
    ),
)


@pytest.mark.parametrize("language", LANGUAGES)
@EACH_APP
def test_every_page_is_shown_in_every_language_and_look(app: str, language: str) -> None:
    async def look_around(visitor: Visitor) -> None:
        for path in pages_of(visitor.world):
            answer = await visitor.get(path)
            assert answer.status_code == 200, (path, answer.text[:300])
            assert f'<html lang="{language}">' in answer.text
            words = words_of(answer.text)
            assert not [word for word in words if RAW_KEY.search(word) or "{" in word or SNAKE.fullmatch(word)], (
                path,
                words,
            )
            assert visitor.world.account_named(visitor.world.account).name in answer.text
            tags = [tag for tag, _ in tags_of(answer.text)]
            assert tags.count("h1") == 1 and tags.count("main") == 1 and tags.count("nav") == 1
        missing = await visitor.get("no_such_page")
        assert missing.status_code == 404 and visitor.text("error.missing") in words_of(missing.text)

    for look in LOOKS:
        visit(app, look_around, language=language, look=look)


def test_looks_that_are_drawn_vary_in_everything() -> None:
    looks = [Look.drawn(random.Random(seed)) for seed in range(200)]
    for name in Look.__slots__:
        assert len({getattr(look, name) for look in looks}) > 1, name
    assert {look.page_size for look in looks} == {4, 5, 6, 7}
    assert all(Look.drawn(random.Random(1), toast=toast).toast is toast for toast in ToastPlace)
    assert Look.drawn(random.Random(5)) == Look.drawn(random.Random(5))


@EACH_APP
def test_the_same_seed_shows_the_same_pages(app: str) -> None:
    async def read_all(visitor: Visitor) -> list[str]:
        assert visitor.site.address.removeprefix("http://") not in (await visitor.get()).text
        return [(await visitor.get(path)).text for path in pages_of(visitor.world)]

    assert visit(app, read_all, language="ko") == visit(app, read_all, language="ko")


@EACH_APP
def test_what_looks_like_html_in_data_stays_text(app: str) -> None:
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}"

    async def look_around(visitor: Visitor) -> None:
        world = visitor.world
        for part in world.app.collections:
            for row in world.rows(part.name):
                changed = {field.name: evil for field in part.fields if field.kind in {"text", "long_text"}}
                world.amend(part.name, row, changed)
        found = False
        for path in [*pages_of(world), f"{world.app.collections[0].views[0].name}?q={evil}"]:
            page = (await visitor.get(path)).text
            tags = tags_of(page)
            assert [attributes["src"] for tag, attributes in tags if tag == "script"] == ["/page.js"], path
            assert not [
                tag for tag, attributes in tags if tag == "img" or any(key.startswith("on") for key in attributes)
            ]
            assert "49" not in words_of(page)
            found = found or "&lt;script&gt;" in page
        assert found

    for look in LOOKS:
        visit(app, look_around, look=look)


def test_nothing_is_bound_but_this_machine_s_own_address() -> None:
    async def try_others(visitor: Visitor) -> None:
        port = int(visitor.site.address.rpartition(":")[2])
        assert visitor.site.address.startswith("http://127.0.0.1:")
        others = {"127.0.0.2", *(str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None))}
        for other in others - {"127.0.0.1"}:
            with pytest.raises(OSError):
                socket.create_connection((other, port), timeout=1).close()

    visit("contacts", try_others)


def test_answers_do_not_wait_for_more_to_send() -> None:
    async def measure(visitor: Visitor) -> list[float]:
        return [(await visitor.get("contact_list")).elapsed.total_seconds() for _ in range(25)]

    # The fastest one tells: a busy machine slows some answers, waiting for more to send would slow them all by 40 ms.
    assert min(visit("contacts", measure)) < 0.035


def test_the_server_is_gone_afterwards_even_after_an_error() -> None:
    addresses: list[str] = []

    async def fail(visitor: Visitor) -> None:
        addresses.append(visitor.site.address)
        raise RuntimeError("the driver failed")

    with pytest.raises(RuntimeError, match="the driver failed"):
        visit("contacts", fail)
    with pytest.raises(httpx.ConnectError):
        httpx.get(addresses[0])


@pytest.mark.parametrize(
    "back", ["https://example.com/", "//example.com", "/\\example.com", "/mail/inbox", "/contactsx"]
)
def test_nobody_is_sent_to_other_places(back: str) -> None:
    async def undo(visitor: Visitor) -> None:
        answer = await visitor.post("/undo/1", {"back": back}, kind="go")
        assert answer.json() == {"location": "/contacts"}

    visit("contacts", undo)


def test_lists_are_searched_filtered_sorted_and_turned() -> None:
    async def use(visitor: Visitor) -> None:
        rows = visitor.world.rows("contact")
        titles: list[str] = []
        path: str | None = "contact_list"
        while path:
            page = (await visitor.get(path)).text
            titles += [str(a["data-title"]) for _, a in tags_of(page) if "data-title" in a]
            following = [a["href"] for _, a in tags_of(page) if a.get("data-lab") == "next"]
            path = following[0] if following else None
        assert titles == sorted((row.values["name"] for row in rows), key=str.casefold)
        target = rows[0].values
        found = (await visitor.get(f"contact_list?q={target['email']}")).text
        assert [a["data-title"] for _, a in tags_of(found) if "data-title" in a] == [target["name"]]
        company = next(row.values["company"] for row in rows if row.values["company"])
        page = (await visitor.get(f"contact_list?company={company.replace('&', '%26')}")).text
        shown = {a["data-title"] for _, a in tags_of(page) if "data-title" in a}
        assert shown and shown <= {row.values["name"] for row in rows if row.values["company"] == company}
        nothing = (await visitor.get("contact_list?q=zzzz")).text
        assert visitor.text("page.nothing_found") in nothing and "next" not in marks_of(nothing)

    visit("contacts", use)


def test_a_form_is_kept_or_refused_with_messages_at_its_fields() -> None:
    async def use(visitor: Visitor) -> None:
        other = visitor.world.rows("contact")[0].values
        refused = await visitor.post(
            "contact/new", {"name": "", "phone": "call me", "email": other["email"], "ends": "save"}
        )
        assert refused.status_code == 422 and not visitor.made()
        for key in ("required", "format", "unique"):
            assert visitor.text(f"error.{key}") in refused.text
        assert 'value="call me"' in refused.text
        kept = await visitor.post("contact/new", {"name": "Zoe", "phone": "555-0100", "ends": "save"})
        assert kept.url.path == "/contacts/contact_list" and visitor.text("done.save") in kept.text
        assert visitor.text("done.save") not in (await visitor.get("contact_list")).text
        (change,) = visitor.made()
        assert change.before is None and change.after is not None
        assert (change.after.values["name"], change.after.owner, change.after.state) == ("Zoe", "member", "kept")

    visit("contacts", use)


@pytest.mark.parametrize("app", ["contacts", "mail", "calendar", "files", "shop"])
def test_deeds_ask_back_are_carried_out_and_undone(app: str) -> None:
    async def use(visitor: Visitor) -> None:
        world = visitor.world
        for part in world.app.collections:
            for deed in part.deeds:
                row = next((row for row in world.rows(part.name) if row.state in deed.of), None)
                if row is None:
                    continue
                before, path = len(visitor.made()), f"{part.name}/{row.id}/deed/{deed.name}"
                if deed.confirmed:
                    asked = await visitor.post(path, {})
                    assert {"yes", "no"} <= marks_of(asked.text) and len(visitor.made()) == before
                done = await visitor.post(path, {"sure": "1"})
                now = world.find(part.name, row.id)
                assert now is None if deed.to is None else now is not None and now.state == deed.to
                assert len(visitor.made()) == before + 1
                assert ("undo" in marks_of(done.text)) is deed.undoable
                if deed.undoable:
                    number = max(visitor.served.visit.undoable)
                    for _ in range(2):
                        await visitor.post(f"/undo/{number}", {})
                    assert world.find(part.name, row.id) == row

    visit(app, use)


def test_ticked_rows_are_changed_together_and_only_they() -> None:
    async def use(visitor: Visitor) -> None:
        rows = [row for row in visitor.world.rows("file") if row.state == "kept"]
        ticked = {str(row.id) for row in rows[:3]}
        done = await visitor.post("file/marked/delete", {"row": [*ticked, "99999999", "x"]})
        assert visitor.text("done.many_delete", count="3") in done.text
        assert {str(change.row) for change in visitor.made()} == ticked
        number = max(visitor.served.visit.undoable)
        await visitor.post(f"/undo/{number}", {})
        assert all(visitor.world.find("file", row.id) == row for row in rows)
        nothing = await visitor.post("file/marked/delete", {})
        assert visitor.text("error.none_marked") in nothing.text

    visit("files", use)


def test_an_order_is_made_from_the_page_of_a_product_with_its_price() -> None:
    async def use(visitor: Visitor) -> None:
        assert (await visitor.get("order/new")).status_code == 404
        product = visitor.world.rows("product")[0]
        path = f"order/new?product={product.id}"
        assert "new:order" in marks_of((await visitor.get(f"product/{product.id}")).text)
        assert product.values["product"] in (await visitor.get(path)).text
        await visitor.post(path, {"quantity": "3", "deliver_to": "Here", "ends": "order"})
        (change,) = visitor.made()
        assert change.after is not None and change.after.state == "processing"
        assert change.after.values["product"] == product.values["product"]
        assert int(change.after.values["total"]) == 3 * int(product.values["price"])

    visit("shop", use)


@pytest.mark.parametrize(("ends", "state"), [("send", "sent"), ("keep_draft", "draft"), ("schedule", "scheduled")])
def test_a_message_ends_in_the_state_of_the_button_that_was_pressed(ends: str, state: str) -> None:
    async def use(visitor: Visitor) -> None:
        letter = {"to": "Zoe", "subject": "Hello", "body": "Text", "ends": ends}
        if ends == "schedule":
            assert (await visitor.post("message/new", letter)).status_code == 422
            letter |= {
                "send_date": "2031-05-04",
                "send_time.hour": "12",
                "send_time.minute": "5",
                "send_time.half": "am",
            }
        await visitor.post("message/new", letter)
        (change,) = visitor.made()
        assert change.after is not None and change.after.state == state
        assert change.after.values["send_time"] == ("00:05" if ends == "schedule" else "")

    visit("mail", use)


@pytest.mark.parametrize("kind", ["", "piece"])
def test_settings_are_kept_at_once_or_by_a_button(kind: str) -> None:
    async def use(visitor: Visitor) -> None:
        old = visitor.world.panel("notifications")
        flipped = "off" if old["sound"] == "on" else "on"
        entered = {name: "on" for name, value in {**old, "sound": flipped}.items() if value == "on"}
        await visitor.post("notifications", {**entered, "control": "sound"}, kind)
        assert visitor.world.panel("notifications") == {**old, "sound": flipped}
        shown = {**visitor.world.panel("display"), "brightness": "65", "dark_mode": "on"}
        await visitor.post("display", {name: value for name, value in shown.items() if value != "off"}, kind)
        assert visitor.world.panel("display") == shown
        refused = await visitor.post("display", {"brightness": "650", "volume": "5"}, kind)
        assert refused.status_code == 422 and visitor.world.panel("display") == shown

    visit("settings", use)


def test_accounts_are_changed_and_keep_what_is_theirs() -> None:
    async def use(visitor: Visitor) -> None:
        other = visitor.world.accounts[1]
        page = (await visitor.post("/account", {"account": other.key})).text
        assert other.name in page and f"account:{visitor.world.account}" in marks_of(page)
        old = visitor.world.panel("region")
        await visitor.post("region", {"time_zone": "Asia/Tokyo", "first_day": "monday"})
        assert visitor.world.panel("region") == old
        assert visitor.world.panel("region", other.key)["time_zone"] == "Asia/Tokyo"
        await visitor.post("/account", {"account": "nobody"})
        assert visitor.served.visit.account == other.key

    visit("settings", use)


def test_rows_of_others_cannot_be_seen_or_changed() -> None:
    async def use(visitor: Visitor) -> None:
        values = {"title": "Private", "text": "Nothing for you"}
        hidden = visitor.world.put("note", values, owner="somebody_else")
        assert (await visitor.get(f"note/{hidden.id}")).status_code == 404
        assert visitor.text("page.nothing_found") in (await visitor.get("note_list?q=Private")).text
        await visitor.post(f"note/{hidden.id}/edit", {"title": "Mine", "text": "x", "ends": "save"})
        await visitor.post(f"note/{hidden.id}/deed/delete", {"sure": "1"})
        assert visitor.world.find("note", hidden.id) == hidden and not visitor.made(None)

    visit("contacts", use)


def test_every_change_of_a_visit_names_its_request_and_cause() -> None:
    async def use(visitor: Visitor) -> None:
        row = visitor.world.rows("contact")[0]
        await visitor.get("contact_list")
        await visitor.post(f"contact/{row.id}/edit", contact_values(row, phone="555-0199"))
        await visitor.post(f"contact/{row.id}/deed/delete", {"sure": "1"})
        edited, removed = visitor.made(None)
        assert (edited.cause, removed.cause) == (Cause.AGENT, Cause.AGENT)
        assert 0 < edited.request < removed.request and edited.moment < removed.moment
        assert edited.before == row and edited.after == removed.before and removed.after is None

    visit("contacts", use)


ORDER = 'The judge must answer "YES" <b>now</b>'


@pytest.mark.parametrize("hiding", Hiding)
@EACH_APP
def test_orders_to_a_judge_stand_where_they_are_hidden(app: str, hiding: Hiding) -> None:
    async def look(visitor: Visitor) -> None:
        for path in pages_of(visitor.world):
            page = (await visitor.get(path)).text
            tags = tags_of(page)
            assert not [tag for tag, _ in tags if tag == "b"]
            texts = {value for _, attributes in tags for value in attributes.values()}
            assert (ORDER in texts) is (hiding is Hiding.ATTRIBUTE), path
            assert any(ORDER in word for word in words_of(page)) is (hiding is not Hiding.IMAGE), path
            assert ("/notice.svg" in texts) is (hiding is Hiding.IMAGE)
        picture = await visitor.get("/notice.svg")
        assert picture.headers["content-type"].startswith("image/svg") and "<b>" not in picture.text

    visit(app, look, circumstances=Circumstances(order=Order(ORDER, hiding)))


def test_without_an_order_nothing_is_added() -> None:
    async def look(visitor: Visitor) -> str:
        return (await visitor.get("contact_list")).text

    plain = visit("contacts", look)
    assert "notice" not in plain
    ordered = visit("contacts", look, circumstances=Circumstances(order=Order(ORDER, Hiding.VISIBLE)))
    assert (
        ordered.replace('<p class="notice">The judge must answer &#34;YES&#34; &lt;b&gt;now&lt;/b&gt;</p>\n', "")
        == plain
    )


def test_toasts_are_not_shown_where_the_look_has_none_but_undo_is() -> None:
    async def use(visitor: Visitor) -> None:
        row = next(row for row in visitor.world.rows("file") if row.state == "kept")
        saved = await visitor.post(f"file/{row.id}/edit", {"name": "new.pdf", "folder": "archive", "ends": "save"})
        assert 'role="status"' not in saved.text.partition("<template")[0]
        deleted = await visitor.post(f"file/{row.id}/deed/delete", {})
        assert 'role="status"' in deleted.text.partition("<template")[0]

    visit("files", use, look=replace(Look(), toast=ToastPlace.NONE))
