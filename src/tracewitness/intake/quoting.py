"""Answers that quote the arguments of the call they answer: what an agent explained there is its own words here too.

Errors of validation print the arguments that they refuse. What they print is cut out by the form in which they print
it; and where an answer repeats whole words that were kept from the trace, these words are taken out of it. What the
agent typed, and the environment shows, is evidence and stays.
"""

import html
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

_SHORTEST = 12
"""Shorter words are said by chance, and would take words of the environment away."""
MOST = 60
"""More words than a call says; of so many none is looked for."""
_DEEPEST = 12
_SPANS = (
    ("input_value=", ", input_type="),
    (" with kwargs ", " with error"),
    ("the following tool call arguments:", "Error details"),
    ("\nParameters: {", "\n\n"),
)
"""How programs print arguments that they refuse: what stands ahead of them, and what behind. Where nothing stands
behind, they reach to the end."""
_REFUSING = (
    "validation error",
    "error invoking tool",
    "error parsing",
    "error executing tool",
    "invalid parameters for action",
)
_LOOKED_AT = 200


def without_refused_arguments(text: str, *, failed: bool) -> str:
    """Return an error without the arguments that it prints; what a program of the environment prints is left alone."""
    opening = text[:_LOOKED_AT].casefold()
    if failed or any(one in opening for one in _REFUSING):
        for begins, ends in _SPANS:
            text = "".join(_outside(text, begins, ends)) if begins in text else text
    return text


def _outside(text: str, begins: str, ends: str) -> Iterator[str]:
    at = 0
    while (found := text.find(begins, at)) >= 0:
        yield text[at : found + len(begins)]
        at = text.find(ends, found + len(begins))
        if at < 0:
            return
    yield text[at:]


def texts_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts in a value."""
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, list):
        for item in cast(list[Any], value):
            yield from texts_in(item, depth + 1)
    elif depth < _DEEPEST and isinstance(value, dict):
        for item in cast(Mapping[str, Any], value).values():
            yield from texts_in(item, depth + 1)


def worth_quoting(hidden: Iterable[str], kept: Iterable[str]) -> tuple[str, ...]:
    """Return the words that are no chance where an answer repeats them; what was typed as well is the environment's."""
    told = dict.fromkeys(one.strip() for one in hidden if len(one.strip()) >= _SHORTEST)
    if len(told) > MOST:
        return tuple(told)
    typed = "\n".join(kept)
    return tuple(sorted((one for one in told if one not in typed), key=len, reverse=True))


def without_quotes(text: str, said: tuple[str, ...]) -> str:
    """Return an answer without words of the call that it answers; of very many, none can be told from chance.

    Args:
        text: The answer.
        said: The words, longest first.
    """
    if len(said) > MOST:
        return ""
    for words in said:
        text = requoted(text, words, "")
    return text


def requoted(text: str, words: str, others: str) -> str:
    """Return a text with other words in the place of some, in whatever form it quotes them."""
    for form in _FORMS:
        written = form(words)
        if written in text:
            text = text.replace(written, form(others))
    return text


def _as_json(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)[1:-1]


def _as_ascii(words: str) -> str:
    return json.dumps(words)[1:-1]


def _as_python(words: str) -> str:
    return repr(words)[1:-1]


def _on_one_line(words: str) -> str:
    return " ".join(words.split())


_FORMS: tuple[Callable[[str], str], ...] = (str, _as_json, _as_ascii, _as_python, html.escape, _on_one_line)
