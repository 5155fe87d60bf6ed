"""Observations written as lines of text, in any of the line notations, mixed or as plain text."""

import re
from collections.abc import Callable, Iterator

from tracewitness.trace_side.folding import quick_fold
from tracewitness.trace_side.interface_words import label_meanings
from tracewitness.trace_side.notation_plain import find_role, read_plain
from tracewitness.trace_side.notation_tree import (
    add_inner_text,
    read_indexed_tag,
    read_tree_line,
    read_ui_element,
    read_yaml_line,
)
from tracewitness.trace_side.reading_elements import (
    Draft,
    TextReading,
    apply_mark,
    role_of_category,
    split_row,
    state_of_words,
)
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.self_remarks import SelfRemark, image_left_out, is_acknowledgement, remark_in

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
_SPEAKER = re.compile(r"(?:USER|HUMAN|TOOL|ASSISTANT|SYSTEM):\s*")
_NOTE = re.compile(r"[(（][^()（）]*[)）]")
_LONG_LINE = 2000
_HEADERS = frozenset({Role.PAGE, Role.GROUP, Role.HEADING})
_FEW = 3
_DIALOG_LINES = 7
_TAB = 2

_NOTATIONS: tuple[Callable[[str, int], list[Draft] | None], ...] = (read_yaml_line, read_ui_element, read_tree_line)


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
        opened = _OPEN_QUOTE.match(lines[at])
        end = at
        if opened is not None:
            closing = _CLOSERS[opened["quote"] or opened["single"]]
            limit = min(len(lines), at + _QUOTE_LINES)
            end = next((n for n in range(at + 1, limit) if closing in lines[n]), at)
        yield lines[at] if end == at else "\u2028".join(lines[at : end + 1])
        at = end + 1


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
        line = source.strip()
        depth = _depth_of(source)
        if len(line) > _LONG_LINE or "\u2028" in line:
            line = line.replace("\u2028", "\n")
            self._drafts.append(Draft(Role.TEXT, line, line=line, depth=depth, fixed=True))
            return
        shown = image_left_out(line)
        if shown is not None:
            line = shown
            self._reading.wordless = True
        if not line or _PAGE_EDGE.fullmatch(line):
            return
        if is_acknowledgement(line):
            self._acknowledged += 1
        self._take_remark(line)
        if not self._take_tag(line, depth) and not self._take_request(line, depth):
            self._take_notation(line, depth)

    def _take_remark(self, line: str) -> None:
        remark = remark_in(line)
        if remark is SelfRemark.STALE:
            self._reading.stale = True
        elif remark is SelfRemark.UNCHANGED and not self._drafts:
            self._reading.unchanged = True

    def _take_tag(self, line: str, depth: int) -> bool:
        """Read a browser-use element, or the text beneath one."""
        draft = read_indexed_tag(line, depth) if "<" in line else None
        if draft is not None:
            self._drafts.append(draft)
            self._tag = (draft, depth)
            self._notated = self._dumped = True
            return True
        if self._tag is not None and depth > self._tag[1] and not line.startswith("["):
            add_inner_text(self._tag[0], line)
            self._tag[0].line = f"{self._tag[0].line}\n{line}" if "\n" not in self._tag[0].line else self._tag[0].line
            return True
        self._tag = None
        return False

    def _take_request(self, line: str, depth: int) -> bool:
        found = _REQUEST.match(line)
        if found is None:
            return False
        name = f"{found.group(1)} {found.group(2)}"
        self._drafts.append(Draft(Role.NETWORK, name, found.group(3), line=line, depth=depth, fixed=True))
        return True

    def _take_notation(self, line: str, depth: int) -> None:
        if _BOX.match(line):
            self._drafts.append(_draft_of_text(line, depth))
            return
        for read in _NOTATIONS:
            drafts = read(line, depth)
            if drafts is not None:
                self._notated = True
                self._dumped = self._dumped or read is not read_yaml_line
                self._drafts.extend(drafts)
                return
        if self._take_cells(line, depth):
            return
        drafts = read_plain(line, depth)
        if drafts:
            self._notated = self._notated or any(draft.role is not Role.TEXT for draft in drafts)
            self._drafts.extend(drafts)
            return
        self._take_unquoted(line, depth)

    def _take_cells(self, line: str, depth: int) -> bool:
        """Read ``C2 59  C3 64``: cells of a sheet, two spaces apart."""
        if not line[:1].isupper() or not line.isascii() or not any(sign.isdigit() for sign in line[:6]):
            return False
        found = [_CELL.fullmatch(segment) for segment in _SEGMENTS.split(line)]
        for match in found:
            if match is None:
                return False
        for match in found:
            if match is not None:
                name, value = match.group(1) or match.group(3), match.group(2) or match.group(4) or ""
                self._drafts.append(Draft(Role.CELL, name, value.strip("'\""), line=line, depth=depth))
        return True

    def _take_unquoted(self, line: str, depth: int) -> None:
        """Read a line without quotes: role and label, "label: value", "label  state", or just text."""
        numbered = _NUMBERED.match(line)
        role = find_role(line[numbered.end() :] if numbered else line)
        if role is not None and len(line) <= _LONG_LINE:
            category, head, rest = role
            if numbered and rest and role_of_category(category) in _NUMBERED_ROLES:
                name = rest.lstrip(":： ")
                draft = Draft(role_of_category(category), name, line=line, depth=depth, fixed=True)
                self._drafts.append(draft)
                self._notated = True
                return
            if head.endswith(":") or head.endswith("：") or rest.startswith((":", "：")):
                self._take_labelled_role(category, head, rest.lstrip(":： "), line, depth)
                return
            self._unsure.append(len(self._drafts))
        speaker = _SPEAKER.match(line)
        if speaker:
            self._spoken += 1
            self._drafts.append(Draft(Role.TEXT, line[speaker.end() :] or line, line=line, depth=depth))
            return
        self._drafts.append(_draft_of_text(line, depth))

    def _take_labelled_role(self, category: str, head: str, rest: str, line: str, depth: int) -> None:
        role = role_of_category(category)
        if role in {Role.RUNNER, Role.CONSOLE, Role.ERROR, Role.TOAST, Role.NETWORK}:
            self._drafts.append(Draft(role, rest or head.rstrip(":："), line=line, depth=depth, fixed=True))
        elif rest:
            self._drafts.append(_draft_of_text(line, depth))
        else:
            self._drafts.append(Draft(role, "", line=line, depth=depth))

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


