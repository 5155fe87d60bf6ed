"""What kind of thing an executed action does, as far as its name tells."""

import re
from enum import StrEnum
from functools import lru_cache

from tracewitness.trace_side.screen_words import words_of
from tracewitness.trace_side.tool_calls import call_in, only_looks
from tracewitness.trace_side.trace import Action


class Effect(StrEnum):
    """What an action does to the environment, by its name alone."""

    NONE = "none"
    MOVE = "move"
    ENTER = "enter"
    ACTIVATE = "activate"
    CALL = "call"
    ASK = "ask"
    FINISH = "finish"


_CHANGING = frozenset({Effect.ENTER, Effect.ACTIVATE, Effect.CALL})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
_LEADING_NAME = re.compile(r"""\s*\{?\s*["']?(?:name["']\s*:\s*["'])?([A-Za-z][\w.]*)""")
_GENERIC = frozenset(
    {"tool", "tool_call", "call", "function", "function_call", "action", "unknown", "other", "arguments"}
)


def effect_of(action: Action) -> Effect:
    """Return what an action does, by its kind or, for a generic kind such as ``tool``, by the called name.

    Names without an entry in ``data/actions.tsv`` are CALL: they may change anything.
    """
    call = call_in(action)
    if call is not None and call.command is not None and only_looks(call.command):
        return Effect.NONE
    kind = _plain(action.kind)
    if kind in _GENERIC and action.raw:
        found = _LEADING_NAME.match(action.raw[:200])
        kind = _plain(found.group(1)) if found else kind
    return _by_name(kind)


def may_change_state(action: Action) -> bool:
    """Return whether an executed action may change more than what is on screen (navigation and reading do not)."""
    return action.executed and effect_of(action) in _CHANGING


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    return _NOT_WORD.sub("_", _CAMEL.sub("_", name).lower()).strip("_")


@lru_cache(maxsize=4096)
def _by_name(kind: str) -> Effect:
    """Look up the whole name, then its last and first words, ``browser_click`` being a ``click``."""
    table = words_of("actions")
    words = kind.split("_")
    for name in (kind, "_".join(words[1:]), words[-1], words[0]):
        effect = table.get(name)
        if effect is not None:
            return Effect(effect)
    return Effect.CALL
