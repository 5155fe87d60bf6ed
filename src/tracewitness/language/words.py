"""The content words of a text, for loose relevance."""

import re
from functools import cache

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import load

_WIDE_RUN = re.compile("[\u3005\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_NARROW_WORD = re.compile("[^\\W_\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:[.@-][a-z0-9]+)*")
_ELISION = re.compile("(?<!\\w)(?:[cdjlmnst]|qu)'(?=\\w)")


def content_words(text: str, language: Language) -> frozenset[str]:
    """Return the folded words of a text without stop words; Chinese, Japanese and Korean runs give character pairs.

    Hiragana is left out, since it writes particles and endings. A run of a single character stands for itself.
    """
    folded = _ELISION.sub(" ", comparable(text))
    words = set(_NARROW_WORD.findall(folded)) - _stop_words(language)
    for run in _WIDE_RUN.findall(folded):
        words.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    return frozenset(word for word in words if len(word) > 1 or word.isdigit() or not word.isascii())


@cache
def _stop_words(language: Language) -> frozenset[str]:
    return frozenset(load("profile").literals(language, "function"))
