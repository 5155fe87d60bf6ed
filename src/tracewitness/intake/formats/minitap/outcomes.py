"""What a tool of mobile-use says that it did: the sentence it makes itself, behind the agent's thought in one record.

Only a whole sentence of a known form counts, and only behind a thought; whatever else stands there is narration.
"""

import ast
import re
from dataclasses import dataclass

from tracewitness.trace_side.trace import Action

_REPR = r"""(?P<text>'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")"""
_NEW_TEXT = r"(?: New text in the input is '.*'\.)?"
_FORMS: tuple[tuple[str, str, bool], ...] = (
    ("click", r"Tap on element with (?P<target>.+) was successful\.", False),
    ("click", r"Failed to tap on element\. Attempts: .*", True),
    ("long_press", r"Long press on element with (?P<target>.+) was successful\.", False),
    ("type", rf"Typed {_REPR}(?:\n.*| using [\w ]{{1,40}}\. Should now verify before moving forward\.)?", False),
    ("type", rf"Failed to input text {_REPR}\. Reason: .*", True),
    ("type", r"Failed to focus the text input element before typing\.", True),
    ("clear", rf"No text clearing was needed \(the input was already empty\)\.{_NEW_TEXT}", False),
    ("clear", rf"Text erased successfully\. -?\d{{1,9}} characters were erased\.{_NEW_TEXT}", False),
    ("clear", r"Failed to erase text\. .*", True),
    ("long_press", r"Failed to long press on element\. Last attempt was with .*", True),
    ("open_app", r"App '(?P<target>[^'\n]*)' launched successfully\.", False),
    ("open_app", r"Failed to launch app '(?P<target>[^'\n]*)': .*", True),
    ("navigate", r"Link (?P<target>\S+) opened successfully\.", False),
    ("navigate", r"Failed to open link\.", True),
    ("press_key", r"Key (?P<text>[\w ]{1,40}) pressed successfully\.", False),
    ("press_key", r"Failed to press key (?P<text>[\w ]{1,40})\.", True),
    ("stop_app", r"App (?P<target>\S+) stopped successfully\.", False),
    ("stop_app", r"Failed to stop app (?P<target>\S+)\.", True),
    ("swipe", r"Swipe is successful\.", False),
    ("swipe", r"Failed to swipe\.", True),
    ("navigate_back", r"Navigated to the previous screen\.", False),
    ("navigate_back", r"Failed to navigate to the previous screen\.", True),
    ("wait", r"Successfully waited for \d{1,9} milliseconds\.", False),
    ("wait", r"Failed to wait for delay\.", True),
)
_COMPILED = [(kind, re.compile(form, re.DOTALL), failed) for kind, form, failed in _FORMS]
_AT = re.compile(r"^coordinates (\(-?\d{1,6}(?:\.\d{1,6})?, -?\d{1,6}(?:\.\d{1,6})?\))$")
_NAMED = re.compile(r"^text='(.*)' \(index=\w{1,9}\)$|^resource_id='(.*)' \(index=\w{1,9}\)$", re.DOTALL)
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tool's sentence: the action it tells of, whether it failed, and its words."""

    action: Action
    failed: bool
    words: str


def outcome_of(thoughts: tuple[str, ...]) -> Outcome | None:
    """Return what the tool says at the end of a record; None where no tool says anything there."""
    words = thoughts[-1].strip() if len(thoughts) > 1 else ""
    if not words or len(words) > _LONGEST:
        return None
    for kind, form, failed in _COMPILED:
        found = form.fullmatch(words)
        if found is not None:
            given = found.groupdict()
            action = Action(kind, _target(given.get("target")), _bare(given.get("text")), None)
            return Outcome(action, failed, words)
    return None


def _target(written: str | None) -> str | None:
    if written is None:
        return None
    if (point := _AT.match(written)) is not None:
        return point.group(1)
    named = _NAMED.match(written)
    return (named.group(1) or named.group(2)) if named else written


def _bare(written: str | None) -> str | None:
    """Return a text that was written as Python writes texts."""
    if not written or written[0] not in "'\"":
        return written
    try:
        text = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError):
        return written[1:-1]
    return text.encode("utf-8", "replace").decode("utf-8") if isinstance(text, str) else written[1:-1]
