"""Telling Chinese text from text of another encoding that GB18030 happens to decode.

Nearly any bytes decode as GB18030, so that it decodes says little. Chinese text lies almost wholly in the first level
of GB 2312 (the 3,755 common characters) and in its punctuation; what Shift-JIS, Latin-1, Big5 or CP1251 give when they
are read as GB18030 lies outside. EUC-KR and KOI8-R stay inside, but hit the characters that Chinese texts are full of
no more often than chance.
"""

from itertools import islice

_LEVEL_ONE = range(0xB0, 0xD8)
_PUNCTUATION = (0xA1, 0xA3)
_LEAST_COMMON = 0.85
_LEAST_FREQUENT = 0.25
_MOST_LETTERS = 100_000

_FREQUENT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事"
    "成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此"
    "已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代"
    "内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安"
    "少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光"
    "放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运"
    "置击关闭显示按钮屏幕网络蓝牙无线输入图标首页用户密码登录删除添加选择返回确认取消搜索消息发送应用程序任务完成元素编号截"
)
"""Characters that running text and phone interfaces are full of; the first of any frequency list would do as well."""


def plausibly_chinese(text: str) -> bool:
    """Tell whether a text that was decoded as GB18030 reads as Chinese.

    Args:
        text: The decoded text; its ASCII characters and emoji say nothing and are passed over.
    """
    letters = list(islice((letter for letter in text if "\x7f" < letter < "\U00010000"), _MOST_LETTERS))
    pairs = [letter.encode("gb18030", "replace") for letter in letters]
    hanzi = [pair for pair in pairs if len(pair) == 2 and pair[0] in _LEVEL_ONE and pair[1] >= 0xA1]
    punctuation = [pair for pair in pairs if len(pair) == 2 and pair[0] in _PUNCTUATION and pair[1] >= 0xA1]
    if not pairs or len(hanzi) + len(punctuation) < _LEAST_COMMON * len(pairs) or len(punctuation) > len(hanzi) + 2:
        return False
    frequent = sum(letter in _FREQUENT for letter in letters)
    return frequent >= _LEAST_FREQUENT * len(hanzi)
