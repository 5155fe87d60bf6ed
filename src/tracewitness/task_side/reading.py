"""Reading a task: its class, its parts and what each part asks for."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.findings.records import TaskFinding
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.language.quantities import FoundValue, read_values
from tracewitness.language.quotes import MASK, mask_quotes
from tracewitness.language.words import content_words
from tracewitness.task_side.class_rule import class_of_verbs, rule_digest, task_language
from tracewitness.task_side.goal import Goal, Superlative, Wanted
from tracewitness.task_side.goal_lexicon import goal_lexicon
from tracewitness.task_side.mentions import Mention, Role, find_mentions
from tracewitness.task_side.parts import Part, split_task
from tracewitness.task_side.speech import Verb, task_lexicon
from tracewitness.task_side.task import Task
from tracewitness.task_side.verbs import find_verbs
from tracewitness.values.answers import DateValue, MoneyValue, NumberValue, TimeValue
from tracewitness.values.folding import fold

_QUESTION = " ?？!！。.吗"
_SUPERLATIVES = tuple(Superlative[name] for name in ("COUNT", "SUM", "LOWEST", "HIGHEST", "FIRST", "LAST"))
_LONGEST_OBJECT = 5
_GENITIVES = frozenset({"of", "de", "del", "do", "da", "du", "des"})
_PLACES = ("container", "origin", "goal_to")
_PHRASE_ENDS = (*_PLACES, "with_preposition")
_CHINESE_SWITCHING = re.compile("^(?:打开|开启|关闭|关掉|关上|启用|停用|禁用|取消|设置|把|将)")
_AFTER_COLON = re.compile(r"[:：]\s*([^\n]+)$")
_COUNTED_KO = "(?: (?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|\\d+) ?(?:개|건|명|통|장|권|대|병|곳|편|박스|상자))?"
_OBJECT_BEFORE = {
    Language.JA: re.compile(r"([^\s、。をがはにでへ]{1,20}?)を[^を]*$"),
    Language.KO: re.compile(rf"((?:[^\s,.]+(?<!에서)(?<!에)(?<!로) )?[^\s,.]+?){_COUNTED_KO}(?:을|를) [^을를]*$"),
    Language.ZH: re.compile(
        r"(?:把|将)([^，。]{1,20}?)(?:都|全部)?(?:打开|关闭|关掉|删除|删掉|清空|改|设|调|标记|取消|移|开启|发|导出|加)"
    ),
}
_BARE_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,:/+$€£¥-])\d{3,}(?![A-Za-z0-9_]|[.,:/-]\d|[年月日円元点個件]|원|개|명)")
# A number that names what a question is about, and is no year.
_LONG_NUMBER = 5
_ON_OFF_WORDS = re.compile(
    r"(?<!\w)(?:on|off|ein|aus|an|ab|um|is|are|ist|sind|está|esté|est|soit|that|dass|sure|sicher|up|down)(?!\w)"
)
_COURTESY = frozenset({"please", "kindly", "bitte", "por favor", "s'il vous plaît", "s'il te plaît", "merci"})


@dataclass(frozen=True, slots=True)
class TaskReading:
    """What the task side knows of a task: the finding that crosses, and the goals for the trace side, one a part."""

    finding: TaskFinding
    goals: tuple[Goal, ...]


@lru_cache(maxsize=4096)
def read_task(task: Task) -> TaskReading:
    """Return the reading of a task. It has at least one goal; ``finding.parts`` is the number of goals.

    Of a very long instruction only ``task.read_part`` is read; ``task.is_cut`` says so.
    """
    instruction = task.read_part
    language = task_language(Task(instruction))
    by_rule = class_of_verbs(find_verbs(instruction, language))
    task_class = task.given_class or by_rule
    parts = split_task(instruction, language) or (Part(instruction, 0, len(instruction)),)
    if task_class is TaskClass.QUERY:
        parts = (Part(instruction, 0, len(instruction), any(p.saving for p in parts), parts[0].verb),)
    goals: list[Goal] = []
    for part in parts:
        goal = _goal(part, task_class if len(parts) == 1 else None, task.app, language)
        # "... and turn it on" speaks of the object of the part before.
        goals.append(goal if goal.targets or not goals else replace(goal, targets=goals[-1].targets))
    finding = TaskFinding(task_class, rule_digest(), task.given_class is not None, len(goals), language)
    return TaskReading(finding, tuple(goals))


def _goal(part: Part, task_class: TaskClass | None, app: str | None, language: Language) -> Goal:
    own_class = task_class or (part.verb.task_class if part.verb else TaskClass.OTHER)
    verb_start = part.verb.start - part.start if part.verb else 0
    contents = _contents(part.text, own_class, language)
    mentions = [
        m
        for m in find_mentions(part.text, language, verb_start)
        if fold(m.text) not in _COURTESY
        and not (app and fold(m.text) == fold(app))
        and not (contents and m.start >= contents.start(1))
    ]
    wanted = _wanted(part, own_class, mentions, language)
    found = read_values(part.text, language)
    targets, values = _sorted_out(part, wanted, mentions, found, language)
    if contents:
        values = (*values, contents.group(1).strip())
    saves = task_lexicon().find(language, "saving", mask_quotes(part.text))
    saving = part.saving or any(match.start > verb_start for match in saves)
    return Goal(
        text=part.text,
        wanted=wanted,
        targets=targets,
        values=values,
        typed_values=tuple(
            v.value for v in found if isinstance(v.value, NumberValue | MoneyValue | DateValue | TimeValue)
        ),
        every=_speaks_of_all(part.text, language),
        superlative=_superlative(part.text, language),
        keywords=content_words(part.text, language),
        needs_saving=saving,
    )


def _speaks_of_all(text: str, language: Language) -> bool:
    """Return whether a part speaks of all, every or both; "every Monday" says when and not what."""
    masked = mask_quotes(text)
    found = goal_lexicon().find(language, "every", masked)
    days = goal_lexicon().pattern(language, "weekday")
    folded = comparable(masked)
    return any(days is None or days.match(folded, m.end + 1) is None for m in found)


def _contents(text: str, task_class: TaskClass, language: Language) -> re.Match[str] | None:
    """Return the unquoted words after a colon that are to be sent or written ("with the text: ...")."""
    if task_class not in (TaskClass.SEND, TaskClass.CREATE_EDIT, TaskClass.CONFIGURE):
        return None
    found = _AFTER_COLON.search(mask_quotes(text))
    if found is None or MASK in found.group(1):
        return None
    before = text[: found.start()].split()
    announced = bool(before) and goal_lexicon().has(language, "with", before[-1])
    return _AFTER_COLON.search(text) if announced or task_class is TaskClass.SEND else None


_OBJECT_ROLES = (Role.OBJECT, Role.LABELLED, Role.NAME)
_PLACE_ROLES = (Role.CONTAINER, Role.ORIGIN)
_BY_CLASS = {
    TaskClass.DELETE: Wanted.ABSENT,
    TaskClass.SEND: Wanted.SENT,
    TaskClass.QUERY: Wanted.ANSWER,
    TaskClass.OTHER: Wanted.OTHER,
}


def _wanted(part: Part, task_class: TaskClass, mentions: list[Mention], language: Language) -> Wanted:
    if task_class in _BY_CLASS:
        return _BY_CLASS[task_class]
    lexicon, masked, verb, start = goal_lexicon(), mask_quotes(part.text), part.verb, part.start
    changes = lexicon.has(language, "change", masked)
    if task_class is TaskClass.CREATE_EDIT:
        makes = lexicon.has(language, "makes_one", masked)
        return Wanted.VALUE if changes and not makes else Wanted.PRESENT
    switched = _switched(masked if verb is None or not verb.wish else _without_wish(masked, verb, start), language)
    if switched is not None:
        return switched
    sets = any(m.role in (Role.GOAL, Role.VALUE) for m in mentions)
    return Wanted.VALUE if changes or sets or _SHARE.search(masked) else Wanted.OTHER


def _without_wish(masked: str, verb: Verb, start: int) -> str:
    """Return a part without the words of its wish: "I'd like X to be off" speaks of no like."""
    return masked[: max(0, verb.start - start)] + " " * 4 + masked[verb.end - start :]


_SHARE = re.compile(r"\d ?(?:%|％)")
_VERB_LAST = (Language.JA, Language.KO)


def _switched(masked: str, language: Language) -> Wanted | None:
    """Return ON or OFF by the word of the verb: the first one, or the last one in languages that end on the verb.

    "Turn on fingerprint unlock" speaks of a switch that is named "unlock".
    """
    lexicon = goal_lexicon()
    places = [(m.start, m.end, Wanted.OFF) for m in lexicon.find(language, "off", masked)]
    places += [(m.start, m.end, Wanted.ON) for m in lexicon.find(language, "on", masked)]
    if not places:
        return None
    if language in _VERB_LAST:
        return max(places, key=lambda place: (place[1], place[2] is Wanted.OFF))[2]
    return min(places, key=lambda place: (place[0], place[2] is Wanted.ON))[2]


def _superlative(text: str, language: Language) -> Superlative | None:
    masked = mask_quotes(text)
    lexicon = goal_lexicon()
    return next((s for s in _SUPERLATIVES if lexicon.has(language, f"superlative.{s.value}", masked)), None)


def _sorted_out(
    part: Part, wanted: Wanted, mentions: list[Mention], found: list[FoundValue], language: Language
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return targets and values, each without repetition."""
    value_mentions = [m for m in mentions if _is_value(part, m, wanted, mentions)]
    new_value = _new_value(part.text, wanted, value_mentions, language)
    if new_value is not None:
        inside = range(*new_value)
        mentions = [m for m in mentions if m.start not in inside]
        value_mentions = [m for m in value_mentions if m in mentions]
        found = [v for v in found if v.start not in inside and _is_dated(v)]
    names = [m for m in mentions if m not in value_mentions]
    targets = _targets(names, wanted, any(m.is_contact for m in mentions))
    if wanted is Wanted.SENT and targets:
        targets += _numbered(part, wanted)
    if wanted is not Wanted.VALUE or new_value is not None:
        targets = targets or _numbered(part, wanted)
    targets = targets or _object_phrase(part, wanted, language)
    targets = targets or _last_resort(names, wanted)
    values = [m.text for m in value_mentions] + _marks(part.text, wanted, language)
    values += _typed_texts(part.text, wanted, found, mentions)
    if new_value is not None:
        values.append(part.text[slice(*new_value)].strip())
    return tuple(dict.fromkeys(map(_unbracketed, targets))), tuple(dict.fromkeys(map(_unbracketed, values)))


