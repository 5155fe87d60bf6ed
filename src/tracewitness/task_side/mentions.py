"""Names in a task part and the role each plays: object, place, receiver or new value, contents."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES, Lexicon, load, load_text
from tracewitness.language.quotes import find_quotes, mask_quotes

_CODE = re.compile(
    r"[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|(?<![A-Za-z0-9])\+?\d{2,}(?:[- ]\d{2,})+(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])\+\d{7,}|(?<![A-Za-z0-9])[A-Za-z0-9_][A-Za-z0-9_-]*\.(?:[A-Za-z]{2,4}\d?|mp[34])(?![A-Za-z0-9.])"
    r"|(?<!\w)[#@][\w-]+|(?<![\w./])[A-Za-z0-9]+_[A-Za-z0-9_]+(?![\w./])|\b(?=\w*\d)(?=\w*[A-Z])[A-Z0-9]{5,}\b"
)
_CONTACT = re.compile(r"\S+@\S+|\+?\d[\d -]{5,}")
_UPPER = "A-ZÀ-ÖØ-ÞŒ"
_CAPITAL = rf"[{_UPPER}][\w&'.-]*[\w&]"
_PROPER = re.compile(rf"(?<![\w']){_CAPITAL}(?: (?:[-+*/] )?(?:{_CAPITAL}|\d+(?![\d.:,/])))*")
_PAPER_SIZE = re.compile(r"[A-Z]\d$")
_PERSON = re.compile("([\u4e00-\u9fff\u30a1-\u30fa\u30fcA-Za-z]{1,8})(?:さん|様|氏|くん|ちゃん)")
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
    (re.compile("(?:改成|改为|改到|设为|设成|换成|更新为|命名为|重命名为|调成|为|成)[^，。、]{0,3}$"), "goal_to"),
    (re.compile("(?:给|向|至|发到|转给|发给|寄给)[^，。、]{0,4}$"), "goal_to"),
    (re.compile("(?:内容|消息|标题|主题|正文|备注|名称|文字)(?:为|是)?[:：]?$"), "with"),
    (re.compile("(?:在|从)[^，。、把将的里中上内]{0,6}$"), "container"),
)
_CHINESE_INSIDE = re.compile("(?:应用|文件夹|列表|表)?(?:里|中|内|上)(?!午|次|个)")
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


@cache
def goal_lexicon() -> Lexicon:
    """Return the words that say what a part asks for.

    Raises:
        LexiconError: The data file is badly written.
    """
    place = files("tracewitness.task_side").joinpath("data", "goal_words.tsv")
    return load_text(place.read_text(encoding="utf-8"), "task_side/data/goal_words.tsv")


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
    codes = list(_CODE.finditer(masked))
    for found in codes:
        yield Mention(found.group(), found.start(), found.end(), quoted=False)
    if language in (Language.JA, Language.ZH):
        for found in _PERSON.finditer(masked):
            yield Mention(found.group(1), found.start(1), found.end(1), quoted=False)
    if language in SUBSTRING_LANGUAGES:
        return
    for found in _PROPER.finditer(masked):
        if any(c.start() <= found.start() < c.end() for c in codes):
            continue
        yield from _proper(masked, found, language, verb_start)


def _proper(masked: str, found: re.Match[str], language: Language, verb_start: int) -> Iterator[Mention]:
    """Yield a capitalised run as a name, unless its capital only marks a sentence start, the verb or a German noun."""
    start, words = found.start(), found.group().split(" ")
    if start == verb_start or not masked[:start].strip() or masked[:start].rstrip()[-1:] in tuple(".!?¿¡\n"):
        start, words = start + len(words[0]) + 1, words[1:]
    if language is Language.DE:
        if len(words) < 2:
            return
        if len(words) > 2:
            start, words = start + len(words[0]) + 1, words[1:]
    while words and words[0] in ("-", "+", "*", "/"):
        start, words = start + len(words[0]) + 1, words[1:]
    if words and not _names_nothing(words, language):
        name = " ".join(words)
        yield Mention(name, start, start + len(name), quoted=False)


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
    if language in _PARTICLES:
        found = _PARTICLES[language].match(masked, mention.end)
        return Role(_PARTICLE_ROLES.get(found.group("p"), "object")) if found else Role.OBJECT
    left = masked[before[-1].end if before else 0 : mention.start]
    if language is Language.ZH:
        if _CHINESE_INSIDE.match(masked, mention.end):
            return Role.CONTAINER
        return next((Role(role) for pattern, role in _CHINESE_LEFT if pattern.search(left)), Role.OBJECT)
    role = _role_by_preposition(left, language)
    beside = mention.quoted and role is Role.CONTAINER and goal_lexicon().has(language, "beside", left[-12:])
    return Role.OBJECT if beside else role


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
