"""The verbs that carry a task: where each stands, which class it speaks for, and how far it decides.

In alphabetic languages a verb counts at the head of a clause (after courtesy and a locative prefix) or after a word
that begins a new verb phrase; nouns that look like verbs ("the draft order") therefore do not. Chinese verbs count from
the left, with the 把 construction as one pattern; Japanese and Korean ones from the right, where the sentence has its
verb.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.clauses import Clause, split
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.language.quotes import MASK
from tracewitness.task_side.speech import SpokenText, Verb, spoken, task_lexicon
from tracewitness.task_side.wishes import (
    find_complaint,
    find_wish,
    gives_reason,
    is_forbidden,
    sets_something,
    tells_of_mishap,
)

_FINAL_VERB = frozenset({Language.JA, Language.KO})
_REQUEST_AS_QUESTION = re.compile("くれ|もらえ|いただけ|頂け|くださ|줄래|주실|주시|줄 수|할 수 있|吗$|能不能|可以")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
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
# So alike that short requests are told apart by their verbs.
_CLOSE = {Language.ES: Language.PT, Language.PT: Language.ES}
_ATTRIBUTIVE = re.compile("的(?!话)")
_DECISIVE = re.compile("[ãõçñ¿¡]")
_MOST_PREFIXES = 6
# A separable verb or 把 construction reaches so far past the clause that it begins in.
_REACH = 200
# Where two classes match the same words, the setting wins over the edit (把语言改为 is both).
_CLASS_ORDER = (TaskClass.CONFIGURE, *(c for c in TaskClass if c is not TaskClass.CONFIGURE))
_PLACE_NEXT = re.compile("的?(?:页面?|界面|网页|列表|记录|菜单|中心|选项卡|标签|窗口|应用|软件|系统|网站|平台)")
_LABEL_NEXT = re.compile(r"\s*:|\s+(?:is|ist|est|es|é)(?!\w)")
_VALUE_NEXT = re.compile(r"\s+(?:\S+@|[+(]?\d[\d ()-]{4,})")
_PREPOSITION_NEXT = re.compile(r"\s*(?:$|[.,;:?!]|(?:with|of|for|from|in|on|and|or|to|de|du|des)(?!\w))")


def verb_language(instruction: str, detected: Language) -> Language:
    """Return the language to read the verbs in: the detected one, or another that alone has a verb at a clause head.

    Short requests have too few function words to tell close languages apart; their verb does.
    """
    own = _verbs_at_heads(instruction, detected)
    orders = sum(not verb.question for verb in own)
    if detected in SUBSTRING_LANGUAGES or orders:
        close = None if _DECISIVE.search(comparable(instruction)) else _CLOSE.get(detected)
        return close if close and _orders(instruction, close) > _orders(instruction, detected) else detected
    asked = False
    for language in _FALLBACK_ORDER:
        verbs = _verbs_at_heads(instruction, language) if _may_be(instruction, language) else ()
        # A question mark stands in any language.
        if any(not verb.question for verb in verbs):
            return language
        asked = asked or bool(verbs)
    return Language.EN if asked and detected is Language.OTHER else detected


def _orders(instruction: str, language: Language) -> int:
    return sum(not (verb.question or verb.wish) for verb in _verbs_at_heads(instruction, language))


def _may_be(instruction: str, language: Language) -> bool:
    """Return whether a text holds letters that the language is written in."""
    return language not in SUBSTRING_LANGUAGES or _WIDE.search(instruction) is not None


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
    return tuple(_verbs_in(spoken(instruction, language), split(instruction, language)))


@lru_cache(maxsize=512)
def _verbs_anywhere(instruction: str, language: Language) -> tuple[Verb, ...]:
    return tuple(_loose_verbs(spoken(instruction, language), split(instruction, language)))


def _verbs_in(text: SpokenText, clauses: list[Clause]) -> Iterator[Verb]:
    found = list(_taken_in_turn(text, clauses))
    for place, verb in enumerate(found):
        sentence = clauses[verb.clause].sentence
        others = [v for v in found[place + 1 :] if clauses[v.clause].sentence == sentence and not v.weak]
        if not others or not (verb.reason or gives_reason(text, verb, clauses, others)):
            yield verb


def _taken_in_turn(text: SpokenText, clauses: list[Clause]) -> Iterator[Verb]:
    taken_until = -1
    sentence_ends = {clause.sentence: clause.end for clause in clauses}
    courteous = -1
    for number, clause in enumerate(clauses):
        limit = min(sentence_ends[clause.sentence], clause.end + _REACH)
        asked = courteous == clause.sentence or _has_courtesy(text, clause, limit)
        verbs = list(_verbs_of_clause(text, clause, number, limit, asked))
        # "Könnten Sie den Termin Start, Teil 2 löschen?": the courtesy lasts until what is asked for is said.
        courteous = clause.sentence if asked and not verbs else -1
        for verb in verbs:
            if verb.start >= taken_until or verb.question:
                yield verb
                # A separable verb or 把 construction covers its object; a plain one only itself.
                taken_until = max(taken_until, min(verb.end, clause.end) if verb.question else verb.end)


def _verbs_of_clause(text: SpokenText, clause: Clause, number: int, limit: int, courteous: bool) -> Iterator[Verb]:
    if tells_of_mishap(text, clause):
        return
    if text.language in _FINAL_VERB:
        found = _last_verb(text, clause, number)
    elif text.language is Language.ZH:
        found = _chinese_verbs(text, clause, number, limit)
    else:
        found = _head_verbs(text, clause, number, limit)
    verbs = [verb for verb in found if not is_forbidden(text, verb, clause, limit)]
    question = "?" in clause.mark and not _REQUEST_AS_QUESTION.search(clause.text)
    if all(verb.weak or _assures(text, verb) for verb in verbs) and (courteous or not question):
        verbs = _with_wish(verbs, _unordered(text, clause, number, limit, verbs, courteous))
    elif text.language in SUBSTRING_LANGUAGES:
        verbs = _with_complaint(text, clause, number, verbs)
    if question and (text.language in _FINAL_VERB or not (verbs or courteous)):
        verbs = [
            Verb(clause.start, clause.end, TaskClass.QUERY, weak=False, saving=False, clause=number, question=True)
        ]
    for verb in verbs:
        setting = verb.task_class is TaskClass.CREATE_EDIT and not verb.wish and sets_something(text, verb, clause)
        yield replace(verb, task_class=TaskClass.CONFIGURE) if setting else verb


def _with_wish(verbs: list[Verb], wished: list[Verb]) -> list[Verb]:
    """Return the verbs with a wish; what stands inside or behind its words led to it or only called for it."""
    start = min((verb.start for verb in wished), default=None)
    return verbs if start is None else [verb for verb in verbs if verb.start < start] + wished


def _with_complaint(text: SpokenText, clause: Clause, number: int, verbs: list[Verb]) -> list[Verb]:
    """Return only the complaint of a clause ("注文は気が変わったので"): what stands before it is what it is about."""
    complaint = find_complaint(text, clause, number)
    ends = [verb.end for verb in verbs]
    return [complaint] if complaint is not None and max(ends) <= complaint.end else verbs


def _assures(text: SpokenText, verb: Verb) -> bool:
    pattern = task_lexicon().pattern(text.language, "assurance")
    return pattern is not None and pattern.match(text.masked, verb.start) is not None


def _unordered(
    text: SpokenText, clause: Clause, number: int, limit: int, verbs: list[Verb], courteous: bool
) -> list[Verb]:
    """Return the request of a clause without an order at its head: a wish, or an infinitive at its end.

    "Könntest du den Termin ... verschieben?" is courteous and ends on what is asked for.
    """
    told = find_wish(text, clause, number, limit, told=True)
    if told is not None:
        return [told]
    head = _after_prefixes(text, clause.start, limit)
    found = _loose_verbs(text, [clause], number, head) if courteous and not verbs else ()
    loose = list(found)
    if any(not verb.weak and verb.task_class is not TaskClass.QUERY for verb in loose):
        return loose
    # A verb that leads on ("look for the mail") leaves nothing to wish for.
    leads = any(verb.weak and not _assures(text, verb) for verb in verbs)
    wish = None if leads else find_wish(text, clause, number, limit, told=False)
    return loose if wish is None else [wish]


def _has_courtesy(text: SpokenText, clause: Clause, limit: int) -> bool:
    end = _after_prefixes(text, clause.start, limit)
    if text.language in SUBSTRING_LANGUAGES or not clause.start < end < clause.end:
        return False
    # "and ..." alone is no courtesy.
    separators = task_lexicon().pattern(text.language, "separator")
    passed = text.masked[clause.start : end]
    return bool((separators.sub("", passed) if separators else passed).strip(" ,"))


def _head_verbs(text: SpokenText, clause: Clause, number: int, limit: int) -> Iterator[Verb]:
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
        if verb is not None and head > start and _is_conjunction(text, verb):
            continue
        if verb is not None and not _is_noun_in_contents(text, clause, verb):
            yield verb
            done = verb.end if verb.end <= clause.end else clause.end


def _is_conjunction(text: SpokenText, verb: Verb) -> bool:
    """Return whether the word after a courtesy only joins ("je voudrais que ..." asks no question)."""
    pattern = task_lexicon().pattern(text.language, "conjunction")
    return pattern is not None and pattern.match(text.masked, verb.start) is not None


def _is_noun_in_contents(text: SpokenText, clause: Clause, verb: Verb) -> bool:
    """Return whether the match is no verb: "with name X and email Y" asks for nothing to be e-mailed."""
    lexicon = task_lexicon()
    before = text.masked[clause.start : verb.start]
    adjectives = lexicon.pattern(text.language, "adjective_alike")
    if adjectives and before.rstrip().endswith(",") and adjectives.match(text.masked, verb.start):
        return True
    nouns = lexicon.pattern(text.language, "noun_alike")
    noun = nouns.match(text.masked, verb.start) if nouns else None
    if noun is not None and _LABEL_NEXT.match(text.masked, noun.end()):
        return True
    prior = text.masked[: verb.start].rstrip()
    if noun is None or not (before.strip() or prior.endswith((",", ":"))):
        return False
    listed = prior.endswith((",", ":")) or (nouns is not None and nouns.search(before) is not None)
    if listed and _VALUE_NEXT.match(text.masked, noun.end()):
        # "phone 555-0115, email nora@..." lists what belongs to something.
        return True
    contents = re.search(r"(?<!\w)(?:with|avec)(?!\w)", before) is not None
    return contents or _PREPOSITION_NEXT.match(text.masked, noun.end()) is not None


def _after_prefixes(text: SpokenText, start: int, limit: int) -> int:
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


def _verb_at(text: SpokenText, position: int, limit: int, clause: int) -> Verb | None:
    best: Verb | None = None
    for pattern, task_class, weak in _candidates(text.language):
        found = pattern.match(text.masked, position, limit)
        if found and found.end() > position and (best is None or found.end() > best.end):
            best = _verb(text, found, task_class, weak, clause)
    return best


def _verb(text: SpokenText, found: re.Match[str], task_class: TaskClass, weak: bool, clause: int) -> Verb:
    saving = task_lexicon().pattern(text.language, "saving")
    is_saving = saving is not None and saving.match(text.masked, found.start()) is not None
    is_saving = is_saving and not _makes_new(text, found)
    return Verb(found.start(), found.end(), task_class, weak, is_saving, clause)


def _makes_new(text: SpokenText, found: re.Match[str]) -> bool:
    """Return whether something new is saved ("save X as a new contact"): that is no saving of what was done before."""
    new = task_lexicon().pattern(text.language, "new_thing")
    ends = (".", "。", "!", "?", "？", "\n")
    if text.language in _FINAL_VERB:
        start = max(text.masked.rfind(end, 0, found.start()) for end in ends) + 1
        return new is not None and new.search(text.masked, start, found.start()) is not None
    stops = [at for end in ends if (at := text.masked.find(end, found.end())) >= 0]
    return new is not None and new.search(text.masked, found.end(), min(stops, default=len(text.masked))) is not None


def _all_verbs(text: SpokenText, searched: str, start: int, limit: int, clause: int) -> Iterator[Verb]:
    for pattern, task_class, weak in _candidates(text.language):
        for found in pattern.finditer(searched, start, limit):
            if found.end() > found.start() and text.masked[found.start()] != MASK:
                yield _verb(text, found, task_class, weak, clause)


def _chinese_verbs(text: SpokenText, clause: Clause, number: int, limit: int) -> Iterator[Verb]:
    start = _after_prefixes(text, clause.start, clause.end)
    end = _before_courtesy(text, clause) if start > clause.start else clause.end
    found = [v for v in _all_verbs(text, text.masked, start, limit, number) if v.start < end]
    # Names of switches often stand in quotes (打开“自动备份”), so these patterns also see what is quoted.
    found += [
        verb
        for verb in _all_verbs(text, text.folded, start, limit, number)
        if verb.task_class is TaskClass.CONFIGURE and verb.start < end
    ]
    # "订购的商品" speaks of what was ordered and orders nothing.
    found = [verb for verb in found if not _ATTRIBUTIVE.match(text.masked, verb.end)]
    found = [verb for verb in found if not is_forbidden(text, verb, clause, limit)]
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


def _last_verb(text: SpokenText, clause: Clause, number: int) -> Iterator[Verb]:
    end = _before_courtesy(text, clause)
    found = list(_all_verbs(text, text.masked, clause.start, end, number))
    found += [
        v
        for v in _all_verbs(text, text.folded, clause.start, end, number)
        if v.task_class is TaskClass.CONFIGURE and text.masked[v.end - 1] != MASK
    ]
    found = [v for v in found if not is_forbidden(text, v, clause, clause.end)]
    if found:
        # The last verb decides even where it only leads on: nouns before it (설정 페이지를 열어) look like verbs.
        yield max(found, key=lambda v: (v.end, v.end - v.start, v.weak))


def _is_half_of_a_word(text: SpokenText, verb: Verb) -> bool:
    return "-" in text.masked[max(0, verb.start - 1) : verb.start] + text.masked[verb.end : verb.end + 1]


def _before_courtesy(text: SpokenText, clause: Clause) -> int:
    """Return where the courtesy begins that ends a request ("…していただけますか"): its words carry no task."""
    pattern = task_lexicon().pattern(text.language, "courtesy_end")
    found = pattern.search(text.masked, clause.start, clause.end) if pattern else None
    return clause.end if found is None else found.start()


def _loose_verbs(
    text: SpokenText, clauses: list[Clause], first_number: int = 0, first_start: int = 0
) -> Iterator[Verb]:
    for number, clause in enumerate(clauses, start=first_number):
        loose = _all_verbs(text, text.masked, max(clause.start, first_start), clause.end, number)
        found = sorted(
            (v for v in loose if not (_is_half_of_a_word(text, v) or _is_conjunction(text, v))),
            key=lambda v: (v.start, -v.end, v.weak),
        )
        strong = [v for v in found if not v.weak and v.task_class is not TaskClass.QUERY]
        yield from (strong or found)[:1]
