"""Looking with a tool at what another call changed: a file that is read again, a listing without what was removed."""

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.moves import Move, Played
from tracewitness.trace_side.names import plain
from tracewitness.trace_side.reading import Reading, no, yes
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.tool_calls import ToolCall, call_in, spelled
from tracewitness.trace_side.view import View

_RESULT = re.compile(r"^(?:result|output):[ \t]*", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*\d+\s*(?:\t|→|[|:] )")
_CONTENT_KEYS = frozenset({"content", "contents", "text", "body", "data", "result", "output"})
_LISTING = frozenset({"list", "ls", "index", "enumerate"})
_GETTING = frozenset({"get", "show", "fetch", "view", "read", "browse"})
_REMOVING = frozenset({"rm", "unlink", "rmdir"})
_READING = frozenset({"read", "get", "view", "open", "cat", "load", "show"})
_LETTERS = 3
_CAT_WORDS = 2


def reads_back(patterns: GoalPatterns, view: View, led: Played) -> Reading | None:
    """Return YES where a call that names the object returned exactly the text that it should have, NO for another.

    Only the whole of what was returned counts: a text with something more in it is not what was asked for, though it
    may be more than the text alone.

    Args:
        patterns: The goal; it must name one object and ask for one text.
        view: What the call returned.
        led: The step that led there.
    """
    wanted = [value for value in patterns.goal.values if value.strip()]
    if len(wanted) != 1 or not patterns.targets or not _looked(view, led):
        return None
    if not all(target.named_in(led.step.action.raw or "") for target in patterns.targets):
        return None
    held = next((e for e in view.elements if _last_of_path(e) in _CONTENT_KEYS and " = " in e.line), None)
    shown = _plain_lines(held.value or "") if held is not None else _lines(view.elements)
    element = held or view.elements[0]
    if shown == _plain_lines(wanted[0]):
        return yes(view.scene, element)
    holds = any(value.shown_in(line) for value in patterns.values for line in (*shown, " ".join(shown)))
    return None if holds or not _reads_whole(led) else no(view.scene, element, EvidenceCause.WRONG_VALUE)


def _reads_whole(led: Played) -> bool:
    """Return whether a call reads a file from its beginning to its end: it is given the path and nothing else."""
    call = call_in(led.step.action)
    if call is None or "_" in call.name and not set(spelled(call.name).lower().split()) & _READING:
        return False
    words = _words(call.command or "")
    return len(call.arguments) == 1 if call.command is None else len(words) == _CAT_WORDS and words[0] == "cat"


def _last_of_path(element: Element) -> str:
    """Return the last part of the path of a value in JSON."""
    return element.name.rpartition(".")[2].casefold()


def _looked(view: View, led: Played) -> bool:
    """Return whether a scene is what a call that only looks returned, without an error."""
    step = led.step
    shown = view.scene.part is StepPart.AFTER and view.scene.step == step.index and bool(view.elements)
    clean = not step.error and step.action.executed and not any(e.role is Role.ERROR for e in view.elements)
    return shown and clean and led.move is Move.LOOK and call_in(step.action) is not None


def _lines(elements: Sequence[Element]) -> list[str]:
    lines = list(dict.fromkeys(element.line for element in elements))
    lines[0] = _RESULT.sub("", lines[0])
    numbered = all(_NUMBERED.match(line) for line in lines)
    return [" ".join((_NUMBERED.sub("", line) if numbered else line).split()) for line in lines if line.strip()]


def _plain_lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def lists_without(patterns: GoalPatterns, view: View, done: Sequence[Played]) -> Reading | None:
    """Return YES where a listing no longer holds what a call before it was told to remove.

    The listing must be one of the place that it was removed from: of the same directory, or by a tool that lists what
    the removing one removes (``list_notes`` after ``delete_note``), without arguments that narrow it.

    Args:
        patterns: The goal; it must name its objects.
        view: What the listing returned.
        done: The steps up to the listing, which is the last of them.
    """
    if not patterns.targets or patterns.goal.every or not _looked(view, done[-1]):
        return None
    if view.scene.stale or view.filtered or view.goes_on or view.dialog is not None:
        return None
    listing = call_in(done[-1].step.action)
    shown = plain(" | ".join(e.line for e in view.elements))
    if listing is None or any(target.phrase in shown for target in patterns.targets):
        return None
    for target in patterns.targets:
        removals = (p for p in done[:-1] if p.move in (Move.WRITE, Move.TOUCH) and _removes(patterns, p))
        calls = (call_in(p.step.action) for p in removals if not p.step.error and p.step.action.executed)
        if not any(call is not None and _removed_from(call, target.phrase, listing) for call in calls):
            return None
    return yes(view.scene, view.elements[0])


def lists_other(patterns: GoalPatterns, view: View, done: Sequence[Played]) -> Reading | None:
    """Return NO where a listing of what a call before it was told to make does not hold it.

    The listing must be empty, or its entries must say what the call was told ("time", "title"), of other things.
    """
    if not _looked(view, done[-1]) or view.scene.stale or view.filtered or view.goes_on:
        return None
    listing = call_in(done[-1].step.action)
    if listing is None or not _lists_several(listing) or any(_names_or_values(patterns, view)):
        return None
    made = next((p for p in reversed(done[:-1]) if p.move is Move.WRITE and not p.step.error), None)
    call = call_in(made.step.action) if made is not None else None
    if call is None or not _same_things(call, listing) or any(v not in ("", None) for v in listing.arguments.values()):
        return None
    rows = [view.elements[place] for place in view.rows()]
    told = [key for key, value in call.arguments.items() if patterns.names_or_values(str(value))]
    alike = bool(rows) and any(all(f"{key}: " in row.line for row in rows) for key in told)
    sign = rows[0] if alike else view.empty_sign
    return no(view.scene, sign) if sign is not None and (alike or not rows) else None


def _names_or_values(patterns: GoalPatterns, view: View) -> Iterator[bool]:
    return (patterns.names_or_values(e.line) for e in view.elements)


def _lists_several(listing: ToolCall) -> bool:
    words = spelled(listing.name).lower().split()
    return words[0] in _LISTING or (words[0] in _GETTING and words[-1].endswith("s"))


def _same_things(left: ToolCall, right: ToolCall) -> bool:
    """Return whether two tools are about the same kind of thing (``create_alarm``, ``list_alarms``)."""
    words = [{word.rstrip("s") for word in spelled(call.name).lower().split()[1:]} for call in (left, right)]
    return bool({word for word in words[0] if len(word) >= _LETTERS} & words[1])


def _removes(patterns: GoalPatterns, played: Played) -> bool:
    """Return whether a call does not merely archive what should be deleted."""
    return "archive" not in played.step.action.kind.casefold() or "archive" in plain(patterns.goal.text)


def _removed_from(removal: ToolCall, name: str, listing: ToolCall) -> bool:
    if removal.command is not None or listing.command is not None:
        place = _listed_place(listing.command or "")
        return place is not None and place in _removed_places(removal.command or "", name)
    if any(value not in ("", None, [], {}) for value in listing.arguments.values()):
        return False
    if not any(isinstance(value, str) and plain(value) == name for value in removal.arguments.values()):
        return False
    return _lists_several(listing) and _same_things(removal, listing)


def _listed_place(command: str) -> str | None:
    """Return the directory that a plain ``ls`` lists; None for any other command line."""
    words = _words(command)
    if not words or words[0] != "ls" or any(sign in command for sign in "*?|;&"):
        return None
    places = [word for word in words[1:] if not word.startswith("-")]
    return posixpath.normpath(places[0] if places else ".") if len(places) < 2 else None


def _removed_places(command: str, name: str) -> set[str]:
    """Return the directories from which a plain ``rm`` removes what is called so."""
    words = _words(command)
    if not words or words[0] not in _REMOVING or any(sign in command for sign in "|;&"):
        return set()
    paths = [posixpath.normpath(word) for word in words[1:] if not word.startswith("-")]
    return {posixpath.dirname(path) or "." for path in paths if plain(posixpath.basename(path)) == name}


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []
