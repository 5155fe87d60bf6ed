"""Code of languages of which only the comments are told from what it does: SQL, AppleScript, Lua."""

import re

from tracewitness.intake.code.bare_text import BareText

_TOKEN = re.compile(
    r"(?P<text>'(?:[^'\\]|\\.|'')*+'?|\"(?:[^\"\\]|\\.|\"\")*+\"?)"
    r"|(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z)|\(\*.*?(?:\*\)|\Z))",
    re.DOTALL,
)
_MARKS = re.compile(
    r"\A\s{0,50}(?:--|/\*|\(\*|(?:select|insert into|update|delete from|create (?:table|view|index)|with|tell"
    r"|display|on run|alter table)\b)",
    re.IGNORECASE,
)


def looks_commented(text: str) -> bool:
    """Tell code of these languages."""
    return _MARKS.match(text) is not None


def bare_commented(text: str) -> BareText:
    """Return code without its comments."""
    words = list[str]()

    def taken(found: re.Match[str]) -> str:
        if found.lastgroup == "text":
            return found.group()
        words.append(found.group().strip("-/*() "))
        return ""

    bare = _TOKEN.sub(taken, text)
    return BareText(bare, tuple(words)) if words else BareText(text)
