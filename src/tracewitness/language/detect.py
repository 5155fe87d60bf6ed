"""Which language a text is in: script first, then the profile of its function words."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import Entry, load
from tracewitness.language.quotes import MASK, mask_quotes

_KANA = re.compile("[\u3041-\u30fa\u30fd-\u30ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN = re.compile("[a-z\u00df-\u024f\u1e00-\u1eff]")
_LATIN_WORD = re.compile("[a-z\u00df-\u024f\u1e00-\u1eff]+(?:'[a-z]+)?")
_ELISION = re.compile("(?:[cdjlmnst]|qu)'(?=[a-z\u00df-\u024f])")
# A token of visible ASCII with a sign that addresses, paths, file names and identifiers are known by. The plain
# characters before the sign are taken once, so that the work is linear.
_SIGNED_TOKEN = re.compile(r"(?<![!-~])[!\"$-\-0-9;-?A-\[\]^`a-~]*+[#./:@\\_][!-~]*+")
_CODE_LIKE = re.compile(r"://|.@.|#\w|[\\/_].{0,200}?[\\/_.]|\w\.[a-z]{2,4}[\d,.;:!?)]*$")
# A list (、) is one clause: its items in Han characters tell no language.
_BREAK = re.compile(r"[\n.!?;:。！？；：，]+|,\s")
# A Han or kana character says about as much as two Latin letters.
_WIDE_WEIGHT = 2
_LONGEST_SAMPLE = 20_000
_WEIGHTS = {"word": 1.0, "ending": 0.35, "letter": 0.5}
_LEAD = 1.05
_OWN = frozenset(language.value for language in Language)


@dataclass(frozen=True, slots=True)
class _Profile:
    """What each sign says: word, ending or letter to the languages that use it with their weights."""

    words: Mapping[str, Mapping[str, float]]
    endings: Mapping[str, Mapping[str, float]]
    letters: Mapping[str, Mapping[str, float]]


@lru_cache(maxsize=2048)
def detect(text: str) -> Language:
    """Return the language of a text.

    Quoted parts, addresses and file names do not count. A mixed text has the language of most of its clauses; where as
    many speak for two, that of the longer share. OTHER stands for every language without a lexicon, NONE for a text
    without words. A text of names alone, in Latin letters, is OTHER.
    """
    sample = comparable(mask_quotes(text[:_LONGEST_SAMPLE])).replace(MASK, " ")
    found = _majority(_SIGNED_TOKEN.sub(_without_code, sample))
    if found is Language.NONE:
        found = _majority(comparable(text[:_LONGEST_SAMPLE]))
    return found


def _without_code(token: re.Match[str]) -> str:
    """Blank an address, path, file name or identifier; its words are no prose."""
    return " " if _CODE_LIKE.search(token.group()[:200]) else token.group()


def _majority(sample: str) -> Language:
    votes: Counter[Language] = Counter()
    letters: Counter[Language] = Counter()
    undecided: list[str] = []
    for clause in _BREAK.split(sample):
        language = _of_clause(clause)
        if language is None:
            undecided.append(clause)
        elif language is not Language.NONE:
            votes[language] += 1
            letters[language] += len(clause)
    if not votes:
        joined = " ".join(undecided)
        whole = _of_clause(joined) if undecided else Language.NONE
        return Language.OTHER if whole is None else whole
    return max(votes, key=lambda language: (votes[language], letters[language], language.value))


def _of_clause(clause: str) -> Language | None:
    """Return the language of one clause, NONE without letters, None where its words decide nothing."""
    letters = [c for c in clause if c.isalpha()]
    if not letters:
        return Language.NONE
    text = "".join(letters)
    latin = len(_LATIN.findall(text))
    kana, hangul, han = (len(p.findall(text)) for p in (_KANA, _HANGUL, _HAN))
    wide = kana + hangul + han
    if wide * _WIDE_WEIGHT >= latin and wide > 0 and (latin + wide) * 2 > len(letters):
        return _of_wide(clause, kana, hangul, han)
    if latin * 2 <= len(letters):
        return Language.OTHER
    return _of_latin(clause)


def _of_wide(clause: str, kana: int, hangul: int, han: int) -> Language:
    if hangul > kana and hangul * 2 >= han:
        return Language.KO
    if kana * 8 >= han and kana > 0:
        return Language.JA
    lexicon = load("profile")
    japanese = len(lexicon.find(Language.JA, "han", clause))
    chinese = len(lexicon.find(Language.ZH, "han", clause))
    return Language.JA if japanese > chinese else Language.ZH


def _of_latin(clause: str) -> Language | None:
    scores = _scores(clause)
    if not scores:
        return None
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    best, score = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    if score < second * _LEAD and not (best in _OWN and ranked[1][0] in _OWN and len(_LATIN_WORD.findall(clause)) > 2):
        return None
    return Language(best) if best in _OWN else Language.OTHER


def _scores(clause: str) -> dict[str, float]:
    scores: defaultdict[str, float] = defaultdict(float)
    for word in _words(clause):
        for language, weight in _signs_of(word):
            scores[language] += weight
    letters = _profile().letters
    # No letter of ASCII tells a language.
    for letter in () if clause.isascii() else set(clause):
        for language, weight in letters.get(letter, {}).items():
            scores[language] += weight
    return scores


@lru_cache(maxsize=16384)
def _signs_of(word: str) -> tuple[tuple[str, float], ...]:
    """Return what a word and its endings say for which languages; texts repeat their words."""
    profile = _profile()
    signs = list(profile.words.get(word, {}).items())
    for size in (2, 3, 4, 5):
        if len(word) > size + 1:
            signs += profile.endings.get(word[-size:], {}).items()
    return tuple(signs)


def _words(clause: str) -> Iterable[str]:
    yield from _ELISION.findall(clause)
    yield from _LATIN_WORD.findall(_ELISION.sub(" ", clause))


@cache
def _profile() -> _Profile:
    signs: dict[str, dict[str, set[str]]] = {"word": {}, "ending": {}, "letter": {}}
    for entry in load("profile").entries:
        kind, code = _sign_of(entry)
        kind = "word" if kind == "function" else kind
        if kind in signs:
            signs[kind].setdefault(comparable(entry.pattern), set()).add(code)
    return _Profile(*(_weighted(signs[kind], _WEIGHTS[kind]) for kind in ("word", "ending", "letter")))


def _sign_of(entry: Entry) -> tuple[str, str]:
    own, _, kind = entry.category.rpartition(".")
    return kind, own or (entry.language.value if entry.language else "")


def _weighted(signs: dict[str, set[str]], weight: float) -> dict[str, dict[str, float]]:
    return {sign: {code: weight / len(codes) for code in codes} for sign, codes in signs.items()}
