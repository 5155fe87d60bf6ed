"""Pages that only show something: home, lists, rows, empty and filled forms, panels, questions."""

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tracewitness.lab.apps.spec import Collection, Deed, Field, Panel
from tracewitness.lab.site.addresses import safe_back
from tracewitness.lab.site.listing import listing
from tracewitness.lab.site.pages import fragment, in_order, page, shows_state
from tracewitness.lab.site.served import Served
from tracewitness.lab.world.filling import ready_made
from tracewitness.lab.world.rows import Row


def home_page(served: Served) -> Response:
    """Return the first page."""
    texts = served.texts
    tiles: list[tuple[str, str, str | None]] = []
    for collection in served.world.app.collections:
        for view in collection.views:
            count = str(len(served.rows(collection, view.states)))
            tiles.append((view.name, texts(f"view.{view.name}"), served.formatter.number(count)))
    tiles += [(panel.name, texts(f"panel.{panel.name}"), None) for panel in served.world.app.panels]
    return page(served, "home.html", {"title": texts("page.home"), "tiles": tiles})


def list_page(served: Served, request: Request, name: str) -> Response | None:
    """Return a page of a view, or nothing where there is no such view."""
    found = served.view(name)
    if found is None:
        return None
    collection, view = found
    shown = listing(served, collection, view, request.query_params)
    here = f"{served.home}/{view.name}"
    context = {
        "title": served.texts(f"view.{view.name}"),
        "here": view.name,
        "here_path": here,
        "back": here + shown.query(shown.page),
        "list": shown,
        "collection": collection,
        "shows_state": shows_state(collection, view.states),
    }
    return page(served, "list.html", context)


def row_page(served: Served, collection: Collection, row: Row) -> Response:
    """Return the page of a row."""
    context = {
        "title": served.title(collection, row),
        "collection": collection,
        "row": row,
        "list_address": served.first_view(collection, row.state),
        "back": f"{served.home}/{collection.name}/{row.id}",
        "shows_state": len(collection.states) > 1,
    }
    return page(served, "row.html", context)


def form_page(
    served: Served,
    request: Request,
    collection: Collection,
    row: Row | None,
    values: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> Response:
    """Return the form of a row, on a page or as a piece that a script puts into one.

    Args:
        served: The world.
        request: What asks for it.
        collection: What is entered.
        row: The row that is edited; ``None`` for a new one.
        values: What was entered already.
        errors: What is wrong with it, by field.
    """
    made_from = origin(served, request, collection) if row is None else None
    if values is None:
        values = row.values if row else ready_made(served.world, collection.name, served.visit.account)
    context = {
        "title": served.texts(f"edit.{collection.name}" if row else f"new.{collection.name}"),
        "action": request.url.path + (f"?{request.url.query}" if made_from else ""),
        "cancel": _cancel(served, request, collection, row, made_from),
        "kept": (),
        "facts": _facts(collection, made_from, served),
        "fields": in_order(served, [field for field in collection.fields if field.in_form]),
        "values": values,
        "errors": errors or {},
        "submits": collection.submits,
        "stored_title": row.values[collection.title] if row else None,
    }
    status = 422 if errors else 200
    if request.headers.get("x-lab") == "piece":
        return fragment(served, "form_body.html", context, status)
    return page(served, "form.html", context, status)


def panel_page(
    served: Served,
    panel: Panel,
    values: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> Response:
    """Return the page of a panel."""
    context = {
        "title": served.texts(f"panel.{panel.name}"),
        "here": panel.name,
        "back": f"{served.home}/{panel.name}",
        "panel": panel,
        "fields": in_order(served, panel.fields),
        "values": values or served.world.panel_row(panel.name, served.visit.account).values,
        "errors": errors or {},
    }
    return page(served, "panel.html", context, 422 if errors else 200)


def question_page(
    served: Served, request: Request, collection: Collection, deed: Deed, rows: Sequence[Row], many: bool
) -> Response:
    """Return the page that asks whether a deed is meant.

    Args:
        served: The world.
        request: What asks for it.
        collection: What it is done to.
        deed: What is to be done.
        rows: The rows.
        many: Whether it is asked for ticked rows of a list.
    """
    texts = served.texts
    if many:
        question = texts(f"ask.many_{deed.name}", count=served.formatter.number(str(len(rows))))
    else:
        question = texts(f"ask.{deed.name}", title=served.title(collection, rows[0]))
    otherwise = served.first_view(collection, rows[0].state)
    context: dict[str, Any] = {
        "title": texts("ask.heading"),
        "question": question,
        "action": request.url.path,
        "cancel": safe_back(served, request.query_params.get("back"), otherwise),
        "numbers": [row.id for row in rows] if many else [],
    }
    return page(served, "question.html", context)


def sign_in_page(served: Served) -> Response:
    """Return the page on which the account of the visit signs in again."""
    return page(served, "sign_in.html", {"title": served.texts("page.sign_in")})


def error_page(served: Served, missing: bool = False) -> Response:
    """Return the page that says that something failed, or that there is no such page."""
    texts = served.texts
    if missing:
        return page(
            served, "error.html", {"title": texts("error.missing_heading"), "text": texts("error.missing")}, 404
        )
    return page(served, "error.html", {"title": texts("error.heading"), "text": texts("error.text")}, 500)


def origin(served: Served, request: Request, collection: Collection) -> Row | None:
    """Return the row from whose page a new row is made, where the collection's rows are made so."""
    if collection.made_from is None:
        return None
    number = request.query_params.get(collection.made_from, "")
    source = served.world.app.collection(collection.made_from)
    return served.row(source, int(number)) if number.isascii() and number.isdecimal() and len(number) < 10 else None


def _facts(collection: Collection, made_from: Row | None, served: Served) -> list[tuple[Field, str]]:
    if made_from is None or collection.made_from is None:
        return []
    source = served.world.app.collection(collection.made_from)
    return [(field, served.shown(field, made_from)) for field in source.fields if field.name in {source.title, "price"}]


def _cancel(served: Served, request: Request, collection: Collection, row: Row | None, made_from: Row | None) -> str:
    if row is not None:
        return f"{served.home}/{collection.name}/{row.id}"
    if made_from is not None:
        return f"{served.home}/{collection.made_from}/{made_from.id}"
    return safe_back(served, request.query_params.get("back"), served.first_view(collection, collection.states[0]))
