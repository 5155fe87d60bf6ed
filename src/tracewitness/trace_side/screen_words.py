"""Lexicons of notations: role words, marks in brackets, action names. Looked up whole, in all languages at once.

Data: ``data/roles.tsv``, ``data/marks.tsv``, ``data/actions.tsv`` in the lexicon file form of ``language.lexicon``.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from tracewitness.language.lexicon import load_text
from tracewitness.trace_side.folding import quick_fold


@cache
def words_of(name: str) -> Mapping[str, str]:
    """Return one lexicon as a table from the folded pattern to its category; the first entry of a pattern holds.

    Raises:
        LexiconError: The file is badly written.
        FileNotFoundError: There is no such file.
    """
    place = files("tracewitness.trace_side").joinpath("data", f"{name}.tsv")
    lexicon = load_text(place.read_text(encoding="utf-8"), f"trace_side/data/{name}.tsv")
    table: dict[str, str] = {}
    for entry in lexicon.entries:
        table.setdefault(quick_fold(entry.pattern), entry.category)
    return table
