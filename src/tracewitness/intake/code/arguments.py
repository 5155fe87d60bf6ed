"""Which arguments of a call are code that is executed, and the arguments without the words in it."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from tracewitness.intake.code.bare_text import BareText
from tracewitness.intake.code.languages import ANY, COMMENTED, JAVASCRIPT, POWERSHELL, PYTHON, SHELL, bare_text

_KEYS = {
    "code": ANY,
    "python": PYTHON,
    "python_code": PYTHON,
    "cell": ANY,
    "source_code": ANY,
    "code_block": ANY,
    "program": ANY,
    "snippet": ANY,
    "script": ANY,
    "bash": SHELL,
    "shell": SHELL,
    "bash_command": SHELL,
    "shell_command": SHELL,
    "javascript": JAVASCRIPT,
    "js": JAVASCRIPT,
    "js_code": JAVASCRIPT,
    "expression": ANY,
    "function": ANY,
    "page_function": JAVASCRIPT,
    "sql": COMMENTED,
}
_COMMANDS = frozenset({"command", "cmd", "commands", "input", "text"})
"""Names of arguments that are code only where the tool is one for code."""
_TOOLS = {
    "python": PYTHON,
    "ipython": PYTHON,
    "jupyter": PYTHON,
    "notebook": PYTHON,
    "powershell": POWERSHELL,
    "pwsh": POWERSHELL,
    "bash": SHELL,
    "shell": SHELL,
    "sh": SHELL,
    "zsh": SHELL,
    "terminal": SHELL,
    "cmd": SHELL,
    "command": SHELL,
    "exec": SHELL,
    "sql": COMMENTED,
    "osascript": COMMENTED,
    "applescript": COMMENTED,
    "evaluate": JAVASCRIPT,
    "javascript": JAVASCRIPT,
    "js": JAVASCRIPT,
}
_LANGUAGES = {
    "python": PYTHON,
    "python3": PYTHON,
    "py": PYTHON,
    "bash": SHELL,
    "shell": SHELL,
    "sh": SHELL,
    "zsh": SHELL,
    "javascript": JAVASCRIPT,
    "js": JAVASCRIPT,
    "typescript": JAVASCRIPT,
    "node": JAVASCRIPT,
    "powershell": POWERSHELL,
    "pwsh": POWERSHELL,
    "sql": COMMENTED,
    "applescript": COMMENTED,
    "lua": COMMENTED,
}
_TYPING = frozenset(
    {"write", "create", "edit", "save", "insert", "replace", "patch", "append", "type", "fill", "update"}
)
_FILES = frozenset({"path", "file_path", "filename", "file_name", "notebook_path", "filepath", "file"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh"})
_DEEPEST = 6


def bare_arguments(
    name: str, arguments: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[tuple[str, tuple[str, ...]], ...]]:
    """Return arguments without the words in the code that they hold, and those words by place.

    Args:
        name: The tool.
        arguments: Its arguments.
    """
    said = list[tuple[str, tuple[str, ...]]]()
    return _bare(name, arguments, "", said, 0), tuple(said)


def spoken_by(name: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the words in the code of a call, which what it prints repeats."""
    return tuple(word for _, words in bare_arguments(name, arguments)[1] for word in words)


def runs_code(name: str) -> bool:
    """Tell a tool that executes code or commands, by its name."""
    return _language_of_tool(name) is not None


def _bare(
    name: str, arguments: Mapping[str, Any], place: str, said: list[tuple[str, tuple[str, ...]]], depth: int
) -> dict[str, Any]:
    kept = dict(arguments)
    for key, value in arguments.items():
        where = f"{place}{key}"
        language = _language(name, key, arguments)
        if isinstance(value, dict) and depth < _DEEPEST:
            kept[key] = _bare(name, cast(dict[str, Any], value), f"{where}.", said, depth + 1)
        elif language is not None and isinstance(value, str | list):
            words = list[str]()
            kept[key] = _bare_value(cast(Any, value), language, key, words)
            said += [(where, tuple(words))] if words else []
    return kept


def _bare_value(value: Any, language: str, key: str, words: list[str]) -> Any:
    if isinstance(value, str):
        return _told(bare_text(value, language), words)
    lines = cast(list[Any], value)
    if not lines or not all(isinstance(one, str) for one in lines):
        return lines
    if lines[0] in _SHELLS and len(lines) > 2 and lines[1].startswith("-"):
        return [*lines[:2], _told(bare_text(lines[2], SHELL), words), *lines[3:]]
    if key == "commands":
        return [_told(bare_text(one, language), words) for one in lines]
    if key in _COMMANDS:  # a program with its arguments, each by itself
        said = lines[1:] if lines[0] in ("echo", "printf") else []
        words += said
        return lines[: len(lines) - len(said)]
    joined = "".join(lines) if any(one.endswith("\n") for one in lines) else "\n".join(lines)
    bare = bare_text(joined, language)
    words += bare.words
    return bare.text.splitlines() if bare.words else lines


def _told(bare: BareText, words: list[str]) -> str:
    words += bare.words
    return bare.text


def _language(name: str, key: str, arguments: Mapping[str, Any]) -> str | None:
    """Return the language of an argument; None where it is no code that is executed."""
    of_key = _KEYS.get(key.casefold())
    if of_key is None and key.casefold() not in _COMMANDS:
        return None
    of_tool = _language_of_tool(name)
    if of_key is None and of_tool is None:
        return None
    if key.casefold() not in ("command", "cmd") and _writes(name, arguments):
        return None
    named = arguments.get("language") or arguments.get("lang")
    told = _LANGUAGES.get(named.casefold()) if isinstance(named, str) else None
    return told or (of_tool if of_key in (None, ANY) else of_key) or of_key


def _writes(name: str, arguments: Mapping[str, Any]) -> bool:
    """Tell a tool that writes the code somewhere from one that executes it."""
    return not _FILES.isdisjoint(arguments) or not _TYPING.isdisjoint(_words(name))


@lru_cache(maxsize=4096)
def _language_of_tool(name: str) -> str | None:
    words = list(_words(name))
    return next((_TOOLS[word] for word in words if word in _TOOLS), None)


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORD.findall(name))