def _unbracketed(name: str) -> str:
    """Return a name without the half of a pair of brackets: the "users (qa1, qa2)" are qa1 and qa2."""
    for opening, closing in ("()", "（）", "[]"):
        if opening in name and closing not in name:
            name = name.rpartition(opening)[2]
        elif closing in name and opening not in name:
            name = name.partition(closing)[0]
    return name.strip()


def _numbered(part: Part, wanted: Wanted) -> list[str]:
    """Return a bare number of four or more digits, which names an object better than its noun (order 2209)."""
    if wanted is Wanted.PRESENT:
        return []
    found = _BARE_NUMBER.findall(mask_quotes(part.text))
    return [n for n in found if len(n) >= _LONG_NUMBER] if wanted is Wanted.ANSWER else found


def _marks(text: str, wanted: Wanted, language: Language) -> list[str]:
    return _loose(text, "mark_value", language) if wanted in (Wanted.ON, Wanted.OFF, Wanted.VALUE) else []


def _new_value(text: str, wanted: Wanted, value_mentions: list[Mention], language: Language) -> tuple[int, int] | None:
    """Return where an unquoted new value stands ("... to 7 Tanner Row"); None where a quoted one says it."""
    if wanted is not Wanted.VALUE or any(m.quoted for m in value_mentions):
        return None
    span = _loose_span(text, "new_value", language)
    if span is None:
        return None
    words = text[slice(*span)].rstrip(_QUESTION)
    last = words.split()[-1] if words.split() else ""
    no_value = not words or goal_lexicon().has(language, "pronoun", last) and len(words.split()) <= 2
    return None if no_value else (span[0], span[0] + len(words))


