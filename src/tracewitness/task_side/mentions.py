"""Names in a task part and the role each plays: object, place, receiver or new value, contents."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES, load
from tracewitness.language.phones import find_phone_numbers
from tracewitness.language.quotes import find_quotes, mask_quotes
from tracewitness.task_side.described import named_by_nouns
from tracewitness.task_side.goal_lexicon import goal_lexicon
from tracewitness.task_side.speech import task_lexicon

_CODE = re.compile(
    r"[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|(?<![A-Za-z0-9])\+?\d{2,}(?:[- ]\d{2,})+(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])\+\d{7,}|(?<![A-Za-z0-9])[A-Za-z0-9_][A-Za-z0-9_-]*\.(?:[A-Za-z]{2,4}\d?|mp[34])(?![A-Za-z0-9.])"
    r"|(?<!\w)[#@][\w-]+|(?<![\w./])[A-Za-z0-9]+_[A-Za-z0-9_]+(?![\w./])|\b(?=\w*\d)(?=\w*[A-Z])[A-Z0-9]{5,}\b"
)
_CONTACT = re.compile(r"\S+@\S+|\+?[\d(][\d ()-]{5,}")
_UPPER = "A-ZÀ-ÖØ-ÞŒ"
_CAPITAL = rf"[{_UPPER}][\w&'.-]*[\w&]"
_PROPER = re.compile(rf"(?<![\w']){_CAPITAL}(?: (?:[-+*/] )?(?:{_CAPITAL}|\d+(?![\d.:,/])))*")
# What belongs to a name without a capital: a part in brackets or after a dash, the number of a part.
_GOES_ON = re.compile(r"(?: \((?:[^()\n]{1,24})\)| [–—] [^\W\d_]+|, (?:[^\W\d_]+\.? )?\d{1,2}(?![\d.:,/]))")
_PAPER_SIZE = re.compile(r"[A-Z]\d$")
_HAN_NAME = "[\u4e00-\u9fff\u30a1-\u30fa\u30fcA-Za-z]{1,8}"
_PERSON = {
    Language.JA: re.compile(f"({_HAN_NAME}(?:[ \u3000]{_HAN_NAME})?)(?:さん|様|氏|くん|ちゃん)"),
    Language.ZH: re.compile(f"({_HAN_NAME})(?:先生|女士|小姐)"),
    Language.KO: re.compile(
        "(?<![\uac00-\ud7af])([\uac00-\ud7af]{2,4}|[A-Za-z][\\w. -]{1,30}) ?(?:님|씨)(?![\uac00-\ud7af]{3})"
    ),
}
_NOUN_JOIN = "(?:\\s?[\u4e00-\u9fff\u30a1-\u30fa\u30fc\uac00-\ud7afA-Za-z]{0,8}?)"
_PARTICLES = {
    Language.JA: re.compile(rf"{_NOUN_JOIN}(?P<p>から|での|で|内|の中|上|宛て|宛|には|に|へ|を|が|は|の|という|と)"),
    Language.KO: re.compile(
        rf"{_NOUN_JOIN}(?P<p>에서|에게|께|한테|이라고|라고|으로|로|을|를|은|는|이|가|에|의|과|와)(?=[\s,.\ue000]|$)"
    ),
}
_PARTICLE_ROLES = {
    **dict.fromkeys(("から", "で", "での", "内", "の中", "上", "에서"), "container"),
    **dict.fromkeys(("に", "には", "へ", "宛て", "宛", "에게", "께", "한테", "으로", "로", "에"), "goal_to"),
    **dict.fromkeys(("이라고", "라고"), "with"),
}
_CHINESE_LEFT = (
    (re.compile("(?:标题|题目|名称|名字|姓名|名|题|叫|称)(?:为|是|叫)?[:：]?$"), "named"),
    (re.compile("(?:改成|改为|改到|设为|设成|换成|更新为|命名为|重命名为|调成|为|成)[^，。、]{0,3}$"), "goal_to"),
    (re.compile("(?:给|向|至|发到|转给|发给|寄给)[^，。、]{0,4}$"), "goal_to"),
    (re.compile("(?:内容|消息|主题|正文|备注|文字)(?:只?写|写上|写着|为|是)?[:：]?$|(?:写上|写着|写|说)$"), "with"),
    (re.compile("(?:在|从)[^，。、把将的里中上内]{0,6}$"), "container"),
)
_CHINESE_INSIDE = re.compile("(?:应用|文件夹|列表|表)?(?:里|中|内|上)(?!午|次|个)")
_PERSONAL_A = re.compile(
    r"(?:^|[\s,¿])(?:\w+(?:ar|er|ir)(?:me|nos)?|necesito|quiero|borra|borre|elimina|elimine|quita|quite|saca|saque"
    r"|añade|añada|agrega|agregue|guarda|guarde|bloquea|busca|busque|invita|invite|incluye|registra) a $"
)
_TO_VERB = re.compile(r"(?<!\w)(?:like|want|need|wish|love|prefer) to (?!be )\w+ $")
_WORD = re.compile(r"[^\s,.;:()]+|[,;:]")


class Role(StrEnum):
    """The role of a name in its part.

    NAME is the name of what is to be made ("a folder named X"); LABELLED follows a noun of contents that is the object
    itself ("send the message X", "move the note X").
    """

    OBJECT = "object"
    CONTAINER = "container"
    ORIGIN = "origin"
    GOAL = "goal_to"
    CONTENTS = "with"
    NAME = "named"
    LABELLED = "labelled"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a part, verbatim, with its positions in the part and its role."""

    text: str
    start: int
    end: int
    quoted: bool
    role: Role = Role.OBJECT

    @property
    def is_contact(self) -> bool:
        """Return whether it is an e-mail address or a phone number."""
        return not self.quoted and _CONTACT.fullmatch(self.text) is not None


