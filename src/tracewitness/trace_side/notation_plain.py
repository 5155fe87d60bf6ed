"""The plain notation: ``button 'Save' (disabled)``, ``Feld Titel = 'x'``, ``ボタン「送信」``, several on a line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tracewitness.trace_side.folding import quick_fold
from tracewitness.trace_side.reading_elements import (
    VALUED,
    Draft,
    apply_mark,
    role_of_category,
    split_row,
    state_of_words,
)
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.screen_words import words_of

_TOKEN = re.compile(
    r"""
      (?<!\w)'(?P<single>[^']*(?:(?<=\w)'(?=\w)[^']*)*)'(?!\w)
    | "(?P<double>(?:[^"\\]|\\.)*)"
    | 「(?P<corner>[^」]*)」 | 『(?P<corner2>[^』]*)』
    | [“„](?P<curly>[^“”]*)[“”] | «\s?(?P<angle>[^»]*?)\s?» | (?<!\w)‘(?P<thin>[^’]*(?:(?<=\w)’(?=\w)[^’]*)*)’
    | \[(?P<square>[^\[\]]{0,80})\] | 【(?P<lens>[^】]{0,80})】
    | \((?P<round>[^()]{0,120})\) | （(?P<wide>[^（）]{0,120})）
    | (?P<attr>[A-Za-z][\w-]*)=(?P<attr_value>'[^']*'|"[^"]*"|[^\s,'"=]+)
    """,
    re.VERBOSE,
)
_QUOTES = frozenset({"single", "double", "corner", "corner2", "curly", "angle", "thin"})
_BRACKETS = frozenset({"square", "lens", "round", "wide"})
_GAP = re.compile(r"\s{2,}")
_COUNT = re.compile(r"\s*\d+\s*")
_LOWER_WORD = re.compile(r"[a-zß-ÿ_-]+")
_MAX_ROLE_WORDS = 3
_KEPT_LENGTH = 80
"""Longest text whose role is kept: role words repeat on every screen."""
_LABEL_LIMIT = 40
_SENTENCE_WORDS = 3
_FLAG = re.compile(
    r"(?:focused|focusable|required|editable|readonly|multiline|clickable|visible|expanded|collapsed|active|busy|"
    r"checked|selected|pressed|disabled|invalid|settable|modal|live|atomic|hasPopup|multiselectable)"
)
_ON_ATTRIBUTES = frozenset({"checked", "pressed", "selected", "aria-checked", "aria-pressed", "ischecked", "toggled"})
_TRUE = frozenset({"true", "1", "yes", "on"})


@dataclass(slots=True)
class _Open:
    """The element being put together on a line."""

    draft: Draft
    label: str = ""
    word: str = ""
    counted: bool = False
    bare: bool = False
    known: bool = False
    quoted: int = 0
    equals: bool = False
    trailing: str = ""


def find_role(words: str) -> tuple[str, str, str] | None:
    """Return (category, role words, rest) where a text begins with a role word or phrase, longest first; else None."""
    return _role_once(words) if len(words) <= _KEPT_LENGTH else _read_role(words)


@lru_cache(maxsize=8192)
def _role_once(words: str) -> tuple[str, str, str] | None:
    return _read_role(words)


def _read_role(words: str) -> tuple[str, str, str] | None:
    parts = words.split(None, _MAX_ROLE_WORDS)
    table = words_of("roles")
    for count in range(min(_MAX_ROLE_WORDS, len(parts)), 0, -1):
        head = " ".join(parts[:count])
        category = table.get(quick_fold(head).rstrip(":"))
        if category is not None:
            return category, head, " ".join(parts[count:])
    return None


def read_plain(text: str, depth: int) -> list[Draft] | None:
    """Return the elements of one line in the plain notation, or None where the line is not written in it.

    A line is in the notation if it holds a quoted label and all that stands around the labels are role words, labels
    and marks; a sentence that merely quotes something is not.
    """
    found = list(_TOKEN.finditer(text))
    if not any(match.lastgroup in _QUOTES for match in found):
        return None
    line = _Line(text, depth)
    for words, match in _pieces(text, found):
        if words.strip(" ,;·-–|") and not line.take_words(words):
            return None
        if match is not None and not line.take_token(match):
            return None
    return line.close()


def _pieces(text: str, found: list[re.Match[str]]) -> Iterator[tuple[str, re.Match[str] | None]]:
    at = 0
    for match in found:
        yield text[at : match.start()], match
        at = match.end()
    yield text[at:], None


class _Line:
    """Puts the pieces of one line together."""

    def __init__(self, text: str, depth: int) -> None:
        self._text = text
        self._depth = depth
        self._done: list[Draft] = []
        self._open: _Open | None = None

    def take_words(self, words: str) -> bool:
        """Take unquoted words; return False where they show that the line is a sentence."""
        plain = words.strip(" ,;·-–|\t")
        current = self._open
        if plain in {"=", ":", "：", "->", "→", "=>"}:
            if current is not None:
                current.equals = True
            return True
        equals = plain.endswith(("=", "＝"))
        plain = plain.rstrip("=＝ ").strip()
        role = find_role(plain)
        if current is not None and current.quoted and self._take_flags(plain):
            return True
        if current is None or not current.quoted:
            return self._begin(plain, role, equals, words)
        if role is not None or _GAP.match(words) or words.endswith("  "):
            self._shut()
            return self._begin(plain, role, equals, words)
        current.trailing = f"{current.trailing} {plain}".strip()
        return current.known

    def _take_flags(self, plain: str) -> bool:
        """Take bare attributes behind a label ("focused, required"); return whether there was nothing else."""
        pieces = [piece for piece in re.split(r"[,\s]+", plain) if piece]
        if self._open is None or not all(_FLAG.fullmatch(piece) for piece in pieces):
            return False
        for piece in pieces:
            if piece in {"checked", "selected", "pressed", "disabled", "invalid"}:
                apply_mark(self._open.draft, piece)
        return True

    def _begin(self, plain: str, role: tuple[str, str, str] | None, equals: bool, words: str) -> bool:
        if self._open is not None and not self._open.quoted:
            self._open.label = f"{self._open.label} {plain}".strip()
            self._open.equals = self._open.equals or equals
            return True
        if role is not None:
            category, word, rest = role
            draft = Draft(role_of_category(category), line=self._text, depth=self._depth)
            self._open = _Open(
                draft, rest.rstrip(":： "), word, bare=category == "bare_field", known=True, equals=equals
            )
            return True
        label = plain.rstrip(":： ")
        tidy_role = Role.OTHER if _LOWER_WORD.fullmatch(label) else Role.FIELD
        tidy_role = Role.ROW if tidy_role is Role.FIELD and words.endswith("  ") else tidy_role
        self._open = _Open(Draft(tidy_role, line=self._text, depth=self._depth), label, equals=equals)
        return len(label) <= _LABEL_LIMIT

    def take_token(self, match: re.Match[str]) -> bool:
        """Take a quoted part, a mark in brackets or an attribute; always fits."""
        group = match.lastgroup or ""
        if group in _QUOTES:
            self._take_quoted(match.group(group))
        elif group in _BRACKETS:
            self._take_mark(match.group(group), match.group())
        else:
            self._take_attribute(match.group("attr"), match.group("attr_value").strip("'\""))
        return True

    def _take_quoted(self, text: str) -> None:
        current = self._open
        if current is None:
            current = self._open = _Open(Draft(Role.TEXT, line=self._text, depth=self._depth), known=True)
        draft = current.draft
        current.quoted += 1
        if current.quoted > 1:
            whole = draft.name if draft.value is None else draft.value
            draft.value = f"{whole} {text}" if draft.role is Role.ROW else text
        elif self._is_value(current, text):
            draft.name, draft.value = current.label or current.word, text
            draft.role = _valued_role(draft.role, current.equals)
            if draft.role is Role.ROW:
                draft.value = f"{draft.name} {text}"
        elif draft.role is Role.GROUP and current.counted:
            draft.name, draft.value = f"{current.word} {current.label}", text
        else:
            draft.name = text

    @staticmethod
    def _is_value(current: _Open, text: str) -> bool:
        """Return whether the first quoted text of an element is its value rather than its name."""
        role = current.draft.role
        if current.bare:
            return True
        if current.label:
            unknown_word = not current.known and role is Role.OTHER
            return role in VALUED or current.equals or (not current.known and (not unknown_word or not text))
        return role is Role.FIELD and not text

    def _take_mark(self, mark: str, whole: str) -> None:
        current = self._open
        if current is None:
            self._open = _Open(Draft(Role.TEXT, whole, line=self._text, depth=self._depth), quoted=1)
            return
        if _COUNT.fullmatch(mark) and not current.quoted:
            current.counted = not current.label
            current.label = f"{current.label} {whole}".strip()
            return
        for piece in re.split(r"[,;、，]\s*", mark):
            apply_mark(current.draft, piece)

    def _take_attribute(self, name: str, value: str) -> None:
        if self._open is None:
            self._open = _Open(Draft(Role.OTHER, line=self._text, depth=self._depth), known=True)
        apply_attribute(self._open.draft, name, value)

    def _shut(self) -> None:
        current = self._open
        if current is None:
            return
        draft = current.draft
        if not current.quoted and not draft.name:
            draft.name = current.label
        if current.trailing and draft.value is None:
            draft.value = f"{draft.name} {current.trailing}" if draft.role is Role.ROW else current.trailing
            state = state_of_words(current.trailing)
            draft.on = state if state is not None and draft.on is None else draft.on
        if draft.role is Role.ROW and draft.value is None:
            draft.name, draft.value = split_row(draft.name)
        if draft.role is Role.SWITCH and draft.value is not None and draft.on is None:
            draft.on = state_of_words(draft.value)
        if self._done and self._done[0].role in {Role.ROW, Role.GROUP}:
            draft.depth = self._done[0].depth + 1
        self._done.append(draft)
        self._open = None

    def close(self) -> list[Draft] | None:
        """Return the elements of the line, or None where it turns out to be a sentence."""
        current = self._open
        if current is not None and not self._done and self._text[:1].isupper():
            if current.trailing.count(" ") + 1 >= _SENTENCE_WORDS:
                return None
        self._shut()
        return self._done


def _valued_role(role: Role, equals: bool) -> Role:
    if role in VALUED or role is Role.ROW:
        return role
    return Role.CHOICE if equals and role is Role.GROUP else Role.FIELD


def apply_attribute(draft: Draft, name: str, value: str) -> None:
    """Apply ``name=value`` to an element: checked, disabled, value, invalid, ...; others are left alone."""
    attribute, said = name.lower(), value.lower() in _TRUE
    if attribute in _ON_ATTRIBUTES:
        if draft.role in {Role.SWITCH, Role.CHOICE, Role.BUTTON, Role.TAB, Role.ROW, Role.MENU_ITEM, Role.OTHER}:
            draft.on = said or value.lower() == attribute
    elif attribute in {"value", "valuetext", "aria-valuetext", "valuenow", "aria-valuenow"}:
        _apply_value(draft, value)
    elif attribute in {"disabled", "aria-disabled"}:
        draft.enabled = not (said or value.lower() in {"", "disabled"})
    elif attribute == "enabled":
        draft.enabled = said
    elif attribute in {"invalid", "aria-invalid"}:
        draft.invalid = value.lower() not in {"false", "", "0"}


def _apply_value(draft: Draft, value: str) -> None:
    if draft.role is Role.SWITCH:
        state = state_of_words(value)
        draft.on = state if state is not None else draft.on
    else:
        draft.value = value
