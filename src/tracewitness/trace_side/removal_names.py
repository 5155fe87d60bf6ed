"""What a removal is about, by what the trace shows: the entries whose whole name stands in the task, a time, a number.

Grammar finds where a name begins and not always where it ends, in eight languages. A title that screens show and that
stands in the task, and does not go on there, is the name for sure. Of a thing that no screen shows there is only what
the task gives beyond doubt: words in quotes, a time, a number, or the words that the agent searched for.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.language.quantities import read_figures
from tracewitness.language.words import content_words
from tracewitness.trace_side.field_words import field_lexicon
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import label_meanings, meanings
from tracewitness.trace_side.listing import Listing
from tracewitness.trace_side.moves import Played
from tracewitness.trace_side.names import Name, plain, stands_in
from tracewitness.trace_side.row_names import Question, named_titles
from tracewitness.trace_side.things import things_of
from tracewitness.values.answers import TimeValue

_QUOTED = re.compile(
    r"(?<![^\W_])['‘]([^'’]+)['’]|\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|『([^』]+)』|«\s*([^»]+?)\s*»|„([^“”]+)[“”]"
)
_INNER_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011](?=[^\W\d_])")
_NUMBERED_ITEM = re.compile(r"^\s*\(?\d{1,2}[.):、]\s*")
_LONG_NUMBER = re.compile(r"(?<![\d.,:/-])\d{4,}(?![.,:/-]?\d)")
_CONTROLS = frozenset("save remove cancel filtered create discard revert more_pages entry_count".split())
_SAID = frozenset({"success", "error", "on", "off", "running", "queued", "login", "empty", "all", "cancelled_state"})
_SHORT_TITLE_WORDS = 2
_SEPARATOR = re.compile(
    r"[\s'\"“”„«»「」『』]*(?:[,、，;]|\b\w{1,3}\b)[\s'\"“”„«»「」『』]*(?:\w{1,3}\b[\s'\"“”„«»「」『』]*)?"
)


def removal_names(patterns: GoalPatterns, listings: Sequence[Listing], played: Iterable[Played]) -> tuple[Name, ...]:
    """Return the names by which a removal tells what is to go; nothing where it gives none for sure."""
    text = _NUMBERED_ITEM.sub("", patterns.goal.text)
    quoted = {plain(q) for found in _QUOTED.finditer(text) for q in found.groups() if q}
    lines = {e.title for one in listings for e in one.lines if not meanings(e.title) & _SAID and "?" not in e.title}
    titles = {e.title for one in listings for e in one.entries} | lines
    # Spelled as ``plain`` spells it, so that each letter stands where its folded one does.
    spoken = _INNER_HYPHEN.sub("", " ".join(unicodedata.normalize("NFKC", text).split()))
    question = Question(plain(text), spoken, patterns.language, lambda word: _is_known(patterns, word))
    wanted = {t for t in titles if t in question.text and (t in quoted or not _is_interface(t))}
    found = named_titles(question, wanted)
    found = found & quoted or found
    if found:
        found = found | _listed_beside(patterns, found, question.text)
        return tuple(_name(patterns, title, titles) for title in sorted(found, key=question.text.find))
    given = quoted & {target.phrase for target in patterns.targets}
    if given:
        return tuple(_name(patterns, title, titles) for title in sorted(given, key=question.text.find))
    return _figured(patterns) or _numbered(patterns) or _searched(patterns, played, titles)


def _listed_beside(patterns: GoalPatterns, found: Iterable[str], text: str) -> set[str]:
    """Return the names that a task lists beside those that were found ("qa1, qa2, qa3") and no entry is called by."""
    others = {t.phrase for t in patterns.targets if not any(t.phrase in name or name in t.phrase for name in found)}
    ends = {text.find(name) + len(name) for name in (*found, *others)}
    starts = {name: text.find(name) for name in others if name in text}
    return {name for name, start in starts.items() if any(_SEPARATOR.fullmatch(text[end:start]) for end in ends)}


def _is_known(patterns: GoalPatterns, word: str) -> bool:
    lexicon = field_lexicon()
    return bool(meanings(word)) or any(lexicon.has(patterns.language, c, word) for c in lexicon.categories())


def _is_interface(title: str) -> bool:
    """Return whether a title is a word of the interface: a list's own name, a control, a count."""
    if label_meanings(title) & _CONTROLS:
        return True
    return bool(things_of(title)) and len(title.split()) <= _SHORT_TITLE_WORDS and not any(c.isdigit() for c in title)


def _name(patterns: GoalPatterns, title: str, titles: Iterable[str]) -> Name:
    others = sorted((t for t in titles if title in t and t != title), key=len, reverse=True)
    figures = tuple(f.value for f in read_figures(title, patterns.language) if isinstance(f.value, TimeValue))
    alone = figures if not re.sub(r"[\W\d]", "", title) else ()
    tokens = content_words(title, patterns.language)
    return Name(title, tuple(others), known=True, tokens=tokens, figures=alone, language=patterns.language)


def _figured(patterns: GoalPatterns) -> tuple[Name, ...]:
    found = [f for f in read_figures(patterns.goal.text, patterns.language) if isinstance(f.value, TimeValue)]
    if len(found) != 1 or patterns.goal.every and not patterns.targets:
        return ()
    figures = (found[0].value,)
    phrase = plain(patterns.goal.text[found[0].start : found[0].end])
    return (Name(phrase, (), known=True, tokens=frozenset(), figures=figures, language=patterns.language),)


def _numbered(patterns: GoalPatterns) -> tuple[Name, ...]:
    found = set(_LONG_NUMBER.findall(patterns.goal.text))
    return tuple(Name(number, (), known=True, tokens=frozenset()) for number in found) if len(found) == 1 else ()


def _searched(patterns: GoalPatterns, played: Iterable[Played], titles: Iterable[str]) -> tuple[Name, ...]:
    """Return the longest words that the agent searched for, where the task gives them as they are."""
    text = plain(patterns.goal.text)
    typed = {plain(q) for p in played for q in search_text(p) if stands_in(plain(q), text)}
    kept = [q for q in typed if not _is_interface(q) and not meanings(q) and _is_specific(patterns, q)]
    return (_name(patterns, max(kept, key=len), titles),) if kept else ()


def _is_specific(patterns: GoalPatterns, words: str) -> bool:
    if patterns.language in SUBSTRING_LANGUAGES:
        return len(words) > 1
    return bool(content_words(words, patterns.language))


def search_text(played: Played) -> Iterator[str]:
    """Yield the text that a step enters into a search field."""
    text = played.step.action.text
    if text and text.strip() and "filtered" in label_meanings(played.label or played.step.action.target or ""):
        yield text.strip()
