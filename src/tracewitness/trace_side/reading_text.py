"""Observations written as lines of text, in any of the line notations, mixed or as plain text."""

import re
from collections.abc import Iterator
from functools import lru_cache

from tracewitness.trace_side.folding import quick_fold
from tracewitness.trace_side.interface_words import label_meanings
from tracewitness.trace_side.notation_plain import find_role
from tracewitness.trace_side.notation_tree import add_inner_text
from tracewitness.trace_side.reading_elements import Draft, TextReading, apply_mark, role_of_category, split_row
from tracewitness.trace_side.reading_line import NOTE, LineReading, read_line
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.self_remarks import SelfRemark

_HEADERS = frozenset({Role.PAGE, Role.GROUP, Role.HEADING})
_MESSAGES = frozenset({Role.TOAST, Role.STATUS, Role.ERROR})
_FEW = 3
_TERM = re.compile(r"- term: \S")
_DEFINITION = re.compile(r"- definition: (\S.*)$")
# YAML quotes a text that would read as a number.
_QUOTED_SCALAR = re.compile(r'"[^"\\]+"')
_DIALOG_LINES = 7


def read_lines(text: str) -> TextReading:
    """Return what a text of lines shows; every line that is not blank gives at least one element or a remark."""
    reader = _Lines()
    for line in _whole_quotes(text.split("\n")):
        if line.strip():
            reader.take(line)
    return reader.close()


def _whole_quotes(lines: list[str]) -> Iterator[str]:
    """Yield the lines, those of a quotation that spans several joined, so that none of them poses as an element."""
    at = 0
    while at < len(lines):
        closing = _left_open(lines[at])
        end = at
        if closing is not None:
            limit = min(len(lines), at + _QUOTE_LINES)
            end = next((n for n in range(at + 1, limit) if closing in lines[n]), at)
        yield lines[at] if end == at else "\u2028".join(lines[at : end + 1])
        at = end + 1


@lru_cache(maxsize=8192)
def _left_open(line: str) -> str | None:
    """Return the mark that closes a quotation that a line opens behind a role word and does not end; None for most."""
    opened = _OPEN_QUOTE.match(line)
    return None if opened is None else _CLOSERS[opened["quote"] or opened["single"]]


class _Lines:
    """Reads one observation, line by line."""

    def __init__(self) -> None:
        self._reading = TextReading()
        self._drafts = self._reading.drafts
        self._tag: tuple[Draft, int] | None = None
        self._unsure: list[int] = []
        self._notated = False
        self._dumped = False
        self._acknowledged = 0
        self._spoken = 0

    def take(self, source: str) -> None:
        """Read one line that is not blank."""
        read = read_line(source)
        if read.whole:
            self._drafts += [draft.copy() for draft in read.drafts]
            return
        self._reading.wordless = self._reading.wordless or read.wordless
        if read.blank:
            return
        self._acknowledged += read.acknowledged
        if read.remark is not None:
            self._take_remark(read.remark)
        if not self._stands_in_tag(read):
            self._take_drafts(read)

    def _take_remark(self, remark: SelfRemark) -> None:
        if remark is SelfRemark.STALE:
            self._reading.stale = True
        elif remark is SelfRemark.UNCHANGED and not self._drafts:
            self._reading.unchanged = True

    def _stands_in_tag(self, read: LineReading) -> bool:
        """Take a line beneath a browser-use element as its text; return whether it is one."""
        if self._tag is None or read.tag or read.depth <= self._tag[1] or read.line.startswith("["):
            return False
        draft = self._tag[0]
        add_inner_text(draft, read.line)
        draft.line = f"{draft.line}\n{read.line}" if "\n" not in draft.line else draft.line
        return True

    def _take_drafts(self, read: LineReading) -> None:
        drafts = self._pair(read) or [draft.copy() for draft in read.drafts]
        self._tag = (drafts[0], read.depth) if read.tag else None
        if read.unsure:
            self._unsure.append(len(self._drafts))
        self._notated = self._notated or read.notated
        self._dumped = self._dumped or read.dumped
        self._spoken += read.spoken
        self._drafts += drafts

    def _pair(self, read: LineReading) -> list[Draft]:
        """Return what a term and the definition below it say together, in place of the term: "Sound" and "Off"."""
        term = self._drafts[-1] if self._drafts else None
        said = _DEFINITION.match(read.line)
        if term is None or said is None or term.depth != read.depth or not _TERM.match(term.line):
            return []
        value = said[1][1:-1] if _QUOTED_SCALAR.fullmatch(said[1]) else said[1]
        told = [draft.copy() for draft in read_line(f"{term.name}: {value}").drafts]
        if len(told) != 1:
            return []
        told[0].depth, told[0].line = term.depth, f"{term.line} {read.line}"
        self._drafts.pop()
        return told

    def close(self) -> TextReading:
        """Settle what depends on the whole text and return the reading."""
        for place in self._unsure:
            self._settle(place)
        reading = self._reading
        if not self._notated:
            _find_bare_dialog(self._drafts)
        _name_first_header(self._drafts)
        told = [draft for draft in self._drafts if draft.role not in {Role.RUNNER, Role.CONSOLE, Role.NETWORK}]
        reading.title = next((d.name for d in told if d.role is Role.PAGE and d.name), "")
        reading.acknowledgement = bool(told or reading.wordless) and self._acknowledged == len(told)
        reading.partial = reading.acknowledgement or self._spoken > 0 or _is_partial(told, self._notated, self._dumped)
        return reading

    def _settle(self, place: int) -> None:
        """Decide whether a line that begins with a role word and has no quotes is an element or a text."""
        draft = self._drafts[place]
        found = find_role(draft.line)
        if found is None:
            return
        category, head, rest = found
        lower = head.isascii() and head == head.lower()
        has_children = place + 1 < len(self._drafts) and self._drafts[place + 1].depth > draft.depth
        if not lower and not (self._notated and (not rest or has_children or category == "field")):
            return
        if lower and not self._notated and rest.count(" ") > 1:
            return
        self._drafts[place] = _draft_of_role(category, head, rest, draft)


