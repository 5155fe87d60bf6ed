"""Every fault of a world does what its comment says, in the database and on the page, however a form is posted."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest
from visitor import Visitor, contact_values, marks_of, tags_of, visit, words_of

from tracewitness.lab.site import acting
from tracewitness.lab.world.faults import Circumstances, Fault, FaultKind
from tracewitness.lab.world.rows import Cause, Row

PHONE = "020 7946 0001"
OTHER_PHONE = "020 7946 0002"
EACH_WAY = pytest.mark.parametrize("kind", ["", "piece"], ids=["posted", "fetched"])
Check = Callable[[Visitor, Row, str], Awaitable[None]]


async def _save(visitor: Visitor, row: Row, kind: str, phone: str = PHONE) -> httpx.Response:
    return await visitor.post(f"contact/{row.id}/edit", contact_values(row, phone=phone), kind)


async def _page_after(visitor: Visitor, answer: httpx.Response) -> str:
    # A script goes on to the address that it is told.
    if answer.headers["content-type"].startswith("application/json") and "location" in answer.json():
        return (await visitor.get(answer.json()["location"])).text
    return answer.text


def _phone(visitor: Visitor, row: Row) -> str:
    now = visitor.world.find("contact", row.id)
    assert now is not None
    return now.values["phone"]


async def _refused(visitor: Visitor, row: Row, kind: str) -> None:
    for _ in range(2):
        answer = await _save(visitor, row, kind)
        assert answer.status_code == 422 and visitor.text("error.refused") in words_of(answer.text)
        assert f'value="{PHONE}"' in answer.text and not visitor.made(None)
    await _save(visitor, row, kind, OTHER_PHONE)
    assert _phone(visitor, row) == OTHER_PHONE


async def _lying_toast(visitor: Visitor, row: Row, kind: str) -> None:
    page = await _page_after(visitor, await _save(visitor, row, kind))
    assert visitor.text("done.save") in words_of(page)
    assert not visitor.made(None) and PHONE not in page


async def _server_error(visitor: Visitor, row: Row, kind: str) -> None:
    for _ in range(2):
        answer = await _save(visitor, row, kind)
        assert answer.status_code == 500 and visitor.text("error.text") in words_of(answer.text)
        assert not visitor.made(None)


async def _error_once(visitor: Visitor, row: Row, kind: str) -> None:
    answer = await _save(visitor, row, kind)
    assert answer.status_code == 500 and not visitor.made(None)
    await _save(visitor, row, kind)
    assert _phone(visitor, row) == PHONE


async def _queued(visitor: Visitor, row: Row, kind: str) -> None:
    page = await _page_after(visitor, await _save(visitor, row, kind))
    assert visitor.text("done.queued") in words_of(page) and not visitor.made(None)


async def _session_ends(visitor: Visitor, row: Row, kind: str) -> None:
    page = await _page_after(visitor, await _save(visitor, row, kind))
    assert "sign-in" in marks_of(page) and "nav:contact_list" not in marks_of(page)
    assert not visitor.made(None)
    assert "sign-in" in marks_of((await visitor.get("contact_list")).text)
    await _save(visitor, row, kind)
    assert not visitor.made(None)
    home = await visitor.post("/sign-in", {})
    assert "nav:contact_list" in marks_of(home.text)
    await _save(visitor, row, kind)
    assert _phone(visitor, row) == PHONE


async def _disabled(visitor: Visitor, row: Row, kind: str) -> None:
    page = (await visitor.get(f"contact/{row.id}/edit", piece=bool(kind))).text
    button = next(attributes for _, attributes in tags_of(page) if attributes.get("data-lab") == "submit:save")
    assert "disabled" in button
    assert not visitor.made(None)


async def _covered(visitor: Visitor, row: Row, kind: str) -> None:
    page = (await visitor.get(f"contact/{row.id}/edit", piece=bool(kind))).text
    assert "covering" in marks_of(page) and visitor.text("page.covering") in words_of(page)


async def _slow(visitor: Visitor, row: Row, kind: str) -> None:
    saving = asyncio.create_task(_save(visitor, row, kind))
    await asyncio.sleep(0.2)
    assert not visitor.made(None)
    await visitor.get("note_list")
    assert (await saving).status_code == 409
    assert not visitor.made(None)
    await _save(visitor, row, kind)
    assert _phone(visitor, row) == PHONE


async def _reverted(visitor: Visitor, row: Row, kind: str) -> None:
    await _page_after(visitor, await _save(visitor, row, kind))
    assert _phone(visitor, row) == PHONE
    for _ in range(3):
        await visitor.get("contact_list")
    assert _phone(visitor, row) == row.values["phone"]
    assert [change.cause for change in visitor.made(None)] == [Cause.AGENT, Cause.OTHER]
    await _save(visitor, row, kind)
    for _ in range(5):
        await visitor.get("contact_list")
    assert _phone(visitor, row) == PHONE


async def _changed_elsewhere(visitor: Visitor, row: Row, kind: str) -> None:
    for turn in range(4):
        page = (await visitor.get(f"contact/{row.id}", piece=bool(kind))).text
        assert (OTHER_PHONE in page) is (turn == 3)
    (change,) = visitor.made(None)
    assert (change.cause, change.row) == (Cause.OTHER, row.id)


async def _no_toast(visitor: Visitor, row: Row, kind: str) -> None:
    page = await _page_after(visitor, await _save(visitor, row, kind))
    assert _phone(visitor, row) == PHONE
    assert not [
        tag for tag, attributes in tags_of(page.partition("<template")[0]) if attributes.get("role") == "status"
    ]


async def _redirected(visitor: Visitor, row: Row, kind: str) -> None:
    page = await _page_after(visitor, await _save(visitor, row, kind))
    assert _phone(visitor, row) == PHONE
    assert visitor.text("page.home") in words_of(page) and visitor.text("done.save") in words_of(page)


CHECKS: dict[FaultKind, Check] = {
    FaultKind.REFUSED: _refused,
    FaultKind.LYING_TOAST: _lying_toast,
    FaultKind.SERVER_ERROR: _server_error,
    FaultKind.QUEUED: _queued,
    FaultKind.SESSION_ENDS: _session_ends,
    FaultKind.DISABLED: _disabled,
    FaultKind.COVERED: _covered,
    FaultKind.SLOW: _slow,
    FaultKind.REVERTED: _reverted,
    FaultKind.CHANGED_ELSEWHERE: _changed_elsewhere,
    FaultKind.NO_TOAST: _no_toast,
    FaultKind.REDIRECTED: _redirected,
    FaultKind.ERROR_ONCE: _error_once,
}


def _circumstances(kind: FaultKind, row: Row) -> Circumstances:
    if kind is FaultKind.CHANGED_ELSEWHERE:
        return Circumstances((Fault(kind, field="phone", value=OTHER_PHONE, row=row.values["name"], after=3),))
    return Circumstances((Fault(kind, on="save", field="phone", after=2 if kind is FaultKind.REVERTED else 0),))


@EACH_WAY
@pytest.mark.parametrize("fault", FaultKind)
def test_a_fault_does_what_it_says(fault: FaultKind, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acting, "SLOW_SECONDS", 1.0)

    async def use(visitor: Visitor) -> None:
        row = visitor.world.rows("contact")[0]
        visitor.world.circumstances = _circumstances(fault, row)
        await CHECKS[fault](visitor, row, kind)

    visit("contacts", use)


@EACH_WAY
@pytest.mark.parametrize("fault", FaultKind)
def test_a_fault_at_another_button_row_or_time_changes_nothing(fault: FaultKind, kind: str) -> None:
    async def use(visitor: Visitor) -> None:
        row, other = visitor.world.rows("contact")[:2]
        visitor.world.circumstances = Circumstances(
            (
                Fault(fault, on="delete"),
                Fault(fault, row=other.values["name"], field="phone"),
                Fault(fault, after=50, field="phone", value=OTHER_PHONE, row=row.values["name"]),
            )
        )
        page = (await visitor.get(f"contact/{row.id}/edit")).text
        button = next(attributes for _, attributes in tags_of(page) if attributes.get("data-lab") == "submit:save")
        assert "disabled" not in button and "covering" not in marks_of(page)
        page = await _page_after(visitor, await _save(visitor, row, kind))
        assert visitor.text("done.save") in words_of(page) and _phone(visitor, row) == PHONE
        assert [change.cause for change in visitor.made(None)] == [Cause.AGENT]

    visit("contacts", use)


def test_a_message_that_is_queued_waits_in_the_outbox() -> None:
    async def use(visitor: Visitor) -> None:
        letter = {"to": "Zoe", "subject": "Hello", "body": "Text", "ends": "send"}
        page = await visitor.post("message/new", letter)
        assert visitor.text("done.queued") in words_of(page.text)
        (change,) = visitor.made(None)
        assert change.after is not None and change.after.state == "outbox"

    visit("mail", use, circumstances=Circumstances((Fault(FaultKind.QUEUED, on="send"),)))


@pytest.mark.parametrize(
    "fault",
    [FaultKind.LYING_TOAST, FaultKind.QUEUED, FaultKind.SERVER_ERROR, FaultKind.SESSION_ENDS, FaultKind.REFUSED],
)
@pytest.mark.parametrize("kind", ["", "stay"], ids=["posted", "fetched"])
def test_a_fault_meets_deeds_alone_and_in_bulk(fault: FaultKind, kind: str) -> None:
    async def use(visitor: Visitor) -> None:
        rows = visitor.world.rows("contact")[:2]
        before = visitor.world.snapshot()
        marked = {"sure": "1", "row": [str(row.id) for row in rows]}
        await visitor.post("contact/marked/delete", marked, kind)
        await visitor.post(f"contact/{rows[0].id}/deed/delete", {"sure": "1"}, kind)
        if fault is not FaultKind.SESSION_ENDS:
            assert visitor.world.snapshot() == before
        assert not visitor.made(None)

    visit("contacts", use, circumstances=Circumstances((Fault(fault, on="delete"),)))


@pytest.mark.parametrize("fault", [FaultKind.LYING_TOAST, FaultKind.QUEUED, FaultKind.SERVER_ERROR])
@pytest.mark.parametrize("panel", ["notifications", "display"])
def test_a_fault_meets_settings(fault: FaultKind, panel: str) -> None:
    async def use(visitor: Visitor) -> None:
        before = visitor.world.snapshot()
        for control in visitor.world.panel(panel):
            await visitor.post(panel, {"control": control, "brightness": "15", "volume": "95", control: "50"})
        assert visitor.world.snapshot() == before

    on = "save" if panel == "display" else panel
    visit("settings", use, circumstances=Circumstances((Fault(fault, on=on),)))


def test_a_setting_is_changed_elsewhere() -> None:
    async def use(visitor: Visitor) -> None:
        visitor.world.set_panel("display", {"dark_mode": "on"})
        visitor.world.circumstances = Circumstances(
            (Fault(FaultKind.CHANGED_ELSEWHERE, field="dark_mode", value="off", after=1),)
        )
        await visitor.get("display")
        assert visitor.world.panel("display")["dark_mode"] == "on"
        await visitor.get("display")
        assert visitor.world.panel("display")["dark_mode"] == "off"
        assert [change.cause for change in visitor.made(None)] == [Cause.OTHER]

    visit("settings", use)
