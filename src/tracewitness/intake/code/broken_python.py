"""Code that Python cannot parse, without the words in it: scanned for comments, texts and what says something.

Code with a mistake in its form never ran, and code of another version of Python, or of a notebook with commands of its
own, has the same comments and texts.
"""

import re

from tracewitness.intake.code.bare_text import BareText

_PREFIX = r"(?:[rRbBuUfF]{1,2})?"
_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    rf"|(?P<text>{_PREFIX}(?:\"\"\"(?:[^\\\"]|\\.|\"(?!\"\"))*+(?:\"\"\")?|'''(?:[^\\']|\\.|'(?!''))*+(?:''')?"
    r"|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?))"
    r"|(?P<name>[^\W\d][\w.]*)"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<end>[\n;])"
    r"|(?P<space>[^\S\n]+)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_SAYING = re.compile(
    r"(?:print|pprint|raise|assert|exit|quit|sys\.exit|sys\.std(?:out|err)\.write|warnings\.warn"
    r"|(?:self\.)?(?:logging|logger|log)\.\w{1,20})\Z"
)
_OF_CODE = frozenset("()[]{}=#`/\\")
_FEWEST = 3
"""Words of a line of prose, at the least."""
_KEYWORDS = frozenset(
    "import from for while if elif else with def class return del global nonlocal try except raise assert print yield "
    "lambda async await pass break continue not match case in exec".split()
)


def bare_broken_python(text: str, *, prose: bool = True) -> BareText:
    """Return code without its comments, the texts that stand alone or are said, and lines that are prose.

    Args:
        text: The code.
        prose: Whether it is code for sure; else a text that is nothing but prose is none, and stays.
    """
    parts, words = list[str](), list[str]()
    if not prose and all(_is_prose(line) for line in text.split("\n") if line.strip()):
        return BareText(text)
    depth, begun, saying = 0, False, False
    for found in _TOKEN.finditer("\n".join(_code_lines(text, words))):
        kind, piece = found.lastgroup, found.group()
        if kind == "comment" or (kind == "text" and (saying or not begun)):
            words.append(piece.lstrip("#rRbBuUfF").strip("'\""))
            parts.append("" if kind == "comment" else "''")
            continue
        parts.append(piece)
        depth = max(depth + (kind == "open") - (kind == "close"), 0)
        if kind == "end" and depth == 0:
            begun, saying = False, False
        elif kind == "name" and not begun:
            begun, saying = True, bool(_SAYING.match(piece))
        elif kind not in ("space", "end"):
            begun = True
    return BareText("".join(parts), tuple(words)) if words else BareText(text)


def _code_lines(text: str, words: list[str]) -> list[str]:
    kept = list[str]()
    for line in text.split("\n"):
        (words if _is_prose(line) else kept).append(line)
    return kept


def _is_prose(line: str) -> bool:
    parts = line.split()
    if len(parts) < _FEWEST or parts[0].rstrip(":") in _KEYWORDS or parts[0][0] in "!%?'\"":
        return False
    return _OF_CODE.isdisjoint(line) and sum(one[0].isalpha() for one in parts) >= _FEWEST