def _is_dated(found: FoundValue) -> bool:
    return isinstance(found.value, DateValue | TimeValue)


def _loose(text: str, category: str, language: Language) -> list[str]:
    span = _loose_span(text, category, language)
    return [] if span is None else [text[slice(*span)].strip()]


def _loose_span(text: str, category: str, language: Language) -> tuple[int, int] | None:
    """Return where the unquoted words stand that a pattern of the lexicon points to."""
    pattern = goal_lexicon().pattern(language, category)
    found = pattern.search(comparable(mask_quotes(text))) if pattern else None
    if found is None or MASK in found.group("v"):
        return None
    return found.span("v")


def _is_value(part: Part, mention: Mention, wanted: Wanted, mentions: list[Mention]) -> bool:
    if wanted in (Wanted.ANSWER, Wanted.ABSENT, Wanted.OTHER):
        return False
    if mention.role is Role.VALUE or (wanted is Wanted.VALUE and _is_wished_for(part, mention)):
        return True
    if wanted is Wanted.VALUE and any(m.role is Role.VALUE for m in mentions):
        # "Attribue à X le rôle Y": the receiver is what the value is given to.
        return False
    if mention.role is Role.NAME:
        return wanted is not Wanted.PRESENT and (wanted is Wanted.SENT or any(m.role is Role.OBJECT for m in mentions))
    if mention.role is Role.CONTENTS:
        only_name = wanted is Wanted.PRESENT and not any(m.role in _OBJECT_ROLES for m in mentions)
        return not (only_name and mention is next((m for m in mentions if m.role is Role.CONTENTS), None))
    if mention.is_contact and wanted in (Wanted.VALUE, Wanted.PRESENT):
        return any(not m.is_contact for m in mentions)
    if wanted is Wanted.VALUE:
        others = [m for m in mentions if m is not mention and m.role not in _PLACE_ROLES]
        return mention.role is Role.GOAL and bool(others or mention is mentions[-1])
    if wanted is Wanted.SENT:
        directly = part.verb is not None and not part.text[part.verb.end - part.start : mention.start].strip(" :：")
        return mention.quoted and (mention.role is Role.LABELLED or (mention.role is Role.OBJECT and directly))
    return wanted in (Wanted.ON, Wanted.OFF) and mention.role is Role.GOAL and len(mentions) > 1


def _is_wished_for(part: Part, mention: Mention) -> bool:
    """Return whether a name stands after a wish that has its subject ("the time zone should be X")."""
    if part.verb is None or not part.verb.wish or mention.start < part.verb.end - part.start:
        return False
    before = part.text[: max(0, part.verb.start - part.start)]
    subject = re.split(r"[,.;:]\s", before)[-1].split()
    return len(subject) > 1 and mention.role not in (*_PLACE_ROLES, Role.NAME)


def _targets(names: list[Mention], wanted: Wanted, gets_contact: bool = False) -> list[str]:
    """Return the names acted on, objects before receivers; places only where they are what the part is about."""
    named_first = sorted(names, key=lambda m: m.role is not Role.NAME)
    objects = [m.text for m in named_first if m.role in _OBJECT_ROLES]
    goals = _in_role(names, Role.GOAL)
    if wanted is Wanted.SENT:
        return goals + objects + [m.text for m in names if m.role in _PLACE_ROLES and m.quoted]
    if wanted is Wanted.ANSWER:
        known = objects + goals + _in_role(names, Role.ORIGIN)
        return known + [m.text for m in names if m.role is Role.CONTAINER and (m.quoted or not known)]
    if any(m.role is Role.GOAL for m in names) and wanted is Wanted.VALUE and not objects:
        return goals
    people = [m.text for m in names if m.role is Role.CONTAINER and not m.quoted and " " in m.text]
    if wanted is Wanted.VALUE:
        # "the e-mail address of X": what something belongs to is what is changed.
        owners = [m.text for m in names if m.role is Role.ORIGIN and not m.is_contact]
        owners = owners or [m.text for m in names if gets_contact and m.role is Role.CONTAINER and m.quoted]
        return objects or owners or _in_role(names, Role.CONTENTS) or people
    return objects or _in_role(names, Role.CONTENTS)


def _last_resort(names: list[Mention], wanted: Wanted) -> list[str]:
    """Return receivers and quoted places, for parts whose object has neither a name nor a noun phrase."""
    if wanted is Wanted.OTHER:
        return []
    return _in_role(names, Role.GOAL) or [m.text for m in names if m.role in _PLACE_ROLES and m.quoted]


def _in_role(names: list[Mention], role: Role) -> list[str]:
    return [m.text for m in names if m.role is role]


def _typed_texts(text: str, wanted: Wanted, found: list[FoundValue], mentions: list[Mention]) -> list[str]:
    kinds: tuple[type, ...] = ()
    if wanted is Wanted.PRESENT:
        kinds = (DateValue, TimeValue, MoneyValue)
    if wanted is Wanted.VALUE:
        kinds = (DateValue, TimeValue, MoneyValue, NumberValue)
    return [
        text[v.start : v.end]
        for v in found
        if isinstance(v.value, kinds) and not any(m.start < v.end and v.start < m.end for m in mentions)
    ]


