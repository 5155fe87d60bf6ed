"""Which entries a question names: those whose whole name stands in its words, and does not go on there.

"Piano lesson" stands in "when does Piano lesson (2) start", and is another entry all the same. So what stands beside
the name must be grammar, a word for what is asked, or a word that the interface itself uses ("the event ...").
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tracewitness.findings.labels import Language
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.language.words import content_words
from tracewitness.trace_side.names import plain

_OPENERS, _CLOSERS = "'\"“„«「『‘”", "'\"”“»」』’"
_WORD_BEFORE = re.compile(r"[\w'’.-]+$")
_WORD_AFTER = re.compile(r"[\w'’-]+")
_ENDS = ".,;!?。、，！？；…"
_JOINED = frozenset("-_/@#&+:：")
_LATIN = re.compile(r"[a-z0-9\u00c0-\u024f]")
# What joins a name to its sentence in scripts without spaces; hiragana is grammar anyway.
_HAN_BEFORE = frozenset(
    "的我里裡中到看找查给為为是在把对號号单單户戶品项項程人件访开從从向文注予定者録录和与要除掉销让请"
)
_HAN_AFTER = frozenset(
    "的是在有几幾什多卖賣存把告一这這那从從占现現目当當何さ様氏先花共总總了吗呢吧都就要给去删移取改加不也还"
)
_MOST_PARTICLES = 2
_HANGUL_AFTER = frozenset("은는이가을를의에로와과도님씨께한부까")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the words that may stand beside a name in it.

    Attributes:
        text: Its words, folded for comparing names.
        spoken: The same with its own letter case, where that leaves it as long.
        language: Its language.
        known: Tells whether a folded word is one of the interface or of what is asked for.
    """

    text: str
    spoken: str
    language: Language
    known: Callable[[str], bool]


def named_titles(question: Question, titles: Iterable[str]) -> frozenset[str]:
    """Return those of the titles that the question names; one inside a longer one is not named by it."""
    standing = {title: spans for title in titles if (spans := _spans(question, title))}
    covered = [span for spans in standing.values() for span in spans]
    return frozenset(title for title, spans in standing.items() if any(not _inside(span, covered) for span in spans))


def without_titles(question: Question, titles: Iterable[str]) -> str:
    """Return the words of a question without the names in it."""
    text = question.text
    for title in sorted(titles, key=len, reverse=True):
        text = text.replace(title, " ")
    return text


def _inside(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(o[0] <= span[0] and span[1] <= o[1] and o[1] - o[0] > span[1] - span[0] for o in others)


def _spans(question: Question, title: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = question.text.find(title) if title else -1
    while start >= 0:
        end = start + len(title)
        before, after = question.text[:start], question.text[end:]
        if _is_quoted(before, after) or (_ends_before(question, before, title) and _ends_after(question, after, title)):
            spans.append((start, end))
        start = question.text.find(title, start + 1)
    return spans


def _is_quoted(before: str, after: str) -> bool:
    opened, closed = before.rstrip()[-1:], after.lstrip()[:1]
    return bool(opened) and opened in _OPENERS and bool(closed) and closed in _CLOSERS


def _ends_before(question: Question, before: str, title: str) -> bool:
    """Return whether a name begins where a title does."""
    last = before[-1:]
    if not before.strip() or last in _ENDS or last in "：:(（":
        return True
    if title.isdigit():
        return not last.isdigit() and last not in "-.,/" and not _LATIN.match(last)
    if not last.isspace():
        return question.language in SUBSTRING_LANGUAGES and not _LATIN.match(last) and _han_joins(last, _HAN_BEFORE)
    word = _WORD_BEFORE.search(before.rstrip())
    return word is None or _begins_with_capital(question, len(before)) or _may_stand_beside(question, word.group())


def _begins_with_capital(question: Question, start: int) -> bool:
    """Return whether a name begins with a capital letter behind a word that has none, or that opens the sentence."""
    spoken = question.spoken
    if len(spoken) != len(question.text) or not spoken[start].isupper():
        return False
    word = _WORD_BEFORE.search(spoken[:start].rstrip())
    if word is None:
        return True
    opening = spoken[: word.start()].rstrip()
    return not opening or opening[-1] in _ENDS or not word.group()[0].isupper()


def _ends_after(question: Question, after: str, title: str) -> bool:
    """Return whether a name ends where a title does."""
    first = after[:1]
    if not after.strip() or first in _ENDS:
        return not (first in ".," and after[1:2].isdigit())
    if title.isdigit():
        return not first.isdigit() and first not in _JOINED and not _LATIN.match(first)
    if not first.isspace():
        if first in _JOINED or question.language not in SUBSTRING_LANGUAGES or _LATIN.match(first):
            return False
        return _han_joins(first, _HANGUL_AFTER if question.language is Language.KO else _HAN_AFTER)
    word = _WORD_AFTER.match(after.lstrip())
    return word is not None and _may_stand_beside(question, word.group())


def _han_joins(character: str, joints: frozenset[str]) -> bool:
    return "\u3041" <= character <= "\u309f" or character in joints


def _may_stand_beside(question: Question, word: str) -> bool:
    if any(c.isdigit() for c in word):
        return False
    folded_word = plain(word).strip("'’.-")
    if question.language is Language.KO:
        # Korean joins its particles to the word: "상품을", "일정에서".
        stems = (folded_word[: len(folded_word) - cut] for cut in range(_MOST_PARTICLES + 1))
        return any(len(stem) > 1 and question.known(stem) for stem in stems)
    return not content_words(folded_word, question.language) or question.known(folded_word)
