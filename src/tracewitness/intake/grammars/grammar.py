"""A way of writing actions as text: those that come with the package, and those that installed packages bring."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars import autoglm, qwen, react, ui_tars, webvoyager
from tracewitness.intake.grammars.opening import Opening
from tracewitness.intake.grammars.parsed import Parsed


@dataclass(frozen=True, slots=True)
class Grammar:
    """A way of writing actions as text.

    Attributes:
        name: What it is called.
        parse: Returns the calls of a text and the words around them; None where it holds none.
        open: Takes words of the user apart where they hold more than the task, or, later on, more than what was seen.
    """

    name: str
    parse: Callable[[str], Parsed | None]
    open: Callable[[str], Opening | None] = lambda _: None


GRAMMARS = (
    Grammar("AutoGLM", autoglm.parse, autoglm.opening),
    Grammar("tool_call tags", qwen.parse, qwen.opening),
    Grammar("WebVoyager", webvoyager.parse, webvoyager.opening),
    Grammar("UI-TARS", ui_tars.parse),
    Grammar("ReAct", react.parse, react.opening),
)
"""The grammars that come with the package."""


class GrammarFailedError(Exception):
    """A grammar raised an error, or gave what none gives.

    Attributes:
        grammar: The grammar.
        problem: What happened; nothing of the text, which may be anybody's words.
    """

    def __init__(self, grammar: Grammar, problem: str) -> None:
        super().__init__(problem)
        self.grammar = grammar
        self.problem = problem


class _Installed:
    """The grammars of installed packages. There is one set of them in a process, as of the packages themselves."""

    grammars: tuple[Grammar, ...] = ()


def install_grammars(grammars: Iterable[Grammar]) -> None:
    """Say which grammars installed packages bring; a second call replaces them."""
    _Installed.grammars = tuple(grammars)


def known_grammars() -> tuple[Grammar, ...]:
    """Return the grammars that come with the package, and those of installed packages."""
    return (*GRAMMARS, *_Installed.grammars)


def parsed_by(grammar: Grammar, text: str) -> Parsed | None:
    """Return the calls of a text.

    Raises:
        GrammarFailedError: The grammar fails at it.
    """
    found = _asked(grammar, grammar.parse, text, Parsed)
    if found is not None and not (isinstance(found.words, str) and all(isinstance(one, Call) for one in found.calls)):
        raise GrammarFailedError(grammar, "gives calls that are none")
    return found


def opened_by(grammar: Grammar, text: str) -> Opening | None:
    """Return words of the user taken apart.

    Raises:
        GrammarFailedError: The grammar fails at them.
    """
    return _asked(grammar, grammar.open, text, Opening)


def _asked(grammar: Grammar, ask: Callable[[str], Any], text: str, form: type[Any]) -> Any:
    try:
        told = ask(text)
    except Exception as error:
        raise GrammarFailedError(grammar, type(error).__name__) from error
    if told is not None and not isinstance(told, form):
        raise GrammarFailedError(grammar, f"gives {type(told).__name__} instead of {form.__name__}")
    return told
