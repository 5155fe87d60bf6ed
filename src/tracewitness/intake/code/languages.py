"""Code in any language that agents write, without the words in it."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from tracewitness.intake.code.bare_text import BareText
from tracewitness.intake.code.broken_python import bare_broken_python
from tracewitness.intake.code.commented_code import bare_commented, looks_commented
from tracewitness.intake.code.javascript_code import bare_javascript
from tracewitness.intake.code.powershell_code import bare_powershell, looks_like_powershell
from tracewitness.intake.code.python_code import BareCode, bare_code, written_code
from tracewitness.intake.code.shell_code import bare_shell

PYTHON, SHELL, JAVASCRIPT, POWERSHELL, ANY = "python", "shell", "javascript", "powershell", "any"
COMMENTED = "commented"

_JAVASCRIPT = re.compile(
    r"=>|\bfunction\b\s{0,5}\*?\s{0,5}\w{0,60}\s{0,5}\(|\b(?:const|let|var)\s{1,5}[\w{\[]|\bdocument\.|\bwindow\.|\bconsole\."
    r"|===|^[ \t]{0,20}//|\bnew\s{1,5}\w{1,60}\(|/\*",
    re.MULTILINE,
)
_MAGIC = re.compile(r"^[ \t]{0,60}(?:[!%][^\n]*|\?\S[^\n]*|[\w.]{1,80}\?\??[ \t]*)$", re.MULTILINE)
_CELL = re.compile(r"\s{0,20}%%(\w{1,20})[^\n]*\n")
_CELLS = {"bash": "shell", "sh": "shell", "script": "shell", "javascript": "javascript", "js": "javascript"}
_HOLDER = re.compile(r"__magic_(\d{1,7})__")


@lru_cache(maxsize=64)
def bare_text(text: str, language: str) -> BareText:
    """Return code without words; one of another language than is said is told by its form.

    Args:
        text: The code.
        language: One of the names above.
    """
    return _READERS.get(language, _any)(text)


def _python(text: str, *, prose: bool = True) -> BareText:
    cell = _CELL.match(text)
    if cell is not None and cell.group(1) in _CELLS:
        bare = bare_text(text[cell.end() :], _CELLS[cell.group(1)])
        return BareText(text[: cell.end()] + bare.text, bare.words) if bare.words else BareText(text)
    found = bare_code(text, fresh=False)
    if found is not None:
        return _written(text, found)
    magics = list[str]()

    def held(one: re.Match[str]) -> str:
        line = one.group()
        magics.append(line.strip())
        return f"{line[: len(line) - len(line.lstrip())]}__magic_{len(magics) - 1}__"

    source = _MAGIC.sub(held, text.replace("\r\n", "\n"))
    found = bare_code(source, fresh=False) if magics else None
    if found is None:
        return bare_broken_python(text.replace("\r\n", "\n"), prose=prose)
    bare_magics = [bare_shell(one[1:]) if one.startswith("!") else BareText(one[1:]) for one in magics]
    words = tuple(word for one in bare_magics for word in one.words)
    if not words and not found.parts:
        return BareText(text)
    code = written_code(*found.statements)
    told = _HOLDER.sub(lambda one: magics[int(one.group(1))][0] + bare_magics[int(one.group(1))].text, code)
    return BareText(told, (*found.parts, *words))


def _written(text: str, found: BareCode) -> BareText:
    return BareText(written_code(*found.statements), found.parts) if found.parts else BareText(text)


def _shell(text: str) -> BareText:
    return bare_powershell(text) if looks_like_powershell(text) else bare_shell(text, _of_interpreter)


def _of_interpreter(name: str, text: str) -> BareText | None:
    languages = {"python": PYTHON, "node": JAVASCRIPT}
    return bare_text(text, languages[name]) if name in languages else None


def _any(text: str) -> BareText:
    if looks_commented(text) and bare_code(text, fresh=False) is None and not text.lstrip().startswith("/*"):
        return bare_commented(text)
    if _JAVASCRIPT.search(text) is not None:
        found = bare_code(text, fresh=False)
        return bare_javascript(text) if found is None else _written(text, found)
    if looks_like_powershell(text):
        return bare_powershell(text)
    return _python(text, prose=False)


_READERS: Mapping[str, Callable[[str], BareText]] = {
    PYTHON: _python,
    SHELL: _shell,
    JAVASCRIPT: bare_javascript,
    POWERSHELL: bare_powershell,
    COMMENTED: bare_commented,
    ANY: _any,
}