def find_mentions(text: str, language: Language, verb_start: int) -> tuple[Mention, ...]:
    """Return the names in a part in order, each with its role; ``verb_start`` is where its verb stands in the part."""
    plain = sorted(_names(text, language, verb_start), key=lambda m: m.start)
    masked = comparable(mask_quotes(text))
    found: list[Mention] = []
    for mention in plain:
        if found and mention.start < found[-1].end:
            continue
        role = _role(text, masked, mention, found, language)
        found.append(Mention(mention.text, mention.start, mention.end, mention.quoted, role))
    return tuple(found)


def _names(text: str, language: Language, verb_start: int) -> Iterator[Mention]:
    quotes = find_quotes(text)
    for quote in quotes:
        yield Mention(quote.text.strip(), quote.start, quote.end, quoted=True)
    masked = mask_quotes(text, quotes)
    phones = list(find_phone_numbers(comparable(masked)))
    for found in phones:
        yield Mention(text[found.start() : found.end()], found.start(), found.end(), quoted=False)
    codes = [c for c in _CODE.finditer(masked) if not any(p.start() < c.end() and c.start() < p.end() for p in phones)]
    for found in codes:
        yield Mention(found.group(), found.start(), found.end(), quoted=False)
    if language in _PERSON:
        for found in _PERSON[language].finditer(masked):
            yield Mention(found.group(1), found.start(1), found.end(1), quoted=False)
    if language in SUBSTRING_LANGUAGES:
        for start, end in named_by_nouns(comparable(masked), language):
            yield Mention(text[start:end], start, end, quoted=False)
        return
    for found in _PROPER.finditer(masked):
        if any(c.start() <= found.start() < c.end() for c in codes):
            continue
        yield from _proper(masked, found, language, verb_start)


def _proper(masked: str, found: re.Match[str], language: Language, verb_start: int) -> Iterator[Mention]:
    """Yield a capitalised run as a name, unless its capital only marks a sentence start, the verb or a German noun."""
    start, words = found.start(), found.group().split(" ")
    opens = not masked[:start].strip() or masked[:start].rstrip()[-1:] in tuple(".!?¿¡\n")
    if start == verb_start or (opens and (len(words) < 2 or not verb_start or _opens_a_sentence(words, language))):
        start, words = start + len(words[0]) + 1, words[1:]
    if language is Language.DE:
        noun = _leading_nouns(words)
        if noun:
            start, words = start + len(" ".join(words[:noun])) + 1, words[noun:]
        elif len(words) < 2:
            return
        elif len(words) > 2:
            start, words = start + len(words[0]) + 1, words[1:]
    while words and words[0] in ("-", "+", "*", "/"):
        start, words = start + len(words[0]) + 1, words[1:]
    if words and not _names_nothing(words, language):
        end = start + len(" ".join(words))
        more = _GOES_ON.match(masked, end) if end == found.end() else None
        yield Mention(masked[start : more.end() if more else end], start, more.end() if more else end, quoted=False)


def _opens_a_sentence(words: list[str], language: Language) -> bool:
    """Return whether the first word has its capital from the sentence alone: a word of grammar or courtesy, a verb."""
    word = words[0]
    if language is Language.DE and words[1] == "Sie":
        return True
    polite = task_lexicon().pattern(language, "polite")
    folded = comparable(word)
    return folded in _function_words(language) or (polite is not None and polite.match(folded + " ") is not None)


@cache
def _function_words(language: Language) -> frozenset[str]:
    return frozenset(load("profile").literals(language, "function"))


def _leading_nouns(words: list[str]) -> int:
    """Return how many German nouns for a thing lead up to its name ("die Notiz Training", "der Termin Lesekreis")."""
    pattern = goal_lexicon().pattern(Language.DE, "leads_to_name")
    if pattern is None or len(words) < 2:
        return 0
    return next((n for n, word in enumerate(words) if pattern.fullmatch(comparable(word)) is None), 0)