# "[x] Bread", "☐ Eggs": a box before its label, as to-do lists write it.
# A role word, then a quotation that does not end on its line.
_OPEN_QUOTE = re.compile(
    r"""\s*[^\W\d][\w -]{0,30}(?: '[^']{0,80}'(?: =)?)? (?:(?P<quote>["“„«「『])[^"”“»」』]*|(?P<single>')[^']*)$"""
)
_CLOSERS = {"'": "'", '"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
_QUOTE_LINES = 40
_BOX = re.compile(r"(?:[-*]\s+)?(?P<mark>\[[ xX✓✔*●•]\]|\([ oOxX*●•]\)|[☐☑☒○●◉◯])\s+(?P<label>\S.*)")


def _draft_of_text(line: str, depth: int) -> Draft:
    """Return a text, as label and value where it is written "label: value" or "label  state"."""
    draft = Draft(Role.TEXT, line, line=line, depth=depth)
    box = _BOX.match(line)
    if box:
        on = bool(box["mark"].strip("[]() ☐○◯"))
        return Draft(Role.CHOICE, box["label"].strip("'\""), on=on, line=line, depth=depth, fixed=True)
    if _NOTE.fullmatch(line) and line[0] in "(（":
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


def _find_bare_dialog(drafts: list[Draft]) -> None:
    """Turn the first line of a bare text into a dialog where it asks something and a later line offers to cancel."""
    if not drafts or len(drafts) > _DIALOG_LINES or not drafts[0].line.rstrip().endswith(("?", "？")):
        return
    if any("cancel" in label_meanings(draft.name) for draft in drafts[1:]):
        drafts[0].role, drafts[0].name, drafts[0].value = Role.DIALOG, drafts[0].line.strip(), None


def _name_first_header(drafts: list[Draft]) -> None:
    """Turn an unquoted first line with deeper lines beneath it into the page's title."""
    if len(drafts) > 1 and drafts[0].role is Role.TEXT and drafts[0].depth < drafts[1].depth:
        if drafts[0].value is None and drafts[0].name == drafts[0].line and not _NOTE.fullmatch(drafts[0].line):
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
    headers = [draft for draft in drafts if draft.role in _HEADERS]
    return len(headers) == 1 and headers[0].role is Role.GROUP and _says_menu(headers[0].line)


def _says_menu(line: str) -> bool:
    return quick_fold(line).removeprefix("- ").split(" ")[0].rstrip(":") in _MENU_WORDS


_MENU_WORDS = frozenset({"menu", "menú", "menü", "菜单", "選單", "メニュー", "메뉴"})
