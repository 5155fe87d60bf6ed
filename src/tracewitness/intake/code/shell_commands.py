"""The simple commands of a shell text, and where the output of each goes. Nothing is run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tracewitness.intake.code.shell_lexer import Kind, Lexer, Token

ASSIGNED = re.compile(r"([A-Za-z_]\w{0,99})\+?=")
PRINTING = frozenset({"cat", "head", "tail", "less", "more", "fold", "column", "nl"})
"""Commands that print what they are given."""
_NOWHERE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "1", "2", "-"})
_OPENING = {"(": ")", "{": "}", "if": "fi", "for": "done", "while": "done", "until": "done", "case": "esac"}
_CLOSING = frozenset(_OPENING.values())
_KEYWORDS = frozenset({"then", "else", "elif", "do", "!", "in", *_OPENING})
_AHEAD = frozenset({"sudo", "command", "builtin", "time", "nohup", "env", "exec"})


@dataclass(slots=True)
class Command:
    """A simple command.

    Attributes:
        words: Its words.
        heres: The here-documents that it reads.
        kept: Whether its output goes into a file or another command.
        first: Which of its words says what is run, behind assignments, ``sudo`` and the like.
    """

    words: list[Token] = field(default_factory=list[Token])
    heres: list[Token] = field(default_factory=list[Token])
    kept: bool = False
    first: int = 0

    @property
    def run(self) -> str:
        """What is run, without the name of its folder."""
        named = self.words[self.first].text if self.first < len(self.words) else ""
        return named.strip("'\"").rpartition("/")[2]

    def end(self) -> None:
        """Find out what is run."""
        while self.first < len(self.words) and (
            self.words[self.first].text in _AHEAD or ASSIGNED.match(self.words[self.first].text)
        ):
            self.first += 1


@dataclass(slots=True)
class Commands:
    """Splits a text into simple commands.

    Attributes:
        text: The text.
        all: The commands in order.
        comments: The comments.
        functions: The functions that the text defines, each with the commands in its body.
    """

    text: str
    all: list[Command] = field(default_factory=list[Command])
    comments: list[Token] = field(default_factory=list[Token])
    functions: dict[str, range] = field(default_factory=dict[str, range])
    _open: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])
    _now: Command = field(default_factory=Command)
    _closed: int | None = None
    _defined: str = ""
    _pipeline: list[Command] = field(default_factory=list[Command])
    _kept: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    @classmethod
    def of(cls, text: str) -> "Commands":
        """Return the commands of a text."""
        commands = cls(text)
        for token in Lexer(text).tokens():
            if token.kind is Kind.COMMENT:
                commands.comments.append(token)
            elif token.kind is Kind.OPERATOR:
                commands._operator(token)
            elif token.kind is Kind.WORD:
                commands._word(token)
            else:
                commands._redirected(token)
        commands._end(piped=False)
        commands._keep()
        return commands

    def _word(self, token: Token) -> None:
        if self._now.words or token.text not in _KEYWORDS | _CLOSING:
            self._now.words.append(token)
        elif token.text in _CLOSING:
            self._close(token.text)
        elif token.text in _OPENING:
            self._open.append((_OPENING[token.text], len(self.all), self._defined))
            self._defined = ""
            if token.text in ("for", "case"):
                self._now.words.append(token)  # the words behind it are its own

    def _operator(self, token: Token) -> None:
        if token.text == "(":
            self._parenthesis(token)
            return
        piped = token.text in ("|", "|&")
        closed = None if self._now.words or self._now.heres else self._closed
        self._end(piped=piped)
        if piped and closed is not None:
            self._kept.append((closed, len(self.all)))
        if token.text == ")":
            self._close(")")
        elif token.text != "\n" or not self._defined:
            self._closed = None

    def _parenthesis(self, token: Token) -> None:
        if len(self._now.words) == 1 and self.text.startswith(")", token.end):
            self._defined = self._now.words[0].text
            self._now = Command()
            self._open.append((")", len(self.all), ""))
            return
        self._end(piped=False)
        self._open.append((")", len(self.all), ""))

    def _redirected(self, token: Token) -> None:
        if token.kind is Kind.HERE:
            self._now.heres.append(token)
            return
        if not token.text.endswith((">", ">>", ">|", ">&")) or token.target.strip("'\"") in _NOWHERE:
            return
        if not self._now.words and self._closed is not None:
            self._kept.append((self._closed, len(self.all)))
        elif [one.text for one in self._now.words] == ["exec"]:
            self._kept.append((0, len(self.text)))
        else:
            self._now.kept = True

    def _close(self, closing: str) -> None:
        self._end(piped=False)
        if not self._open or self._open[-1][0] != closing:  # the parenthesis of a case, or a word that looks like one
            return
        _, start, name = self._open.pop()
        self._closed = start
        if name:
            self.functions[name] = range(start, len(self.all))

    def _end(self, *, piped: bool) -> None:
        if self._now.words or self._now.heres:
            self._now.end()
            if self._now.run == "function" and len(self._now.words) == 2:
                self._defined = self._now.words[1].text
            self.all.append(self._now)
            self._pipeline.append(self._now)
        self._now = Command()
        if not piped:
            _keep_pipeline(self._pipeline)
            self._pipeline = []

    def _keep(self) -> None:
        """Mark the commands of groups whose output goes somewhere."""
        starts: dict[int, int] = {}
        for start, end in self._kept:
            starts[start] = max(starts.get(start, 0), end)
        until = 0
        for at, command in enumerate(self.all):
            until = max(until, starts.get(at, 0))
            command.kept = command.kept or at < until


def _keep_pipeline(pipeline: Sequence[Command]) -> None:
    """Mark the commands whose output goes into another one that does more than print it."""
    for one, following in zip(reversed(pipeline[:-1]), reversed(pipeline[1:]), strict=False):
        one.kept = one.kept or following.kept or following.run not in PRINTING
