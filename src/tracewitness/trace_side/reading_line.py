"""One line of an observation, read for itself; screens repeat their lines at every step, so the last ones are kept."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tracewitness.trace_side.notation_plain import find_role, read_plain
from tracewitness.trace_side.notation_tree import read_indexed_tag, read_tree_line, read_ui_element, read_yaml_line
from tracewitness.trace_side.reading_elements import Draft, role_of_category, split_row, state_of_words
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.self_remarks import SelfRemark, image_left_out, is_acknowledgement, remark_in

NOTE = re.compile(r"[(（][^()（）]*[)）]")
"""A line that is nothing but a note in brackets."""

_REQUEST = re.compile(
    r"(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)\s+(\S+)\s*(?:->|→|=>|⇒|:|\s)?\s*(?:HTTP\S*\s+)?(\d{3})?(?:\s|$)"
)
_CELL = re.compile(r"([A-Z]{1,3}\d{1,5})\s*[=:]?\s+(.*)|([A-Z]{1,3}\d{1,5})\s*[=:]\s*(.*)")
_LABELLED = re.compile(r"([^:：\n]{1,40}?)\s?(?::\s+|：\s*)(\S.*)$")
_EMPTY_LABELLED = re.compile(r"([^:：'\"]{1,40})[:：]$")
_SEGMENTS = re.compile(r"\s{2,}")
_PAGE_EDGE = re.compile(r"\[(?:Start|End) of page\]|\.\.\. \d+ pixels .*|\.\.\. ?\d+ .*scroll.*", re.IGNORECASE)
_NUMBERED = re.compile(r"\[\d{1,5}\]\s+(?=[A-Z][\w ]{1,24}:\s)")
_NUMBERED_ROLES = frozenset({Role.BUTTON, Role.DIALOG, Role.HEADING, Role.LINK, Role.ROW, Role.STATUS, Role.TAB})
_LOGGED_ROLES = frozenset({Role.RUNNER, Role.CONSOLE, Role.ERROR, Role.TOAST, Role.NETWORK})
_SPEAKER = re.compile(r"(?:USER|HUMAN|TOOL|ASSISTANT|SYSTEM):\s*")
# "[x] Bread", "☐ Eggs": a box before its label, as to-do lists write it.
_BOX = re.compile(r"(?:[-*]\s+)?(?P<mark>\[[ xX✓✔*●•]\]|\([ oOxX*●•]\)|[☐☑☒○●◉◯])\s+(?P<label>\S.*)")
_LONG_LINE = 2000
_KEPT_LENGTH = 300
_TAB = 2

_NOTATIONS: tuple[Callable[[str, int], list[Draft] | None], ...] = (read_yaml_line, read_ui_element, read_tree_line)


@dataclass(slots=True)
class LineReading:
    """What a line says for itself. It is shared by all texts that hold the line: copy a draft before changing it.

    Attributes:
        line: The line without white space around it and without the placeholder of an image.
        depth: Its indentation.
        drafts: The elements that it gives.
        whole: It was too long to be read, or spans several lines, and is taken for a text as it stands.
        blank: It gives nothing: the edge of a page, or a placeholder alone.
        wordless: An image was left out of it.
        acknowledged: It is only a tool's own word that it did as told.
        remark: What it says about its own observation.
        tag: It is a tag, whose inner text may follow on deeper lines.
        notated: It is written in a notation of elements.
        dumped: That notation is one of dumps of a whole screen.
        unsure: It begins with a role word, and the whole text must tell whether it is an element.
        spoken: It is a turn of a conversation.
    """

    line: str
    depth: int
    drafts: tuple[Draft, ...] = ()
    whole: bool = False
    blank: bool = False
    wordless: bool = False
    acknowledged: bool = False
    remark: SelfRemark | None = None
    tag: bool = False
    notated: bool = False
    dumped: bool = False
    unsure: bool = False
    spoken: bool = False


def read_line(source: str) -> LineReading:
    """Return what a line that is not blank says for itself."""
    return _read_once(source) if len(source) <= _KEPT_LENGTH else _read(source)


@lru_cache(maxsize=16384)
def _read_once(source: str) -> LineReading:
    return _read(source)


def _read(source: str) -> LineReading:
    line = source.strip()
    reading = LineReading(line, _depth_of(source))
    if len(line) > _LONG_LINE or "\u2028" in line:
        line = line.replace("\u2028", "\n")
        reading.whole = True
        reading.drafts = (Draft(Role.TEXT, line, line=line, depth=reading.depth, fixed=True),)
        return reading
    shown = image_left_out(line)
    if shown is not None:
        reading.line = line = shown
        reading.wordless = True
    if not line or _PAGE_EDGE.fullmatch(line):
        reading.blank = True
        return reading
    reading.acknowledged = is_acknowledgement(line)
    reading.remark = remark_in(line)
    reading.drafts = tuple(_take_tag(reading) or _take_request(reading) or _take_notation(reading))
    return reading


def _take_tag(reading: LineReading) -> list[Draft]:
    """Read a browser-use element."""
    draft = read_indexed_tag(reading.line, reading.depth) if "<" in reading.line else None
    if draft is None:
        return []
    reading.tag = reading.notated = reading.dumped = True
    return [draft]


def _take_request(reading: LineReading) -> list[Draft]:
    found = _REQUEST.match(reading.line)
    if found is None:
        return []
    name = f"{found.group(1)} {found.group(2)}"
    return [Draft(Role.NETWORK, name, found.group(3), line=reading.line, depth=reading.depth, fixed=True)]


def _take_notation(reading: LineReading) -> list[Draft]:
    line, depth = reading.line, reading.depth
    if _BOX.match(line):
        return [draft_of_text(line, depth)]
    for read in _NOTATIONS:
        drafts = read(line, depth)
        if drafts is not None:
            reading.notated = True
            reading.dumped = read is not read_yaml_line
            return drafts
    cells = _cells(line, depth)
    if cells:
        return cells
    drafts = read_plain(line, depth)
    if drafts:
        reading.notated = any(draft.role is not Role.TEXT for draft in drafts)
        return drafts
    return [_take_unquoted(reading)]


def _cells(line: str, depth: int) -> list[Draft]:
    """Read ``C2 59  C3 64``: cells of a sheet, two spaces apart."""
    if not line[:1].isupper() or not line.isascii() or not any(sign.isdigit() for sign in line[:6]):
        return []
    drafts: list[Draft] = []
    for segment in _SEGMENTS.split(line):
        match = _CELL.fullmatch(segment)
        if match is None:
            return []
        name, value = match.group(1) or match.group(3), match.group(2) or match.group(4) or ""
        drafts.append(Draft(Role.CELL, name, value.strip("'\""), line=line, depth=depth))
    return drafts


def _take_unquoted(reading: LineReading) -> Draft:
    """Read a line without quotes: role and label, "label: value", "label  state", or just text."""
    line, depth = reading.line, reading.depth
    numbered = _NUMBERED.match(line)
    role = find_role(line[numbered.end() :] if numbered else line)
    if role is not None:
        category, head, rest = role
        if numbered and rest and role_of_category(category) in _NUMBERED_ROLES:
            reading.notated = True
            return Draft(role_of_category(category), rest.lstrip(":： "), line=line, depth=depth, fixed=True)
        if head.endswith((":", "：")) or rest.startswith((":", "：")):
            return _labelled_role(category, head, rest.lstrip(":： "), line, depth)
        reading.unsure = True
    speaker = _SPEAKER.match(line)
    if speaker:
        reading.spoken = True
        return Draft(Role.TEXT, line[speaker.end() :] or line, line=line, depth=depth)
    return draft_of_text(line, depth)


def _labelled_role(category: str, head: str, rest: str, line: str, depth: int) -> Draft:
    role = role_of_category(category)
    if role in _LOGGED_ROLES:
        return Draft(role, rest or head.rstrip(":："), line=line, depth=depth, fixed=True)
    return draft_of_text(line, depth) if rest else Draft(role, "", line=line, depth=depth)


def draft_of_text(line: str, depth: int) -> Draft:
    """Return a text, as label and value where it is written "label: value" or "label  state"."""
    draft = Draft(Role.TEXT, line, line=line, depth=depth)
    box = _BOX.match(line)
    if box:
        on = bool(box["mark"].strip("[]() ☐○◯"))
        return Draft(Role.CHOICE, box["label"].strip("'\""), on=on, line=line, depth=depth, fixed=True)
    if NOTE.fullmatch(line) and line[0] in "(（":
        draft.role = Role.OTHER
        return draft
    segments = _SEGMENTS.split(line)
    if len(segments) > 1:
        state = state_of_words(segments[-1]) if len(segments) == _TAB else None
        if state is not None:
            return Draft(Role.STATUS, segments[0], segments[-1], on=state, line=line, depth=depth, fixed=True)
        draft.role, draft.name, draft.value = Role.ROW, segments[0], line
        return draft
    if " | " in line or "\t" in line:
        draft.role = Role.ROW
        draft.name, draft.value = split_row(line)
        return draft
    found = _LABELLED.match(line)
    if found and not found.group(1).endswith((".", "!", "?", "。")):
        said = found.group(2).strip()
        draft.name, draft.value = found.group(1).strip(), said
        state = state_of_words(said)
        if state is not None and not said.isdigit():
            draft.on, draft.role, draft.fixed = state, Role.STATUS, True
        return draft
    empty = _EMPTY_LABELLED.match(line)
    if empty:
        draft.name, draft.value = empty.group(1).strip(), ""
    return draft


def _depth_of(source: str) -> int:
    blank = source[: len(source) - len(source.lstrip())]
    return blank.count("\t") + (len(blank) - blank.count("\t")) // _TAB if blank else 0