def _object_phrase(part: Part, wanted: Wanted, language: Language) -> list[str]:
    """Return the noun phrase that the verb acts on, for parts without a name ("Turn on Do Not Disturb")."""
    masked = mask_quotes(part.text)
    if wanted is Wanted.ANSWER or part.verb is None or part.verb.reason:
        return []
    if language in SUBSTRING_LANGUAGES:
        found = _OBJECT_BEFORE[language].search(masked)
        if found:
            return [part.text[found.start(1) : found.end(1)].strip()]
        follows = language is Language.ZH and wanted is not Wanted.VALUE
        rest = _chinese_rest(masked, part.verb, part.start) if follows else ""
        return [rest] if 0 < len(rest) <= 20 and MASK not in rest else []
    if part.verb.wish:
        return _wished_object(masked, part.verb.start - part.start, part.verb.end - part.start, language)
    return _narrow_object(masked, part.verb.start - part.start, language)


def _wished_object(masked: str, start: int, end: int, language: Language) -> list[str]:
    """Return the noun phrase that a wish is about: what stands before it ("the light should be off") or after it."""
    begin = max(masked.rfind(mark, 0, max(0, start)) for mark in ",.;:") + 1
    leading = comparable(masked[begin : max(0, start)]).lstrip()
    reasons = task_lexicon().pattern(language, "consequence")
    found = reasons.match(leading) if reasons else None
    passed = found.end() if found else 0
    before = masked[begin : max(0, start)].lstrip()[passed:].split()
    if len(before) > 1:
        return _narrow_object(" ".join(["-", *before]), 0, language)
    return _narrow_object("- " + masked[end:], 0, language)


def _chinese_rest(masked: str, verb: Verb, offset: int) -> str:
    """Return what follows the verb, or what a pattern such as 打开…模式 already took in of the object."""
    rest = re.split("[，,；;：:]", masked[verb.end - offset :])[0].strip(" 。.?？吗")
    return rest or _CHINESE_SWITCHING.sub("", masked[verb.start - offset : verb.end - offset])


def _narrow_object(masked: str, verb_start: int, language: Language) -> list[str]:
    """Return the noun phrases after a verb, one for each item of a list, up to the first place or receiver."""
    phrases: list[list[str]] = [[]]
    skipped = 0
    for word in masked[max(0, verb_start) :].split()[1:]:
        bare = word.strip(",.;:!?")
        kind = _kind_of_word(bare, language)
        if kind == "end" and not any(phrases):
            # A place before the object ("Schalte in der App X den Sparmodus ein"): its noun phrase is passed over.
            particle = _ON_OFF_WORDS.fullmatch(bare.lower()) is not None
            skipped = int(not particle and any(goal_lexicon().has(language, c, bare) for c in _PLACES))
        elif kind == "end" or (kind == "determiner" and phrases[-1] and phrases[-1][-1].lower() not in _GENITIVES):
            break
        elif skipped:
            skipped = 0 if kind == "determiner" and skipped > 1 else skipped + 1
        elif kind == "joint":
            phrases.append([])
        elif phrases[-1] or kind == "word":
            phrases[-1].append(bare)
        if word.endswith(",") and not skipped:
            phrases.append([])
        elif word != bare and any(phrases):
            break
    found = (_phrase(words, language) for words in phrases)
    return [phrase for phrase in found if phrase and MASK not in phrase]


def _kind_of_word(bare: str, language: Language) -> str:
    lexicon = goal_lexicon()
    if not bare or lexicon.has(language, "list_joint", bare):
        return "joint"
    if lexicon.has(language, "determiner", bare):
        return "determiner"
    if _ON_OFF_WORDS.fullmatch(bare.lower()) or any(lexicon.has(language, c, bare) for c in _PHRASE_ENDS):
        return "end"
    return "article" if lexicon.has(language, "article", comparable(bare) + " ") else "word"


def _phrase(words: list[str], language: Language) -> str:
    """Return a noun phrase without a tail of articles; empty for a mere pronoun."""
    lexicon = goal_lexicon()
    kept = words[:_LONGEST_OBJECT]
    while (
        kept and len(kept) > 1 and (len(kept[-1]) <= 2 or lexicon.has(language, "article", comparable(kept[-1]) + " "))
    ):
        kept.pop()
    if not kept or lexicon.has(language, "pronoun", kept[0]) and len(kept) == 1:
        return ""
    return " ".join(kept)
