"""Calls of tools and shells: what they are called with, and whether they only look."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from tracewitness.trace_side.trace import Action

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINS = re.compile(r"(?<=[^\W_])[_.]+(?=[^\W_])")
_SHELLS = frozenset(
    "bash shell sh execute_bash run_bash bash_command terminal run_command execute_command run_shell run_shell_command "
    "run_terminal_cmd run_terminal_command shell_command exec execute_shell".split()
)
_COMMAND_KEYS = ("command", "cmd", "script", "input", "code")
_BREAKS = re.compile(r"[;|&\n]+")
_HARMLESS = re.compile(r"(?:\d|&)?>\s*(?:/dev/null|&\d)")
_LOOKING = frozenset(
    "ls cat head tail pwd cd grep egrep rg wc stat file diff tree which date du df sort uniq less more find".split(" ")
)
_DEEDS = {
    "find": ("-delete", "-exec", "-ok", "-fprint", "-fls"),
    "sort": ("-o", "--output"),
    "date": ("-s", "--set"),
}
_LONGEST = 20_000
_SPELLED = 2_000


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as it is logged: ``{"read_file": {"path": "a.txt"}}``.

    Attributes:
        name: The tool.
        arguments: What it was called with.
    """

    name: str
    arguments: dict[str, Any]

    @property
    def command(self) -> str | None:
        """The command line, where the tool is a shell."""
        if _CAMEL.sub("_", self.name).lower().rpartition(".")[2] not in _SHELLS:
            return None
        return next((v for key in _COMMAND_KEYS if isinstance(v := self.arguments.get(key), str)), None)

    def texts(self) -> Iterator[str]:
        """Yield the texts among the arguments, at any depth, in order."""
        waiting: list[Any] = [self.arguments]
        while waiting:
            held = waiting.pop()
            if isinstance(held, str):
                yield held
            elif isinstance(held, dict):
                waiting += reversed(cast("dict[str, Any]", held).values())
            elif isinstance(held, list):
                waiting += reversed(cast("list[Any]", held))


def call_in(action: Action) -> ToolCall | None:
    """Return the call that an action is, or None where it is not logged as one."""
    return _call_in(action.raw) if action.raw and action.raw[0] == "{" and len(action.raw) <= _LONGEST else None


@lru_cache(maxsize=512)
def _call_in(raw: str) -> ToolCall | None:
    try:
        logged: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(logged, dict) or len(cast("dict[str, Any]", logged)) != 1:
        return None
    ((name, arguments),) = cast("dict[str, Any]", logged).items()
    return ToolCall(name, cast("dict[str, Any]", arguments)) if isinstance(arguments, dict) else None


def words_of_call(action: Action) -> str:
    """Return an action as it is logged with the texts that it was called with, which JSON may have escaped there."""
    call = call_in(action)
    return " | ".join((action.raw or "", *(call.texts() if call is not None else ())))


def only_looks(command: str) -> bool:
    """Return whether a command line reads and prints and does nothing else, as far as its words tell."""
    told = _HARMLESS.sub(" ", command)
    if not told.strip() or any(sign in told for sign in (">", "`", "$(", "<(")):
        return False
    return all(_segment_looks(words) for part in _BREAKS.split(told) if (words := part.split()))


def _segment_looks(words: list[str]) -> bool:
    if words[0] == "git":
        return len(words) > 1 and words[1] in {"status", "log", "diff", "show"}
    if words[0] == "sed":
        return "-n" in words[1:] and not any(word.startswith(("-i", "--in-place")) for word in words[1:])
    deeds = _DEEDS.get(words[0], ())
    return words[0] in _LOOKING and not any(word.startswith(deeds) for word in words[1:] if deeds)


def spelled(identifiers: str) -> str:
    """Return identifiers as words: ``dark_mode``, ``darkMode`` and ``settings.dark_mode`` hold "dark mode".

    Of a long text only the beginning is returned.
    """
    return _spelled(identifiers[:_SPELLED])


@lru_cache(maxsize=2048)
def _spelled(identifiers: str) -> str:
    return _JOINS.sub(" ", _CAMEL.sub(" ", identifiers))
