"""The formats and the grammars of text actions at hand: the built-in ones and those that installed packages bring."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from tracewitness.intake.format import Format
from tracewitness.intake.formats import built_in
from tracewitness.intake.grammars.grammar import GRAMMARS, Grammar, install_grammars, known_grammars
from tracewitness.intake.registry import Registry

GROUP = "tracewitness.formats"
"""Entry-point group: each entry names a callable without arguments that returns a ``Format``."""
GRAMMAR_GROUP = "tracewitness.grammars"
"""Entry-point group: each entry names a callable without arguments that returns a ``Grammar``."""


_READ_BY_GRAMMARS = frozenset({"anthropic_messages", "openai_chat", "openai_responses"})
"""Formats of conversations whose agents may write their actions as text, in any grammar that is known."""


@dataclass(frozen=True, slots=True)
class BrokenPlugin:
    """What an installed package brings and could not be loaded: its name, why, and what it is."""

    name: str
    problem: str
    what: str = "format"


def known_formats() -> tuple[Registry, tuple[BrokenPlugin, ...]]:
    """Return the registry of formats, and the plug-ins that are left out because they fail or take a name again.

    The grammars of text actions that packages bring are known to the readers of conversations from then on.
    """
    broken: list[BrokenPlugin] = []
    formats: list[Format] = _loaded(GROUP, "format", built_in(), _is_anything, broken)
    grammars: list[Grammar] = _loaded(GRAMMAR_GROUP, "text grammar", GRAMMARS, _is_grammar, broken)
    install_grammars(grammars[len(GRAMMARS) :])
    return Registry(formats), tuple(broken)


def grammar_names() -> tuple[str, ...]:
    """Return the names of the grammars of text actions that are known."""
    return tuple(one.name for one in known_grammars())


def grammars_of(name: str) -> tuple[str, ...]:
    """Return the grammars of text actions that the reader of a format chooses from; none where it reads none."""
    return grammar_names() if name in _READ_BY_GRAMMARS else ()


def _is_anything(_: Any) -> bool:
    return True


def _is_grammar(loaded: Any) -> bool:
    return isinstance(loaded, Grammar)


def _loaded(
    group: str, what: str, own: Iterable[Any], fits: Callable[[Any], bool], broken: list[BrokenPlugin]
) -> list[Any]:
    """Return what comes with the package, and then what an entry-point group brings."""
    found = {one.name: one for one in own}
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            loaded = entry.load()()
            name = loaded.name
        except Exception as error:
            broken.append(BrokenPlugin(entry.name, f"{type(error).__name__}: {error}", what))
            continue
        if not fits(loaded):
            broken.append(BrokenPlugin(entry.name, f"it is no {what}", what))
        elif name in found:
            broken.append(BrokenPlugin(entry.name, f"the {what} name {name!r} is taken", what))
        else:
            found[name] = loaded
    return list(found.values())
