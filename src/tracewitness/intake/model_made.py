"""Tools whose answers a model writes: what it makes of a page, what it advises. They are no words of the environment.

What the tool was used on stays; what was seen there is not known, which is a gap.
"""

from collections.abc import Mapping
from typing import Any

from tracewitness.intake.finishing import bare, own_name

_READING = frozenset({"webfetch"})
"""Tools by which a model reads a page and is told under ``prompt`` what to say of it."""
_ADVISING = frozenset({"advisor"})
_SEARCHING = frozenset({"websearch"})
_SEARCHED = "Web search results for query:"
_FOUND = "Links: ["


def answers_by_model(name: str, arguments: Mapping[str, Any]) -> bool:
    """Tell whether what answers a call of a tool is written by a model.

    Args:
        name: The tool.
        arguments: Its arguments; nothing but their keys counts.
    """
    return own_name(name) in _ADVISING or any(is_told_model(name, key) for key in arguments)


def is_told_model(name: str, key: str) -> bool:
    """Tell whether an argument is what the model behind a tool is told; tools of this name without it give pages."""
    return own_name(name) in _READING and bare(key) == "prompt"


def without_model_words(name: str, text: str) -> str:
    """Return what a search found, without what a model wrote about it."""
    if own_name(name) not in _SEARCHING or not text.lstrip().startswith(_SEARCHED):
        return text
    return "\n".join(line for line in text.splitlines() if line.startswith((_SEARCHED, _FOUND)))
