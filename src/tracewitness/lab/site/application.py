"""The addresses of the site, and what every request goes through."""

from collections.abc import Awaitable, Callable
from importlib.resources import files

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from tracewitness.lab.apps.spec import Collection, Deed
from tracewitness.lab.site.acting import Broken
from tracewitness.lab.site.changing import change_account, do_deed, save_form, save_panel, sign_in, undo
from tracewitness.lab.site.pictures import words_as_picture
from tracewitness.lab.site.reading import (
    error_page,
    form_page,
    home_page,
    list_page,
    origin,
    panel_page,
    question_page,
    row_page,
    sign_in_page,
)
from tracewitness.lab.site.served import Served
from tracewitness.lab.site.troubles import let_others_act
from tracewitness.lab.world.rows import Row

Handler = Callable[[Served, Request], Awaitable[Response | None]]

_STATIC = {"look.css": "text/css", "page.js": "text/javascript"}


def application(current: Callable[[], Served | None]) -> Starlette:
    """Return the application.

    Args:
        current: Tells what is served now.
    """

    def route(path: str, handler: Handler, *methods: str, always: bool = False) -> Route:
        async def endpoint(request: Request) -> Response:
            served = current()
            if served is None:
                return PlainTextResponse("Nothing is shown.", status_code=503)
            return await _answered(served, request, handler, always)

        return Route(path, endpoint, methods=list(methods) or ["GET"])

    async def picture(request: Request) -> Response:
        served = current()
        order = served.world.circumstances.order if served else None
        return words_as_picture(order.text if order else "")

    async def first(request: Request) -> Response:
        served = current()
        return RedirectResponse(served.home if served else "/none")

    return Starlette(
        routes=[
            Route("/", first),
            Route("/look.css", _static),
            Route("/page.js", _static),
            Route("/notice.svg", picture),
            route("/sign-in", _sign_in, "GET", "POST", always=True),
            route("/account", _account, "POST"),
            route("/undo/{number:int}", _undo, "POST"),
            route("/{app}", _home),
            route("/{app}/{name}", _list_or_panel, "GET", "POST"),
            route("/{app}/{collection}/new", _new, "GET", "POST"),
            route("/{app}/{collection}/{number:int}", _row),
            route("/{app}/{collection}/{number:int}/edit", _edit, "GET", "POST"),
            route("/{app}/{collection}/{number:int}/deed/{deed}", _deed, "GET", "POST"),
            route("/{app}/{collection}/marked/{deed}", _marked, "GET", "POST"),
        ]
    )


async def _answered(served: Served, request: Request, handler: Handler, always: bool) -> Response:
    visit = served.visit
    visit.requests += 1
    visit.pages += request.method == "GET"
    served.world.request = visit.requests
    let_others_act(served)
    if not visit.signed_in and not always:
        if request.method == "POST" and "x-lab" in request.headers:
            return JSONResponse({"location": "/sign-in"})
        return RedirectResponse("/sign-in", status_code=303)
    if request.path_params.get("app", served.world.app.name) != served.world.app.name:
        return error_page(served, missing=True)
    try:
        response = await handler(served, request)
    except Broken:
        return error_page(served)
    return response or error_page(served, missing=True)


async def _static(request: Request) -> Response:
    name = request.url.path.removeprefix("/")
    text = (files("tracewitness.lab.site") / "static" / name).read_text(encoding="utf-8")
    return Response(text, media_type=_STATIC[name], headers={"Cache-Control": "max-age=3600"})


async def _home(served: Served, request: Request) -> Response:
    return home_page(served)


async def _list_or_panel(served: Served, request: Request) -> Response | None:
    name = request.path_params["name"]
    panel = served.panel(name)
    if panel is None:
        return list_page(served, request, name) if request.method == "GET" else None
    if request.method == "GET":
        return panel_page(served, panel)
    return await save_panel(served, request, await request.form(), panel)


async def _new(served: Served, request: Request) -> Response | None:
    collection = served.collection(request.path_params["collection"])
    if collection is None or not collection.submits:
        return None
    if not collection.creatable and origin(served, request, collection) is None:
        return None
    if request.method == "GET":
        return form_page(served, request, collection, None)
    return await save_form(served, request, await request.form(), collection, None)


async def _row(served: Served, request: Request) -> Response | None:
    found = _found(served, request)
    return row_page(served, *found) if found else None


async def _edit(served: Served, request: Request) -> Response | None:
    found = _found(served, request)
    if found is None or found[1].state not in found[0].editable:
        return None
    if request.method == "GET":
        return form_page(served, request, *found)
    return await save_form(served, request, await request.form(), *found)


async def _deed(served: Served, request: Request) -> Response | None:
    found = _found(served, request)
    deed = _deed_named(found[0], request) if found else None
    if found is None or deed is None or found[1].state not in deed.of:
        return None
    collection, row = found
    if request.method == "GET":
        return question_page(served, request, collection, deed, [row], many=False)
    return await do_deed(served, request, await request.form(), collection, deed, [row])


async def _marked(served: Served, request: Request) -> Response | None:
    collection = served.collection(request.path_params["collection"])
    deed = _deed_named(collection, request) if collection else None
    if collection is None or deed is None or not deed.bulk:
        return None
    posted = await request.form() if request.method == "POST" else None
    numbers = posted.getlist("row") if posted is not None else request.query_params.getlist("row")
    rows = _rows(served, collection, deed, [number for number in numbers if isinstance(number, str)])
    if posted is not None:
        return await do_deed(served, request, posted, collection, deed, rows)
    return question_page(served, request, collection, deed, rows, many=True) if rows else None


async def _undo(served: Served, request: Request) -> Response:
    return undo(served, request, await request.form(), request.path_params["number"])


async def _account(served: Served, request: Request) -> Response:
    return change_account(served, request, await request.form())


async def _sign_in(served: Served, request: Request) -> Response:
    return sign_in_page(served) if request.method == "GET" else sign_in(served, request)


def _found(served: Served, request: Request) -> tuple[Collection, Row] | None:
    collection = served.collection(request.path_params["collection"])
    row = served.row(collection, request.path_params["number"]) if collection else None
    return (collection, row) if collection and row else None


def _deed_named(collection: Collection, request: Request) -> Deed | None:
    return next((deed for deed in collection.deeds if deed.name == request.path_params["deed"]), None)


def _rows(served: Served, collection: Collection, deed: Deed, numbers: list[str]) -> list[Row]:
    wanted = {int(number) for number in numbers if number.isascii() and number.isdecimal() and len(number) < 10}
    return [row for row in served.rows(collection, deed.of) if row.id in wanted]
