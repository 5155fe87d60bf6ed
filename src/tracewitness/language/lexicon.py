"""Lexicons: what words say, as data files with one line of source or reason for each entry.

File form: tab-separated, UTF-8, a header line ``language<TAB>category<TAB>pattern<TAB>reason``, ``#`` starts a comment
line. ``language`` is a code of ``findings.labels.Language`` or ``*`` for all. ``pattern`` is a literal phrase (folded
before use; a final ``*`` stands for any ending) or ``re:`` and a regular expression in lower case, matched on folded
text.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable, tidy
from tracewitness.values.digests import Digest, digest_text

HEADER = ("language", "category", "pattern", "reason")
SUBSTRING_LANGUAGES = frozenset({Language.ZH, Language.JA, Language.KO})
_ANY_LANGUAGE = "*"
_REGEX_MARK = "re:"
_TEXT_LANGUAGES = tuple(Language)
_WORD_LENGTH = 24
_KNOWN_WORDS = 50_000
"""Single words are asked about again and again; so many answers are kept, as texts are hostile."""


class LexiconError(ValueError):
    """A lexicon file is badly written; the message names file, line and what was expected."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where an entry was found: positions in the text that was searched, and the words there as they stand."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a lexicon file. ``language`` is None where the entry holds for all languages."""

    language: Language | None
    category: str
    pattern: str
    reason: str
    line: int


@dataclass(frozen=True)
class Lexicon:
    """Entries compiled per language and category.

    Attributes:
        source: Name of the file, for messages.
        digest: Digest of the file's text.
        entries: All entries in file order.
    """

    source: str
    digest: Digest
    entries: tuple[Entry, ...]
    _groups: Mapping[tuple[Language, str], tuple[Entry, ...]]
    _compiled: dict[tuple[Language, str], re.Pattern[str] | None]
    _answers: dict[tuple[Language, str, str], bool] = field(default_factory=dict[tuple[Language, str, str], bool])

    def find(self, language: Language, category: str, text: str) -> tuple[Match, ...]:
        """Return where entries of a category occur in the text, in order, not overlapping, longest entry first.

        Literals match whole words in alphabetic scripts and anywhere in Chinese, Japanese and Korean. An unknown
        category, or one without entries for the language, gives no match.
        """
        pattern = self.pattern(language, category)
        if pattern is None:
            return ()
        found = pattern.finditer(comparable(text))
        return tuple(Match(m.start(), m.end(), text[m.start() : m.end()]) for m in found if m.end() > m.start())

    def has(self, language: Language, category: str, text: str) -> bool:
        """Return whether any entry of a category occurs in the text."""
        if len(text) > _WORD_LENGTH:
            return self._holds(language, category, text)
        asked = (language, category, text)
        known = self._answers.get(asked)
        if known is None:
            known = self._holds(language, category, text)
            if len(self._answers) < _KNOWN_WORDS:
                self._answers[asked] = known
        return known

    def _holds(self, language: Language, category: str, text: str) -> bool:
        pattern = self.pattern(language, category)
        return pattern is not None and pattern.search(comparable(text)) is not None

    def pattern(self, language: Language, category: str) -> re.Pattern[str] | None:
        """Return the compiled pattern of a category, to be run on ``comparable`` text; None where it has no entries."""
        key = (language, category)
        if key not in self._compiled:
            # Compiled at first use: a run needs one language of the eight.
            group = self._groups.get(key)
            self._compiled[key] = _compile_group(language, group) if group else None
        return self._compiled[key]

    def categories(self) -> frozenset[str]:
        """Return the names of all categories in the file."""
        return frozenset(entry.category for entry in self.entries)

    def literals(self, language: Language, category: str) -> tuple[str, ...]:
        """Return the folded literal phrases of a category, in file order, regular expressions left out."""
        chosen = (e for e in self.entries if e.language in (language, None) and e.category == category)
        return tuple(comparable(e.pattern) for e in chosen if not e.pattern.startswith(_REGEX_MARK))


@cache
def load(name: str) -> Lexicon:
    """Return the lexicon ``language/data/NAME.tsv`` of this package, read and compiled once.

    Raises:
        LexiconError: The file is badly written.
        FileNotFoundError: There is no such file.
    """
    place = files("tracewitness.language").joinpath("data", f"{name}.tsv")
    return load_text(place.read_text(encoding="utf-8"), f"language/data/{name}.tsv")


def load_text(text: str, source: str) -> Lexicon:
    """Return a lexicon from the text of a file; ``source`` names it in messages.

    Raises:
        LexiconError: A line is badly written, names an unknown language, gives no reason or repeats an entry.
    """
    entries = tuple(_read_entries(text.replace("\r\n", "\n"), source))
    for entry in entries:
        _check_expression(entry, source)
    return Lexicon(source, digest_text(text.replace("\r\n", "\n")), entries, _grouped(entries), {})


def _read_entries(text: str, source: str) -> Iterable[Entry]:
    seen: set[tuple[str, str, str]] = set()
    header_read = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if not header_read:
            _expect(cells == HEADER, source, number, f"the header {' | '.join(HEADER)}, tab-separated")
            header_read = True
            continue
        yield _read_entry(cells, source, number, seen)
    _expect(header_read, source, 1, "a header line")


def _read_entry(cells: tuple[str, ...], source: str, number: int, seen: set[tuple[str, str, str]]) -> Entry:
    _expect(len(cells) == len(HEADER), source, number, f"{len(HEADER)} tab-separated cells, found {len(cells)}")
    code, category, pattern, reason = cells
    _expect(bool(category and pattern), source, number, "a category and a pattern")
    _expect(bool(reason), source, number, "a source or reason")
    known = code == _ANY_LANGUAGE or code in _TEXT_LANGUAGES
    _expect(known, source, number, f"a language code or *, found {code!r}")
    key = (code, category, tidy(pattern))
    _expect(key not in seen, source, number, f"each entry once, {pattern!r} is there twice")
    seen.add(key)
    return Entry(None if code == _ANY_LANGUAGE else Language(code), category, tidy(pattern), reason, number)


def _expect(holds: bool, source: str, line: int, expected: str) -> None:
    if not holds:
        raise LexiconError(f"{source}, line {line}: expected {expected}")


def _check_expression(entry: Entry, source: str) -> None:
    if entry.pattern.startswith(_REGEX_MARK):
        try:
            re.compile(entry.pattern[len(_REGEX_MARK) :])
        except re.error as error:
            raise LexiconError(f"{source}, line {entry.line}: expected a regular expression: {error}") from error


def _grouped(entries: tuple[Entry, ...]) -> dict[tuple[Language, str], tuple[Entry, ...]]:
    groups: dict[tuple[Language, str], list[Entry]] = {}
    for entry in entries:
        for language in _TEXT_LANGUAGES if entry.language is None else (entry.language,):
            groups.setdefault((language, entry.category), []).append(entry)
    return {key: tuple(group) for key, group in groups.items()}


def _compile_group(language: Language, group: tuple[Entry, ...]) -> re.Pattern[str]:
    expressions = [f"(?:{e.pattern[len(_REGEX_MARK) :]})" for e in group if e.pattern.startswith(_REGEX_MARK)]
    literals = [comparable(e.pattern) for e in group if not e.pattern.startswith(_REGEX_MARK)]
    literals.sort(key=len, reverse=True)
    whole_words = language not in SUBSTRING_LANGUAGES
    expressions.extend(_literal_expression(literal, whole_words) for literal in literals)
    return re.compile("|".join(expressions))


def _literal_expression(literal: str, whole_words: bool) -> str:
    stem = literal.endswith("*") and len(literal) > 1
    words = r"\s+".join(re.escape(word) for word in (literal[:-1] if stem else literal).split())
    if not whole_words:
        return words
    after = r"\w*" if stem else (r"(?!\w)" if literal[-1].isalnum() else "")
    if literal[0].isalnum():
        # What stands before is looked at only once the first letter fits: a search then skips to such letters, which
        # takes a tenth of the time of a look-behind at every character.
        words = rf"{words[0]}(?<!\w.){words[1:]}"
    return f"{words}{after}"
