"""Quick hand-over of runs and records between processes.

Python takes a frozen dataclass with slots apart field by field, and puts it together likewise, in code of its own that
takes longer than much of the audit of a small run. Here such an object is its class and its values, and is made anew by
calling the class.
"""

import copyreg
import types
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from tracewitness.auditing.one_run import Run
from tracewitness.auditing.outcome import Audited


@cache
def quicken_hand_over() -> None:
    """Make this process hand runs and records over quickly; every process of a pool calls it."""
    kinds: set[type] = set()
    for root in (Run, Audited):
        _add_kinds(root, kinds)
    for kind in kinds:
        if fields(kind) and all(field.init for field in fields(kind)):
            copyreg.pickle(kind, _taken_apart(kind))


def _add_kinds(hint: Any, kinds: set[type]) -> None:
    """Add every dataclass that a value of a type may hold."""
    for argument in typing.get_args(hint):
        _add_kinds(argument, kinds)
    is_class = isinstance(hint, type) and not isinstance(hint, types.GenericAlias)
    if is_class and is_dataclass(hint) and hint not in kinds:
        kinds.add(hint)
        for below in typing.get_type_hints(hint).values():
            _add_kinds(below, kinds)


def _taken_apart(kind: Any) -> Callable[[Any], tuple[Any, tuple[Any, ...]]]:
    names = [field.name for field in fields(kind)]
    fetch = attrgetter(*names)
    return (lambda value: (kind, (fetch(value),))) if len(names) == 1 else (lambda value: (kind, fetch(value)))
