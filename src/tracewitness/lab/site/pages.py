"""Makes pages out of templates. Whatever comes from data is escaped."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from tracewitness.lab.apps.spec import Collection, Field
from tracewitness.lab.site.look import Saving, ToastPlace
from tracewitness.lab.site.served import Served
from tracewitness.lab.site.troubles import Spot, fault_at
from tracewitness.lab.site.visit import Toast
from tracewitness.lab.words.formatting import DAYS
from tracewitness.lab.world.faults import FaultKind

_SAFE = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
    "Cache-Control": "no-store",
}


@cache
def templates() -> Environment:
    """Return the templates of all pages."""
    return Environment(
        loader=PackageLoader("tracewitness.lab.site", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def page(served: Served, template: str, context: dict[str, Any], status: int = 200) -> HTMLResponse:
    """Return a page, with the message that waits for it.

    Args:
        served: The world.
        template: Which template.
        context: What it shows; ``title`` at least.
        status: The status of the answer.
    """
    text = templates().get_template(template).render({**_frame(served), **context, "toast": _toast(served)})
    return HTMLResponse(text, status_code=status, headers=_SAFE)


def fragment(served: Served, template: str, context: dict[str, Any], status: int = 200) -> HTMLResponse:
    """Return a piece of a page, for a script to put in; a waiting message goes on waiting."""
    text = templates().get_template(template).render({**_frame(served), **context, "toast": None})
    return HTMLResponse(text, status_code=status, headers=_SAFE)


def in_order(served: Served, fields: Sequence[Field]) -> list[Field]:
    """Return fields in the order of the look."""
    ordered = list(fields)
    random.Random(served.look.order).shuffle(ordered)
    return ordered


def shows_state(collection: Collection, states: tuple[str, ...]) -> bool:
    """Tell whether the state of rows is worth a column: where rows of several states stand together."""
    return len(states) > 1 and len(collection.states) > 1


def _toast(served: Served) -> Toast | None:
    toast, served.visit.toast = served.visit.toast, None
    if toast is not None and served.look.toast is ToastPlace.NONE and toast.undo is None:
        return None
    return toast


def _saving(served: Served) -> Saving:
    # A browser that waits for the answer to a posted form shows nothing of it, and drivers wait with it: what is slow
    # is saved by the script, which says so.
    slow = any(fault.kind is FaultKind.SLOW for fault in served.world.circumstances.faults)
    return Saving.FETCH if slow else served.look.saving


def _frame(served: Served) -> dict[str, Any]:
    texts = served.texts
    app = served.world.app
    views = [(view.name, texts(f"view.{view.name}")) for part in app.collections for view in part.views]
    panels = [(panel.name, texts(f"panel.{panel.name}")) for panel in app.panels]

    def bars(name: str, title: str | None = None) -> bool:
        return fault_at(served, Spot((name,), title), FaultKind.DISABLED) is not None

    def covers(name: str, title: str | None = None) -> bool:
        return fault_at(served, Spot((name,), title), FaultKind.COVERED) is not None

    def label_of(field: Field) -> str:
        return texts(f"field.{field.name}")

    return {
        "served": served,
        "world": served.world,
        "app": app,
        "look": served.look,
        "saving": _saving(served),
        "visit": served.visit,
        "t": texts,
        "formatter": served.formatter,
        "language": texts.language,
        "account": served.world.account_named(served.visit.account),
        "links": [*views, *panels],
        "order": served.world.circumstances.order,
        "bars": bars,
        "covers": covers,
        "label_of": label_of,
        "days": DAYS,
        "heading": None,
        "here": None,
        "back": served.home,
        "errors": {},
    }
