"""Reads the word files of the lab out of the package."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from tracewitness.lab.words.languages import LANGUAGES


@cache
def word_file(folder: str, language: str) -> dict[str, Any]:
    """Return the tables of one word file.

    Args:
        folder: Which words: ``interface`` or ``names``.
        language: One of the languages of the lab.

    Raises:
        ValueError: The lab does not speak the language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"The lab does not speak {language!r}; it speaks {', '.join(LANGUAGES)}.")
    path = files("tracewitness.lab") / "data" / folder / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