def _names_nothing(words: list[str], language: Language) -> bool:
    """Return whether all words are months, weekdays, formats or paper sizes."""
    nameless = _nameless_words(language)
    return all(comparable(w) in nameless or w.isdigit() or _PAPER_SIZE.fullmatch(w) for w in words)


@cache
def _nameless_words(language: Language) -> frozenset[str]:
    calendar = load("quantities")
    months = (word for number in range(1, 13) for word in calendar.literals(language, f"month.{number}"))
    other = (word for category in ("no_name", "weekday") for word in goal_lexicon().literals(language, category))
    return frozenset((*months, *other))


@cache
def _joints(language: Language) -> tuple[str, ...]:
    words = goal_lexicon().literals(language, "list_joint")
    return words if language in SUBSTRING_LANGUAGES else tuple(f" {word} " for word in words)


def _role(text: str, masked: str, mention: Mention, before: list[Mention], language: Language) -> Role:
    if before and _joined(masked[before[-1].end : mention.start], language):
        return before[-1].role
    if language in _PARTICLES and _is_set_value(masked, "", mention, language):
        return Role.VALUE
    if language in _PARTICLES:
        found = _PARTICLES[language].match(masked, mention.end)
        return Role(_PARTICLE_ROLES.get(found.group("p"), "object")) if found else Role.OBJECT
    left = masked[before[-1].end if before else 0 : mention.start]
    if _is_set_value(masked, left, mention, language):
        return Role.VALUE
    if language is Language.ZH:
        if _CHINESE_INSIDE.match(masked, mention.end):
            return Role.CONTAINER
        return next((Role(role) for pattern, role in _CHINESE_LEFT if pattern.search(left)), Role.OBJECT)
    if _is_direct(left, language):
        return Role.OBJECT
    role = Role.LABELLED if _follows_kind(left, language) else _role_by_preposition(left, language)
    beside = mention.quoted and role is Role.CONTAINER and goal_lexicon().has(language, "beside", left[-12:])
    return Role.OBJECT if beside else role


def _is_set_value(masked: str, left: str, mention: Mention, language: Language) -> bool:
    """Return whether a name is what something is set to: the role "Editor", 「管理者」の役割."""
    before, after = (goal_lexicon().pattern(language, f"value_noun.{side}") for side in ("before", "after"))
    if before is not None and before.search(left.rstrip()) is not None:
        return True
    return after is not None and after.match(masked, mention.end) is not None


def _joined(between: str, language: Language) -> bool:
    """Return whether only a list joint stands between two names."""
    rest = between
    for joint in _joints(language):
        rest = rest.replace(joint, ",")
    return bool(rest.strip()) and not rest.strip(" ,")


def _role_before_noun(token: str, language: Language) -> Role:
    """Return the role of a name after a noun of contents: "to the e-mail X" receiver, "with the e-mail X" contents."""
    lexicon = goal_lexicon()
    if lexicon.has(language, Role.GOAL.value, token):
        return Role.GOAL
    joined = token in ",;:" or lexicon.has(language, Role.CONTENTS.value, token)
    return Role.CONTENTS if joined or lexicon.has(language, "list_joint", token) else Role.LABELLED


def _is_direct(left: str, language: Language) -> bool:
    """Return whether what looks like a preposition is none: the Spanish "a" of persons, the English "to" of verbs."""
    pattern = {Language.ES: _PERSONAL_A, Language.EN: _TO_VERB}.get(language)
    return pattern is not None and pattern.search(left) is not None


def _follows_kind(left: str, language: Language) -> bool:
    """Return whether "the note" or the like stands right before a name, and no "with"."""
    pattern = goal_lexicon().pattern(language, "the_kind")
    return pattern is not None and pattern.search(left) is not None


def _role_by_preposition(left: str, language: Language) -> Role:
    """Return the role that the nearest preposition gives, at most two nouns and articles away."""
    lexicon = goal_lexicon()
    nouns = 0
    noun_of_contents = determined = False
    for token in reversed(_WORD.findall(left)):
        article = lexicon.has(language, "article", token + " ")
        if noun_of_contents and not article:
            return _role_before_noun(token, language)
        if not nouns and lexicon.has(language, Role.NAME.value, token):
            return Role.NAME
        if lexicon.has(language, Role.CONTENTS.value, token):
            noun_of_contents = True
            continue
        for role in (Role.GOAL, Role.ORIGIN, Role.CONTAINER):
            if not noun_of_contents and lexicon.has(language, role.value, token):
                return role
        if nouns and determined:
            # "... in Paketwerk eine Adresse X": the place belongs to another noun phrase.
            return Role.OBJECT
        determined = lexicon.has(language, "determiner", token)
        nouns += not article
        if nouns > 2 or token in {",", ";", "of", "des", "de", "del", "do", "da", "du"}:
            return Role.OBJECT
    return Role.CONTENTS if noun_of_contents else Role.OBJECT
