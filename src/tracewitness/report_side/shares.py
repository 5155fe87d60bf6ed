"""A part of a counted whole: "two of the three", "von den fünf Fotos sind drei ...", "5枚のうち3枚"."""

import re
from typing import NamedTuple

_NUMERALS = {
    1: "one eine ein einer eines un une uno una um uma 一 하나 한",
    2: "two zwei deux dos dois duas 二 两 兩 둘 두",
    3: "three drei trois tres três 三 셋 세",
    4: "four vier quatre cuatro quatro 四 넷 네",
    5: "five fünf cinq cinco 五 다섯",
    6: "six sechs seis 六 여섯",
    7: "seven sieben sept siete sete 七 일곱",
    8: "eight acht huit ocho oito 八 여덟",
    9: "nine neun neuf nueve nove 九 아홉",
    10: "ten zehn dix diez dez 十 열",
    11: "eleven elf onze once 十一",
    12: "twelve zwölf douze doce doze 十二",
}
_VALUES = {word: value for value, words in _NUMERALS.items() for word in words.split()}
_WORDS = "|".join(sorted(_VALUES, key=len, reverse=True))
_NUMBER = rf"(?:\d{{1,6}}(?![.,]*\d|[:/%])|(?:{_WORDS}))"
_LATIN_NUMBER = rf"(?<![\w.,:/]){_NUMBER}(?!\w)"
_ARTICLE = "(?:(?:the|your|all|these|those|den|der|les|los|las|os|as) )?"
_OF = "(?:out of|of|von|sur|der|des|de|dos|das)"
_PART_OF = re.compile(rf"({_LATIN_NUMBER})(?: [^\W\d][\w-]{{0,20}})? ?{_OF} ?{_ARTICLE}({_LATIN_NUMBER})")
_WHOLE = re.compile(
    rf"(?<!\w)(?:out of|of|von|sur|parmi|de|das|dos|entre) {_ARTICLE}({_LATIN_NUMBER})(?= [^\W\d]{{3}})"
    rf"|({_NUMBER}) ?[가-힣\u3041-\u9fff]{{1,8}}?(?: ?(?:のうち|うち|の中|中の|中で|当中|里面|里|裡|中| 가운데| 중))"
)
_COUNTERS = "[个個张張条條封份件项項位次篇]"
_OF_WHICH = re.compile(rf"({_NUMBER}){_COUNTERS}[^\d]{{0,12}}了({_NUMBER}){_COUNTERS}")
_DENSE_PART = re.compile(rf"({_NUMBER}) ?[^\W\d]")
_LATIN_PART = re.compile(_LATIN_NUMBER)
_TOKEN = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_REACH = 60
_WIDE = re.compile("[\u3041-\u9fff가-힣]")


class Share(NamedTuple):
    """What a clause counts.

    Attributes:
        whole: The number it names as a whole ("of the five ..."); 0 where it names none.
        part: The number that is counted out of that whole, or the first number of the clause; 0 where there is none.
    """

    whole: int
    part: int

    @property
    def falls_short(self) -> bool:
        """Whether less than the whole is counted."""
        return 0 < self.part < self.whole


_NOTHING_COUNTED = Share(0, 0)


def share_of(folded: str) -> Share:
    """Return what a folded clause counts. Linear in its length."""
    if not _may_count(folded):
        return _NOTHING_COUNTED
    if before := _PART_OF.search(folded):
        part, whole = _value(before[1]), _value(before[2])
        if part < whole:
            return Share(whole, part)
    if both := _OF_WHICH.search(folded):
        return Share(_value(both[1]), _value(both[2]))
    found = _WHOLE.search(folded)
    if found is None:
        return Share(0, _part(folded, 0))
    return Share(_value(found[1] or found[2]), _part(folded, found.end()))


def _may_count(folded: str) -> bool:
    """Return whether there can be a number: a digit, a number as a word of its own, or a script without spaces."""
    if _DIGIT.search(folded) or not _VALUES.keys().isdisjoint(_TOKEN.findall(folded)):
        return True
    return not folded.isascii() and _WIDE.search(folded) is not None


def _part(folded: str, start: int) -> int:
    shape = _DENSE_PART if _WIDE.search(folded) else _LATIN_PART
    found = shape.search(folded, start, start + _REACH)
    return _value(found.group(found.lastindex or 0)) if found else 0


def _value(number: str) -> int:
    return int(number) if number.isdecimal() else _VALUES[number]
