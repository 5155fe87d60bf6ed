"""The verbs that carry a task: where each stands, which class it speaks for, and how far it decides.

In alphabetic languages a verb counts at the head of a clause (after courtesy and a locative prefix) or after a word
that begins a new verb phrase; nouns that look like verbs ("the draft order") therefore do not. Chinese verbs count from
the left, with the 把 construction as one pattern; Japanese and Korean ones from the right, where the sentence has its
verb.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.clauses import Clause, split
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES, Lexicon, load_text
from tracewitness.language.quotes import MASK, mask_quotes

_FINAL_VERB = frozenset({Language.JA, Language.KO})
_REQUEST_AS_QUESTION = re.compile("くれ|もらえ|いただけ|頂け|くださ|줄래|주실|주시|줄 수|할 수 있|吗$|能不能|可以")
_COMMA = re.compile(r"[,:]\s+")
_FALLBACK_ORDER = (
    Language.EN,
    Language.ES,
    Language.FR,
    Language.DE,
    Language.PT,
    Language.ZH,
    Language.JA,
    Language.KO,
)
_MOST_PREFIXES = 6
# A separable verb or 把 construction reaches so far past the clause that it begins in.
_REACH = 200
# Where two classes match the same words, the setting wins over the edit (把语言改为 is both).
_CLASS_ORDER = (TaskClass.CONFIGURE, *(c for c in TaskClass if c is not TaskClass.CONFIGURE))
_PLACE_NEXT = re.compile("的?(?:页面?|界面|网页|列表|记录|菜单|中心|选项卡|标签|窗口|应用|软件|系统|网站|平台)")
_PREPOSITION_NEXT = re.compile(r"\s*(?:$|[.,;:?!]|(?:with|of|for|from|in|on|and|or|to|de|du|des)(?!\w))")


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the task.

    Attributes:
        start: Position in the instruction of the phrase that was matched.
        end: Position after it; it may reach over the object (a separable verb, a 把 construction).
        task_class: The class it speaks for.
        weak: It only leads to what follows (open, go to, find) and decides only where nothing stronger stands.
        saving: It asks for saving or confirming what was done before.
        clause: Number of the clause it stands in.
        question: It was read from a question mark alone.
    """

    start: int
    end: int
    task_class: TaskClass
    weak: bool
    saving: bool
    clause: int
    question: bool = False


@dataclass(frozen=True, slots=True)
class _Text:
    raw: str
    folded: str
    masked: str
    language: Language


@cache
def task_lexicon() -> Lexicon:
    """Return the data of the frozen rule.

    Raises:
        LexiconError: The data file is badly written.
    """
    place = files("tracewitness.task_side").joinpath("data", "task_class.tsv")
    return load_text(place.read_text(encoding="utf-8"), "task_side/data/task_class.tsv")


def verb_language(instruction: str, detected: Language) -> Language:
    """Return the language to read the verbs in: the detected one, or another that alone has a verb at a clause head.

    Short requests have too few function words to tell close languages apart; their verb does.
    """
    if detected in SUBSTRING_LANGUAGES or find_verbs(instruction, detected, anywhere=False):
        return detected
    for language in _FALLBACK_ORDER:
        if find_verbs(instruction, language, anywhere=False):
            return language
    return detected


def find_verbs(instruction: str, language: Language, *, anywhere: bool = True) -> tuple[Verb, ...]:
    """Return the deciding verbs of an instruction in order.

    With ``anywhere``, an alphabetic instruction without a verb at a clause head is searched at all word starts
    (infinitives at the end of a German sentence, long narratives).
    """
    verbs = _verbs_at_heads(instruction, language)
    if verbs or not anywhere or language in SUBSTRING_LANGUAGES:
        return verbs
    return _verbs_anywhere(instruction, language)


@lru_cache(maxsize=512)
def _verbs_at_heads(instruction: str, language: Language) -> tuple[Verb, ...]:
    return tuple(_verbs_in(_text(instruction, language), split(instruction, language)))


@lru_cache(maxsize=512)
def _verbs_anywhere(instruction: str, language: Language) -> tuple[Verb, ...]:
    return tuple(_loose_verbs(_text(instruction, language), split(instruction, language)))


