"""The words that say what a part of a task asks for."""

from functools import cache
from importlib.resources import files

from tracewitness.language.lexicon import Lexicon, load_text


@cache
def goal_lexicon() -> Lexicon:
    """Return the words that say what a part asks for.

    Raises:
        LexiconError: The data file is badly written.
    """
    place = files("tracewitness.task_side").joinpath("data", "goal_words.tsv")
    return load_text(place.read_text(encoding="utf-8"), "task_side/data/goal_words.tsv")
