"""What a model thought aloud is cut off before its answer is read."""

import json
import re

_WORDS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|seed:think"
_OPENING = re.compile(rf"<(?:{_WORDS})>|◁think▷|\[THINK\]", re.IGNORECASE)
_CLOSING = re.compile(rf"</(?:{_WORDS})>|◁/think▷|\[/THINK\]", re.IGNORECASE)

_OBJECT_STARTS = ("{", "```")

_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")


def without_thinking(text: str) -> str:
    """Return a text from where the thinking ends; empty where it never ends.

    Thinking is what stands between tags such as ``<think>`` and ``</think>`` (also without the opening one, which some
    chat templates put into the prompt), and every channel but the last ``final`` one of a text in channels. Tags inside
    the answer's own object are text like any other.
    """
    if "<|channel|>" in text and not text.lstrip().startswith(_OBJECT_STARTS):
        text = _final_channel(text)
    while (rest := _one_thought_less(text)) is not None:
        text = rest
    return text


def _final_channel(text: str) -> str:
    final = None
    for found in _CHANNEL.finditer(text):
        if found.group(1) == "final":
            final = found
    if final is None:
        return ""
    ended = _CHANNEL_END.search(text, final.end())
    return text[final.end() : ended.start() if ended else len(text)]


def _one_thought_less(text: str) -> str | None:
    """Return the text behind its first thought; None where it holds none."""
    start = _end_of_object(text)
    if start is None:
        return None
    closing = _CLOSING.search(text, start)
    if closing is not None:
        return text[closing.end() :]
    opening = _OPENING.search(text, start)
    # A thought that begins behind an object leaves that object as the answer.
    return "" if opening is not None and text.find("{", 0, opening.start()) < 0 else None


def _end_of_object(text: str) -> int | None:
    """Return where the object ends with which a text begins, fenced or not; 0 without one, None where it never ends."""
    if not text.lstrip().startswith(_OBJECT_STARTS):
        return 0
    brace = text.find("{")
    if brace < 0:
        return 0
    try:
        return json.JSONDecoder().raw_decode(text, brace)[1]
    except (ValueError, RecursionError):
        return None
