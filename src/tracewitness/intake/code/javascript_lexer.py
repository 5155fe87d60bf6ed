"""The tokens of JavaScript, in one pass: names, texts, comments and signs. Nothing is run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto


class Kind(Enum):
    """What a token is."""

    NAME = auto()
    TEXT = auto()
    PIECE = auto()  # what a template literal holds between its values
    COMMENT = auto()
    SIGN = auto()
    OTHER = auto()
    LINE = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token: what it is, where it begins and ends, and its text."""

    kind: Kind
    start: int
    end: int
    text: str


_SPACE = re.compile(r"[^\S\n]+")
_NAME = re.compile(r"[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*(?:\??\.[A-Za-z_$][\w$]*)*")
_TEXT = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?", re.DOTALL)
_NUMBER = re.compile(r"\d[\w.]*")
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/[a-z]{0,8}")
_PIECE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*+", re.DOTALL)
_AHEAD_OF_REGEX = frozenset({"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do"})


@dataclass(slots=True)
class Lexer:
    """Splits a text into tokens.

    Attributes:
        text: The text.
        at: How far it was read.
        braces: What each open brace is: one of the code, or of a value in a template literal.
    """

    text: str
    at: int = 0
    braces: list[bool] = field(default_factory=list[bool])
    _value_before: bool = False

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens in order."""
        while self.at < len(self.text):
            space = _SPACE.match(self.text, self.at)
            if space:
                self.at = space.end()
                continue
            yield from self._next()

    def _next(self) -> Iterator[Token]:
        text, start = self.text, self.at
        letter = text[start]
        if text.startswith("//", start):
            end = text.find("\n", start)
            yield self._token(Kind.COMMENT, end if end >= 0 else len(text))
        elif text.startswith("/*", start):
            end = text.find("*/", start + 2)
            yield self._token(Kind.COMMENT, end + 2 if end >= 0 else len(text))
        elif letter == "`":
            yield self._token(Kind.OTHER, start + 1)
            yield from self._piece()
        elif letter == "}" and self.braces and self.braces.pop():
            yield self._token(Kind.OTHER, start + 1)
            yield from self._piece()
        else:
            yield self._plain(letter)

    def _plain(self, letter: str) -> Token:
        if found := _TEXT.match(self.text, self.at):
            return self._token(Kind.TEXT, found.end(), value=True)
        if found := _NAME.match(self.text, self.at):
            return self._token(Kind.NAME, found.end(), value=found.group() not in _AHEAD_OF_REGEX)
        if found := _NUMBER.match(self.text, self.at):
            return self._token(Kind.OTHER, found.end(), value=True)
        if letter == "/" and not self._value_before and (found := _REGEX.match(self.text, self.at)):
            return self._token(Kind.OTHER, found.end(), value=True)
        if letter == "{":
            self.braces.append(False)
        if self.text.startswith("=>", self.at):
            return self._token(Kind.SIGN, self.at + 2)
        if letter == "\n":
            before = self._value_before
            return self._token(Kind.LINE, self.at + 1, value=before)
        return self._token(Kind.SIGN, self.at + 1, value=letter in ")]}")

    def _piece(self) -> Iterator[Token]:
        """Yield what a template literal holds up to its end or its next value."""
        found = _PIECE.match(self.text, self.at)
        yield self._token(Kind.PIECE, found.end() if found else self.at, value=True)
        if self.text.startswith("`", self.at):
            yield self._token(Kind.OTHER, self.at + 1, value=True)
        elif self.text.startswith("${", self.at):
            self.braces.append(True)
            yield self._token(Kind.OTHER, self.at + 2)

    def _token(self, kind: Kind, end: int, *, value: bool = False) -> Token:
        start, self.at = self.at, end
        if kind is not Kind.COMMENT:
            self._value_before = value
        return Token(kind, start, end, self.text[start:end])
