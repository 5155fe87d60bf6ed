"""Names without quotes or capitals in Chinese, Japanese and Korean, found by the nouns that stand beside them.

"删除联系人林建国", "読書会の開始時刻", "제목: 정원": what stands between a noun for things of an app (contact, note,
order) and the grammar around it is the thing's name.
"""

import re
from collections.abc import Iterator
from functools import cache

from tracewitness.findings.labels import Language
from tracewitness.language.quotes import MASK
from tracewitness.task_side.goal_lexicon import goal_lexicon

_PARTICLES = re.compile("^[\u3041-\u3096]+")
_NAME_ZH = rf"[^\s，。、,:：；;？?！!的把将给从在是吗{MASK}]{{1,16}}?(?: ?[(（][^)）]{{1,8}}[)）]| 之[二三四五])?"
_NAME_JA = (
    rf"[^\s、。,:：？?をはがにへ{MASK}]{{1,20}}?"
    rf"(?: [^\s、。,:：をはがにでへの{MASK}]{{1,10}}?)?(?:[(（][^)）]{{1,8}}[)）])?"
)
_NAME_KO = rf"[^\s,.:?{MASK}]{{1,16}}"
_FRAMES = {
    Language.ZH: (
        rf"(?:名为|题为|标题为|名叫|叫做|一[个条]叫|(?:姓名|标题|名字|名称|题目)[:：])(?P<v>{_NAME_ZH})(?=的|，|。|,|$)",
        rf"(?:KIND)(?P<v>(?!里|中|列表|名单|的|信息|也|都){_NAME_ZH})(?=的|，|。|从|吗|在|是|现|换|改|让|我|存|放|分|到|调|$)",
        rf"(?:^|把|将|给|让|请|告诉我|知道|查看|查一下|找到|里的?|中的?)(?P<v>(?!KIND|的|我|你|里|中){_NAME_ZH})的(?:FIELD)",
    ),
    Language.JA: (
        rf"(?:名前|タイトル|題名|件名|題)(?:[:：は])(?P<v>{_NAME_JA})(?=、|。|$)",
        rf"(?P<v>{_NAME_JA})という(?:名前の|題の)?(?:KIND)",
        rf"(?P<v>{_NAME_JA})の(?:KIND|FIELD)",
        rf"(?:KIND)(?P<v>(?!ー|の|を|は|に|から|へ|が|で|番号|一覧|リスト|帳){_NAME_JA})(?=を|は|の|に|が)",
    ),
    Language.KO: (rf"(?:이름|제목)(?:은|는|:)? ?(?P<v>{_NAME_KO})(?=,|\.|$| 제목| 메모)",),
}


def named_by_nouns(masked: str, language: Language) -> Iterator[tuple[int, int]]:
    """Yield where names stand that the nouns beside them point to."""
    for frame in _frames(language):
        for found in frame.finditer(masked):
            start, end = found.span("v")
            if start and masked[start - 1] == MASK:
                # The particle after a quote is none of the name.
                start += len(masked[start:end]) - len(_PARTICLES.sub("", masked[start:end]))
            start = _after_place(masked, start, end, language)
            if start < end and not _is_no_name(masked[start:end], language):
                yield start, end


@cache
def _frames(language: Language) -> tuple[re.Pattern[str], ...]:
    lexicon = goal_lexicon()
    nouns = {
        key: "|".join(sorted(map(re.escape, lexicon.literals(language, category)), key=len, reverse=True))
        for key, category in (("KIND", "kind_noun"), ("FIELD", "field_noun"))
    }
    return tuple(
        re.compile(frame.replace("KIND", nouns["KIND"]).replace("FIELD", nouns["FIELD"]))
        for frame in _FRAMES.get(language, ())
    )


def _after_place(masked: str, start: int, end: int, language: Language) -> int:
    """Return where a name begins after the place and the noun that lead up to it ("カレンダーの歯医者")."""
    pattern = goal_lexicon().pattern(language, "leads_to_name")
    while pattern is not None and (found := pattern.match(masked, start, end)) is not None and found.end() > start:
        start = found.end()
    return start


def _is_no_name(words: str, language: Language) -> bool:
    lexicon = goal_lexicon()
    if not any(c.isalnum() for c in words) or words.replace(":", "").isdigit():
        return True
    known = (*lexicon.literals(language, "kind_noun"), *lexicon.literals(language, "field_noun"))
    return words.strip() in known or lexicon.has(language, "no_name_part", words)
