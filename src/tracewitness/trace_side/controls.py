"""Controls that hold a value, as records: a list to choose from with its chosen option, a slider, a field.

What they show is what was entered, and not yet what is stored.
"""

import re
from collections.abc import Iterator

from tracewitness.trace_side.names import plain
from tracewitness.trace_side.records import Held, Record
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.view import View
from tracewitness.values.folding import fold

_SLIDER = re.compile(r"\s*[-*]\s*'?(?:slider|spinbutton|progressbar|meter)\b")
_MARKS = " *:：＊"


def read_controls(view: View) -> tuple[Record, ...]:
    """Return the labelled controls of a screen, each as a record that is called by its label."""
    return tuple(_controls(view))


def _controls(view: View) -> Iterator[Record]:
    for place, element in enumerate(view.elements):
        if view.in_frame(place) or not element.name or view.searches(element):
            continue
        text = _chosen(view, place) if element.role is Role.CHOICE else _entered(view, place)
        if text is not None:
            label = element.name.strip(_MARKS)
            yield Record(frozenset({plain(label)}), (Held(label, text[0], text[1]),))


def _chosen(view: View, place: int) -> tuple[str, Element] | None:
    """Return the option that is marked as chosen in a list to choose from; None where none or several are."""
    options = [view.elements[n] for n in view.children(place)]
    chosen = [e for e in options if e.role is Role.CHOICE and e.on]
    return (chosen[0].name, chosen[0]) if len(chosen) == 1 and len(options) > 1 else None


def _entered(view: View, place: int) -> tuple[str, Element] | None:
    """Return the position of a slider, with the unit that a text beside it gives."""
    element = view.elements[place]
    if element.role is not Role.FIELD or not element.value or not _SLIDER.match(element.line):
        return None
    beside = view.elements[place + 1] if place + 1 < len(view.elements) else None
    if beside is not None and fold(beside.name).startswith(fold(element.value)):
        return beside.name, element
    return element.value, element