def _text(instruction: str, language: Language) -> _Text:
    return _Text(instruction, comparable(instruction), comparable(mask_quotes(instruction)), language)


def _verbs_in(text: _Text, clauses: list[Clause]) -> Iterator[Verb]:
    taken_until = -1
    sentence_ends = {clause.sentence: clause.end for clause in clauses}
    for number, clause in enumerate(clauses):
        limit = min(sentence_ends[clause.sentence], clause.end + _REACH)
        for verb in _verbs_of_clause(text, clause, number, limit):
            if verb.start >= taken_until or verb.question:
                yield verb
                # A separable verb or 把 construction covers its object; a plain one only itself.
                taken_until = max(taken_until, min(verb.end, clause.end) if verb.question else verb.end)


def _verbs_of_clause(text: _Text, clause: Clause, number: int, limit: int) -> Iterator[Verb]:
    if text.language in _FINAL_VERB:
        found = _last_verb(text, clause, number)
    elif text.language is Language.ZH:
        found = _chinese_verbs(text, clause, number, limit)
    else:
        found = _head_verbs(text, clause, number, limit)
    verbs = list(found)
    if not verbs and _has_courtesy(text, clause, limit):
        # "Könntest du den Termin ... verschieben?": a request whose infinitive stands at the end.
        verbs = list(_loose_verbs(text, [clause], number))
    question = "?" in clause.mark and not _REQUEST_AS_QUESTION.search(clause.text)
    if question and (text.language in _FINAL_VERB or not verbs):
        verbs = [
            Verb(clause.start, clause.end, TaskClass.QUERY, weak=False, saving=False, clause=number, question=True)
        ]
    yield from verbs


def _has_courtesy(text: _Text, clause: Clause, limit: int) -> bool:
    return (
        text.language not in SUBSTRING_LANGUAGES
        and clause.start < _after_prefixes(text, clause.start, limit) < clause.end
    )


def _head_verbs(text: _Text, clause: Clause, number: int, limit: int) -> Iterator[Verb]:
    lexicon = task_lexicon()
    starts = [clause.start]
    separators = lexicon.pattern(text.language, "separator")
    if separators:
        starts += [m.end() + 1 for m in separators.finditer(text.masked, clause.start, clause.end)]
    starts += [m.end() for m in _COMMA.finditer(text.masked, clause.start, clause.end)]
    done = -1
    for start in sorted(set(starts)):
        head = _after_prefixes(text, start, limit)
        if start < done or head >= clause.end:
            continue
        verb = _verb_at(text, head, limit, number)
        if verb is not None and not _is_noun_in_contents(text, clause, verb):
            yield verb
            done = verb.end if verb.end <= clause.end else clause.end


def _is_noun_in_contents(text: _Text, clause: Clause, verb: Verb) -> bool:
    """Return whether the match is no verb: "with name X and email Y" asks for nothing to be e-mailed."""
    lexicon = task_lexicon()
    before = text.masked[clause.start : verb.start]
    adjectives = lexicon.pattern(text.language, "adjective_alike")
    if adjectives and before.rstrip().endswith(",") and adjectives.match(text.masked, verb.start):
        return True
    nouns = lexicon.pattern(text.language, "noun_alike")
    noun = nouns.match(text.masked, verb.start) if nouns and before.strip() else None
    if noun is None:
        return False
    contents = re.search(r"(?<!\w)(?:with|avec)(?!\w)", before) is not None
    return contents or _PREPOSITION_NEXT.match(text.masked, noun.end()) is not None


def _after_prefixes(text: _Text, start: int, limit: int) -> int:
    """Return the position after courtesy and locative prefixes."""
    lexicon = task_lexicon()
    position = start
    for _ in range(_MOST_PREFIXES):
        while position < limit and text.masked[position] in " \t\"'(":
            position += 1
        ends = [
            found.end()
            for category in ("polite", "locative")
            if (pattern := lexicon.pattern(text.language, category))
            and (found := pattern.match(text.masked, position, limit))
        ]
        if not ends or max(ends) == position:
            break
        position = max(ends)
    return position


