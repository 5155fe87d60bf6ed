"""PowerShell without the words in it: comments, and what is written to the host, thrown, or stands there as a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tracewitness.intake.code.bare_text import BareText

_TOKEN = re.compile(
    r"(?P<comment><\#.*?(?:\#>|\Z)|(?<![^\s;({|])\#[^\n]*)"
    r"|(?P<text>@\"[^\n]*\n.*?(?:\n\"@|\Z)|@'[^\n]*\n.*?(?:\n'@|\Z)|\"(?:[^\"`]|`.|\"\")*+\"?|'(?:[^']|'')*+'?)"
    r"|(?P<name>[A-Za-z_$][\w:$-]*)"
    r"|(?P<end>[;\n{}|]|&&|\|\|)"
    r"|(?P<into>\d?>>?(?!&))"
    r"|(?P<space>[^\S\n]+)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_SAYING = re.compile(r"(?:write-(?:host|output|error|warning|verbose|information|debug)|echo|throw)\Z", re.IGNORECASE)
_MARKS = re.compile(r"\b(?:Write-(?:Host|Output|Error|Warning)|Get-\w+|Set-\w+|New-\w+|Start-\w+)\b|\$env:|<#|#>")
_VARIABLE = re.compile(r"\$(?:\w+|\{[^}]{0,100}\}|\([^()]{0,1000}\))")


def looks_like_powershell(text: str) -> bool:
    """Tell PowerShell from other shells."""
    return _MARKS.search(text) is not None


def bare_powershell(text: str) -> BareText:
    """Return a script of PowerShell without words."""
    stripping = _Stripping(text)
    for found in _TOKEN.finditer(text):
        stripping.add(found)
    stripping.end_statement()
    if not stripping.taken:
        return BareText(text)
    parts, at = list[str](), 0
    for start, end, kept in sorted(stripping.taken):
        parts += [text[at:start], kept]
        at = end
    parts.append(text[at:])
    return BareText("".join(parts), tuple(stripping.words))


@dataclass(slots=True)
class _Stripping:
    text: str
    taken: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    words: list[str] = field(default_factory=list[str])
    _said: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    _saying: bool = False
    _begun: bool = False
    _kept: bool = False

    def add(self, found: re.Match[str]) -> None:
        kind, (start, end) = found.lastgroup, found.span()
        if kind == "comment":
            self._take(start, end)
        elif kind == "end":
            self._kept = self._kept or found.group() == "|"
            self.end_statement()
        elif kind == "into":
            self._kept = True
        elif kind != "space":
            self._add_part(kind or "", start, end)

    def _add_part(self, kind: str, start: int, end: int) -> None:
        begun, self._begun = self._begun, True
        if not begun:
            self._saying = kind == "text" or bool(_SAYING.match(self.text, start, end))
            if kind == "text":
                self._said.append((start, end))
        elif self._saying and (kind == "text" or self.text[start] not in "$-("):
            self._said.append((start, end))

    def end_statement(self) -> None:
        """Take what the statement says, unless it goes into a file or another command."""
        if not self._kept:
            for start, end in self._said:
                self._take(start, end, "".join(_variables(self.text[start:end])))
        self._said, self._saying, self._begun, self._kept = [], False, False, False

    def _take(self, start: int, end: int, kept: str = "") -> None:
        self.taken.append((start, end, f'"{kept}"' if kept else ""))
        self.words.append(_VARIABLE.sub("\n", self.text[start:end]).strip("#<>@'\" "))


def _variables(text: str) -> Iterator[str]:
    """Yield the values in a text; in single quotes there are none."""
    return iter(()) if text.startswith(("'", "@'")) else iter(_VARIABLE.findall(text))