def _draft_of_role(category: str, head: str, rest: str, draft: Draft) -> Draft:
    role = role_of_category(category)
    label, marks = _split_marks(rest)
    made = Draft(role, label, line=draft.line, depth=draft.depth)
    if role is Role.FIELD and (category == "bare_field" or label[:1].isdigit()):
        made.name, made.value = draft.line.split()[0], label
    if role is Role.GROUP and (not label or label[0] in "([（"):
        made.name = f"{head} {label}".strip()
    if role is Role.ROW:
        made.name, made.value = split_row(label)
    for mark in marks:
        apply_mark(made, mark)
    return made


def _split_marks(text: str) -> tuple[str, list[str]]:
    marks = [mark for mark in re.findall(r"[\[(（【]([^\])）】]{0,80})[\])）】]", text) if not mark.strip().isdigit()]
    for mark in marks:
        text = re.sub(rf"\s*[\[(（【]{re.escape(mark)}[\])）】]", "", text)
    return text.strip(), marks


# A role word, then a quotation that does not end on its line.
_OPEN_QUOTE = re.compile(
    r"""\s*[^\W\d][\w -]{0,30}(?: '[^']{0,80}'(?: =)?)? (?:(?P<quote>["“„«「『])[^"”“»」』]*|(?P<single>')[^']*)$"""
)
_CLOSERS = {"'": "'", '"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
_QUOTE_LINES = 40


def _find_bare_dialog(drafts: list[Draft]) -> None:
    """Turn the first line of a bare text into a dialog where it asks something and a later line offers to cancel."""
    if not drafts or len(drafts) > _DIALOG_LINES or not drafts[0].line.rstrip().endswith(("?", "？")):
        return
    if any("cancel" in label_meanings(draft.name) for draft in drafts[1:]):
        drafts[0].role, drafts[0].name, drafts[0].value = Role.DIALOG, drafts[0].line.strip(), None


def _name_first_header(drafts: list[Draft]) -> None:
    """Turn an unquoted first line with deeper lines beneath it into the page's title."""
    if len(drafts) > 1 and drafts[0].role is Role.TEXT and drafts[0].depth < drafts[1].depth:
        if drafts[0].value is None and drafts[0].name == drafts[0].line and not NOTE.fullmatch(drafts[0].line):
            drafts[0].role = Role.PAGE


def _is_partial(drafts: list[Draft], notated: bool, dumped: bool) -> bool:
    """Return whether a text shows so little that absence from it says nothing.

    That is: an open dialog or menu without the page beneath it, a lone line, or a few elements under no page, list or
    heading. Element lists and accessibility trees are dumps of the whole screen, however short.
    """
    if any(draft.role is Role.DIALOG for draft in drafts):
        return not any(draft.role is Role.PAGE for draft in drafts)
    if dumped:
        return False
    if len(drafts) <= 1:
        return not any(draft.role is Role.PAGE and draft.name for draft in drafts)
    if notated and _is_menu(drafts):
        return True
    if any(draft.role in _HEADERS for draft in drafts):
        return False
    return notated and len(drafts) <= _FEW


def _is_menu(drafts: list[Draft]) -> bool:
    """Return whether a text is an open menu and no more: it begins with it, messages apart."""
    headers = [draft for draft in drafts if draft.role in _HEADERS]
    first = next((draft for draft in drafts if draft.role not in _MESSAGES), None)
    if first is None or len(headers) != 1 or headers[0] is not first:
        return False
    return first.role is Role.GROUP and _says_menu(first.line)


def _says_menu(line: str) -> bool:
    return quick_fold(line).removeprefix("- ").split(" ")[0].rstrip(":") in _MENU_WORDS


_MENU_WORDS = frozenset({"menu", "menú", "menü", "菜单", "選單", "メニュー", "메뉴"})