@cache
def _candidates(language: Language) -> tuple[tuple[re.Pattern[str], TaskClass, bool], ...]:
    lexicon = task_lexicon()
    found: list[tuple[re.Pattern[str], TaskClass, bool]] = []
    # Weak first: where one phrase is listed as both, it only leads to what follows.
    for weak in (True, False):
        for task_class in _CLASS_ORDER:
            pattern = lexicon.pattern(language, f"{'weak' if weak else 'verb'}.{task_class.value}")
            if pattern is not None:
                found.append((pattern, task_class, weak))
    return tuple(found)


def _verb_at(text: _Text, position: int, limit: int, clause: int) -> Verb | None:
    best: Verb | None = None
    for pattern, task_class, weak in _candidates(text.language):
        found = pattern.match(text.masked, position, limit)
        if found and found.end() > position and (best is None or found.end() > best.end):
            best = _verb(text, found, task_class, weak, clause)
    return best


def _verb(text: _Text, found: re.Match[str], task_class: TaskClass, weak: bool, clause: int) -> Verb:
    saving = task_lexicon().pattern(text.language, "saving")
    is_saving = saving is not None and saving.match(text.masked, found.start()) is not None
    return Verb(found.start(), found.end(), task_class, weak, is_saving, clause)


def _all_verbs(text: _Text, searched: str, start: int, limit: int, clause: int) -> Iterator[Verb]:
    for pattern, task_class, weak in _candidates(text.language):
        for found in pattern.finditer(searched, start, limit):
            if found.end() > found.start() and text.masked[found.start()] != MASK:
                yield _verb(text, found, task_class, weak, clause)


def _chinese_verbs(text: _Text, clause: Clause, number: int, limit: int) -> Iterator[Verb]:
    start = _after_prefixes(text, clause.start, clause.end)
    found = [v for v in _all_verbs(text, text.masked, start, limit, number) if v.start < clause.end]
    # Names of switches often stand in quotes (打开“自动备份”), so these patterns also see what is quoted.
    found += [
        verb
        for verb in _all_verbs(text, text.folded, start, limit, number)
        if verb.task_class is TaskClass.CONFIGURE and verb.start < clause.end
    ]
    yield from _first(text.masked, found)


def _first(text: str, verbs: Iterable[Verb]) -> Iterator[Verb]:
    ranked = sorted(verbs, key=lambda v: (v.start, -v.end, not v.weak, v.task_class is not TaskClass.CONFIGURE))
    strong = _strong(ranked)
    if ranked:
        first = ranked[0]
        yield first
        if first.weak:
            yield from [v for v in strong if v.start >= first.end and not _PLACE_NEXT.match(text, v.end)][:1]


def _strong(verbs: list[Verb]) -> list[Verb]:
    """Return the strong verbs, without those whose phrase is also listed as a mere lead."""
    weak = {(v.start, v.task_class) for v in verbs if v.weak}
    return [v for v in verbs if not v.weak and (v.start, v.task_class) not in weak]


def _last_verb(text: _Text, clause: Clause, number: int) -> Iterator[Verb]:
    found = list(_all_verbs(text, text.masked, clause.start, clause.end, number))
    found += [
        v
        for v in _all_verbs(text, text.folded, clause.start, clause.end, number)
        if v.task_class is TaskClass.CONFIGURE and text.masked[v.end - 1] != MASK
    ]
    if found:
        # The last verb decides even where it only leads on: nouns before it (설정 페이지를 열어) look like verbs.
        yield max(found, key=lambda v: (v.end, v.end - v.start, v.weak))


def _loose_verbs(text: _Text, clauses: list[Clause], first_number: int = 0) -> Iterator[Verb]:
    for number, clause in enumerate(clauses, start=first_number):
        found = sorted(
            _all_verbs(text, text.masked, clause.start, clause.end, number), key=lambda v: (v.start, -v.end, v.weak)
        )
        strong = [v for v in found if not v.weak and v.task_class is not TaskClass.QUERY]
        yield from (strong or found)[:1]
