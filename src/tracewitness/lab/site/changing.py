"""Answers to what is posted: forms, panels, deeds, undo, accounts."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request as WebRequest
from starlette.responses import JSONResponse, RedirectResponse, Response

from tracewitness.lab.apps.spec import Collection, Deed, Panel, Submit
from tracewitness.lab.site.acting import Outcome, Request, act, session_ends
from tracewitness.lab.site.addresses import safe_back
from tracewitness.lab.site.entering import entered_values, is_well_formed, mistakes
from tracewitness.lab.site.reading import form_page, origin, panel_page
from tracewitness.lab.site.served import Served
from tracewitness.lab.site.troubles import Spot, take_back
from tracewitness.lab.site.visit import Toast
from tracewitness.lab.world.filling import filled_in
from tracewitness.lab.world.rows import Cause, Change, Row

QUEUE = "outbox"
"""The state that rows wait in while the app is offline, in apps that have it."""


async def save_form(
    served: Served, request: WebRequest, form: FormData, collection: Collection, row: Row | None
) -> Response:
    """Keep what a form holds, in the way that its button says."""
    submit = next((part for part in collection.submits if part.name == form.get("ends")), collection.submits[0])
    title = row.values[collection.title] if row else None
    values = entered_values([field for field in collection.fields if field.in_form], form)
    spot = Spot((submit.name, collection.name), title or values.get(collection.title))
    if session_ends(served, spot):
        return _go(request, "/sign-in")
    errors = mistakes(served, collection, values, row, submit)
    if errors:
        return form_page(served, request, collection, row, values, errors)
    source = origin(served, request, collection)
    if source is not None and collection.made_from is not None:
        values[collection.made_from] = source.values[served.world.app.collection(collection.made_from).title]
    keep = partial(_keep, served, collection, row, values)
    state = submit.to or (row.state if row else collection.states[0])
    outcome = await act(
        served,
        Request(
            spot=spot,
            carry_out=lambda: keep(state),
            location=_after_form(served, collection, row, submit, state),
            done=_done(served, collection, row, values, submit),
            put_off=(lambda: keep(QUEUE)) if QUEUE in collection.states else None,
            values=values,
            left=request.is_disconnected,
        ),
    )
    if outcome.mistakes:
        return form_page(served, request, collection, row, values, outcome.mistakes)
    return _answer(served, request, outcome)


async def save_panel(served: Served, request: WebRequest, form: FormData, panel: Panel) -> Response:
    """Keep the settings of a panel; one that is not saved by a button posts each control alone."""
    old = served.world.panel_row(panel.name, served.visit.account)
    values = dict(old.values)
    wanted = [field for field in panel.fields if panel.saved or form.get("control") == field.name]
    entered = entered_values(wanted, form)
    bad = {f.name: served.texts("error.format") for f in wanted if not is_well_formed(f, entered[f.name])}
    if bad:
        return panel_page(served, panel, {**values, **entered}, bad)
    values.update(entered)
    names = ("save", panel.name) if panel.saved else (panel.name, *entered)
    outcome = await act(
        served,
        Request(
            spot=Spot(names),
            carry_out=lambda: [served.world.update(Cause.AGENT, panel.name, old, values)],
            location=f"{served.home}/{panel.name}",
            done=served.texts("done.panel"),
            values=values,
            left=request.is_disconnected,
        ),
    )
    if outcome.mistakes:
        return panel_page(served, panel, values, outcome.mistakes)
    return _answer(served, request, outcome)


async def do_deed(
    served: Served, request: WebRequest, form: FormData, collection: Collection, deed: Deed, rows: Sequence[Row]
) -> Response:
    """Do something to one row, or to those that are ticked; where the app asks back, ask first."""
    many = request.url.path.split("/")[3] == "marked"
    otherwise = served.first_view(collection, deed.of[0])
    back = safe_back(served, form.get("back"), otherwise)
    if not rows:
        return _answer(served, request, Outcome(back, Toast(served.texts("error.none_marked"))))
    if deed.confirmed and not form.get("sure"):
        query = urlencode([("back", back), *(("row", str(row.id)) for row in rows if many)])
        return _go(request, f"{request.url.path}?{query}")
    first = served.title(collection, rows[0])
    count = served.formatter.number(str(len(rows)))
    done = (
        served.texts(f"done.many_{deed.name}", count=count) if many else served.texts(f"done.{deed.name}", title=first)
    )
    outcome = await act(
        served,
        Request(
            spot=Spot((deed.name, collection.name), None if many else rows[0].values[collection.title]),
            carry_out=lambda: [_move(served, collection, deed, row) for row in rows],
            location=back,
            done=done,
            undoable=deed.undoable,
            left=request.is_disconnected,
        ),
    )
    if outcome.mistakes:
        return _answer(served, request, Outcome(back, Toast(next(iter(outcome.mistakes.values())))))
    return _answer(served, request, outcome)


def undo(served: Served, request: WebRequest, form: FormData, number: int) -> Response:
    """Take back what a message offered to undo; a second time does nothing."""
    changes = served.visit.undoable.get(number, ())
    served.visit.undoable[number] = ()
    take_back(served, changes, Cause.AGENT)
    back = safe_back(served, form.get("back"), served.home)
    return _answer(served, request, Outcome(back, Toast(served.texts("done.undone"))))


def change_account(served: Served, request: WebRequest, form: FormData) -> Response:
    """Change to another account."""
    asked = form.get("account")
    for account in served.world.accounts:
        if account.key == asked:
            served.visit.account = account.key
    return _go(request, served.home)


def sign_in(served: Served, request: WebRequest) -> Response:
    """Sign the account of the visit in again."""
    served.visit.signed_in = True
    return _go(request, served.home)


def _keep(served: Served, collection: Collection, row: Row | None, values: dict[str, str], state: str) -> list[Change]:
    world, account = served.world, served.visit.account
    values = {**values, **filled_in(world, collection.name, values, row, account)}
    if row is not None:
        return [world.update(Cause.AGENT, collection.name, row, values, state)]
    owner = world.owner_of(collection.name, account)
    world.insert(Cause.AGENT, collection.name, values, state, owner)
    return [world.changes()[-1]]


def _move(served: Served, collection: Collection, deed: Deed, row: Row) -> Change:
    if deed.to is None:
        return served.world.write(Cause.AGENT, collection.name, row.id, None)
    return served.world.update(Cause.AGENT, collection.name, row, None, deed.to)


def _done(served: Served, collection: Collection, row: Row | None, values: dict[str, str], submit: Submit) -> str:
    title = values.get(collection.title) or (row.values[collection.title] if row else "")
    shown = served.formatter.show(collection.field(collection.title), title)
    return served.texts(f"done.{submit.name}", title=shown)


def _after_form(served: Served, collection: Collection, row: Row | None, submit: Submit, state: str) -> str:
    # An edit that changes no state comes back to the row; everything else to the list where the row now is.
    if row is not None and submit.to is None:
        return f"{served.home}/{collection.name}/{row.id}"
    return served.first_view(collection, state)


def _answer(served: Served, request: WebRequest, outcome: Outcome) -> Response:
    if outcome.dropped:
        return JSONResponse({}, status_code=409)
    location = outcome.location or served.home
    if request.headers.get("x-lab") == "stay" and location != "/sign-in" and outcome.toast:
        return JSONResponse({"text": outcome.toast.text, "undo": outcome.toast.undo})
    served.visit.toast = outcome.toast
    return _go(request, location)


def _go(request: WebRequest, location: str) -> Response:
    if "x-lab" in request.headers:
        return JSONResponse({"location": location})
    return RedirectResponse(location, status_code=303)
