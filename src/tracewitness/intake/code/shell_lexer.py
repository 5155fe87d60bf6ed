"""The tokens of a shell command: words, operators, redirections, comments and here-documents. Nothing is run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    OPERATOR = auto()
    REDIRECTION = auto()
    COMMENT = auto()
    HERE = auto()


@dataclass(slots=True)
class Token:
    """A token.

    Attributes:
        kind: What it is.
        start: Where it begins.
        end: Where it ends.
        text: Its text; for a redirection the operator alone.
        target: Where a redirection leads to.
        body: Where the body of a here-document begins and ends.
    """

    kind: Kind
    start: int
    end: int
    text: str
    target: str = ""
    body: tuple[int, int] | None = None


_BLANK = re.compile(r"(?:[ \t]|\\\n)+")
_OPERATOR = re.compile(r"&&|\|\||\|&|;;&?|;&|[;&|()\n]")
_REDIRECTION = re.compile(r"(?:\d{1,3}|&)?(?:<<<|<<-?|>>|>\||>&|<&|<>|[<>])")
_PROCESS = re.compile(r"[<>]\(")
_PLAIN = re.compile(r"[^\s\\'\"`$;&|()<>#]+|#")
_SINGLE = re.compile(r"'[^']*'?")
_ANSI = re.compile(r"\$'(?:[^'\\]|\\.)*+'?", re.DOTALL)
_QUOTED_PLAIN = re.compile(r"[^\"\\`$]+")
_OPENINGS = {"$(": ")", "${": "}", "<(": ")", ">(": ")"}


@dataclass(slots=True)
class Lexer:
    """Splits a text into tokens, in one pass.

    Attributes:
        text: The text.
        at: How far it was read.
        waiting: The here-documents whose bodies begin on the next line.
    """

    text: str
    at: int = 0
    waiting: list[Token] = field(default_factory=list[Token])

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens in order; bodies of here-documents belong to the redirection that opens them."""
        while self.at < len(self.text):
            if blank := _BLANK.match(self.text, self.at):
                self.at = blank.end()
                continue
            token = self._next()
            yield token
            if token.text == "\n" and self.waiting:
                self._take_bodies()

    def _next(self) -> Token:
        text, start = self.text, self.at
        if text[start] == "#":
            end = text.find("\n", start)
            return self._token(Kind.COMMENT, end if end >= 0 else len(text))
        if not _PROCESS.match(text, start) and (found := _REDIRECTION.match(text, start)):
            return self._redirection(found)
        if found := _OPERATOR.match(text, start):
            return self._token(Kind.OPERATOR, found.end())
        return self._token(Kind.WORD, end_of_word(text, start))

    def _token(self, kind: Kind, end: int) -> Token:
        start, self.at = self.at, max(end, self.at + 1)
        return Token(kind, start, self.at, self.text[start : self.at])

    def _redirection(self, found: re.Match[str]) -> Token:
        start, written = self.at, found.group()
        blank = _BLANK.match(self.text, found.end())
        begin = blank.end() if blank else found.end()
        end = end_of_word(self.text, begin)
        self.at = max(end, found.end())
        target = self.text[begin:end]
        here = written.endswith(("<<", "<<-")) and not written.endswith("<<<")
        token = Token(Kind.HERE if here else Kind.REDIRECTION, start, self.at, written, target)
        if here:
            self.waiting.append(token)
        return token

    def _take_bodies(self) -> None:
        for token in self.waiting:
            delimiter = token.target.strip("'\"").replace("\\", "")
            start = self.at
            end, self.at = self._body_end(delimiter, tabs=token.text.endswith("-"))
            token.body = (start, end)
        self.waiting = []

    def _body_end(self, delimiter: str, *, tabs: bool) -> tuple[int, int]:
        at = self.at
        while at < len(self.text):
            line_end = self.text.find("\n", at)
            line_end = line_end if line_end >= 0 else len(self.text)
            line = self.text[at:line_end].rstrip("\r")
            if (line.lstrip("\t") if tabs else line) == delimiter:
                return at, line_end
            at = line_end + 1
        return len(self.text), len(self.text)


def end_of_word(text: str, start: int, *, inside: bool = False) -> int:
    """Return where a word ends, with the quotes and substitutions in it; ``start`` where none begins there.

    Args:
        text: The text.
        start: Where the word begins.
        inside: Whether it is a substitution alone, which ends with what closes it.
    """
    at, stack = start, list[str]()
    while at < len(text):
        if inside and at > start and not stack:
            break
        letter = text[at]
        if letter == "\\":
            at += 2
        elif stack and letter == stack[-1]:
            stack.pop()
            at += 1
        elif stack and stack[-1] == '"':
            at = _in_quotes(text, at, stack)
        elif not stack and letter in " \t\n;&|()<>" and not _PROCESS.match(text, at):
            break
        else:
            at = _in_word(text, at, stack)
    return min(at, len(text))


def _in_quotes(text: str, at: int, stack: list[str]) -> int:
    closing = _OPENINGS.get(text[at : at + 2])
    if closing is not None and text[at] == "$":
        stack.append(closing)
        return at + 2
    if text[at] == "`":
        stack.append("`")
        return at + 1
    plain = _QUOTED_PLAIN.match(text, at)
    return plain.end() if plain else at + 1


def _in_word(text: str, at: int, stack: list[str]) -> int:
    letter = text[at]
    closing = _OPENINGS.get(text[at : at + 2])
    if closing is not None:
        stack.append(closing)
        return at + 2
    if letter == "'" and (not stack or stack[-1] != "}"):
        single = _SINGLE.match(text, at)
        return single.end() if single else at + 1
    if letter == "$" and (ansi := _ANSI.match(text, at)):
        return ansi.end()
    if letter in '"`':
        stack.append(letter)
        return at + 1
    if letter == "(" and stack and stack[-1] == ")":
        stack.append(")")
        return at + 1
    plain = None if stack else _PLAIN.match(text, at)
    return plain.end() if plain else at + 1
