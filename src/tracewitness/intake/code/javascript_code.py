"""JavaScript without the words in it: comments, what is logged, thrown, shown in a dialog, or returned as written.

What a script gives back is what the agent is then shown as the answer of the page, so a text that it returns as it is
written is the agent's own; what it reads from the page and returns is not. Texts that are handed to any other function,
written into the page or compared stay. Scanned in one pass, never run.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tracewitness.intake.code.bare_text import BareText
from tracewitness.intake.code.javascript_lexer import Kind, Lexer, Token
from tracewitness.intake.own_words import explains

_LOGGING = re.compile(
    r"(?:window\.|globalThis\.)?(?:console\.\w{1,20}|alert|confirm|prompt|print)\Z"
    r"|process\.(?:stdout|stderr)\.write\Z|(?:logger|log)(?:\.\w{1,20})?\Z"
)
_ERROR = re.compile(r"(?:\w{0,40}Error|Error|Promise\.reject|reject)\Z")
_PASSING = re.compile(
    r"(?:JSON\.stringify|String|Object\.assign|Promise\.resolve|.{0,200}\.(?:join|concat|toUpperCase|toLowerCase|trim))\Z"
)
_DECLARING = frozenset({"const", "let", "var"})
_CONTROL = frozenset({"if", "for", "while", "switch", "catch", "with"})
_WORDS = frozenset({"return", "throw", "await", "typeof", "void", "in", "of", "case", "else", "async"})
_GOING_ON = frozenset({"+", "=", ",", "?", ":", ".", "&", "|", "return", "=>", "throw", "(", "["})
_AHEAD_OF_OBJECT = frozenset("( , = : [ ? & |".split())


@dataclass(slots=True)
class _Frame:
    """An open bracket.

    Attributes:
        said: Whether a text right in it is only said.
        statement: Whether statements stand in it.
        answers: Whether what a function returns right in it is the answer of the whole script.
        weight: How many functions it is deep by itself: 1 for a body, 2 for one that is handed to another function.
        head: The name ahead of it.
        saying: Whether the statement or argument that is being read says its texts.
    """

    said: bool
    statement: bool = False
    answers: bool = False
    weight: int = 0
    head: str = ""
    saying: bool = False

    @property
    def says(self) -> bool:
        return self.said or self.saying


def bare_javascript(text: str) -> BareText:
    """Return a script without words."""
    reading = _Reading(list(Lexer(text).tokens()))
    reading.read()
    if not reading.taken:
        return BareText(text)
    parts, words, at = list[str](), list[str](), 0
    for token in sorted(reading.taken, key=lambda one: one.start):
        quote = token.text[0] if token.kind is Kind.TEXT else ""
        words.append(token.text.strip("/*'\"") if token.kind is not Kind.PIECE else token.text)
        parts += [text[at : token.start], quote * 2]
        at = token.end
    parts.append(text[at:])
    return BareText("".join(parts), tuple(words))


@dataclass(slots=True)
class _Reading:
    tokens: Sequence[Token]
    taken: list[Token] = field(default_factory=list[Token])
    frames: list[_Frame] = field(default_factory=lambda: [_Frame(False, statement=True, answers=True)])
    before: Token | None = None
    opened: bool = True  # whether a statement begins here
    depth: int = 0  # functions around this place
    head: str = ""  # the name ahead of the bracket that was closed last
    held: dict[str, list[Token]] = field(default_factory=dict[str, list[Token]])
    uses: dict[str, list[bool]] = field(default_factory=dict[str, list[bool]])

    def read(self) -> None:
        for at, token in enumerate(self.tokens):
            if token.kind is Kind.COMMENT:
                self.taken.append(token)
            elif token.kind is Kind.LINE:
                self._line()
            else:
                self._add(at, token)
                self.before = token
        for name, tokens in self.held.items():
            used = self.uses.get(name, [])
            if explains(name) or (used and all(used)):
                self.taken += tokens

    def _add(self, at: int, token: Token) -> None:
        frame = self.frames[-1]
        opened, self.opened = self.opened, False
        if token.kind in (Kind.TEXT, Kind.PIECE):
            if opened and frame.statement and self.depth <= 1:
                frame.saying = True
            if frame.says:
                self.taken.append(token)
            elif token.kind is Kind.TEXT and (name := self._declared(at)):
                self.held.setdefault(name, []).append(token)
        elif token.kind is Kind.OTHER:
            self.opened = opened and token.text == "`"
        elif token.kind is Kind.NAME:
            self._name(token, frame)
        else:
            self._sign(token, frame)

    def _name(self, token: Token, frame: _Frame) -> None:
        if token.text in ("return", "throw"):
            frame.saying = token.text == "throw" or self.depth <= 1
        elif self.before is None or self.before.text not in _DECLARING:
            self.uses.setdefault(token.text.split(".", 1)[0], []).append(frame.says)

    def _sign(self, token: Token, frame: _Frame) -> None:
        if token.text == "{":
            self._open_brace(frame)
        elif token.text in "([":
            self._open(token, frame)
        elif token.text in ")]}":
            self._close()
        elif token.text == ";":
            frame.saying, self.opened = False, frame.statement
        elif token.text == "=>":
            frame.saying = frame.answers and self.depth == 0
        elif token.text == "," and not frame.statement:
            frame.saying = False

    def _close(self) -> None:
        closed = self.frames.pop() if len(self.frames) > 1 else _Frame(False)
        self.depth -= closed.weight
        self.head = closed.head
        if closed.statement and self.frames[-1].statement:
            self.frames[-1].saying, self.opened = False, True

    def _line(self) -> None:
        """End a statement at the end of its line, unless it plainly goes on."""
        frame = self.frames[-1]
        last = self.before.text if self.before is not None else ""
        if frame.statement and last not in _GOING_ON:
            frame.saying, self.opened = False, True

    def _open_brace(self, frame: _Frame) -> None:
        last = self.before.text if self.before is not None else ""
        function = last == "=>" or (last == ")" and self.head not in _CONTROL)
        if not function and (last in _AHEAD_OF_OBJECT or (last == "return")):
            self.frames.append(_Frame(frame.says))
            return
        weight = (1 if frame.answers or frame.statement else 2) if function else 0
        if function:
            frame.saying = False
        self.frames.append(_Frame(False, statement=True, answers=False, weight=weight))
        self.depth += weight
        self.opened = True

    def _open(self, token: Token, frame: _Frame) -> None:
        before = self.before
        name = before.text if before is not None and before.kind is Kind.NAME else ""
        value = before is not None and (before.kind is not Kind.SIGN or before.text in ")]}") and name not in _WORDS
        if token.text == "[":
            self.frames.append(_Frame(frame.says and not value))
        elif value:
            speaks = bool(_LOGGING.match(name) or (_ERROR.match(name))) or (frame.says and bool(_PASSING.match(name)))
            self.frames.append(_Frame(speaks, head=name))
        else:
            self.frames.append(_Frame(frame.says, answers=frame.answers, head=name))
        self.opened = False

    def _declared(self, at: int) -> str:
        """Return the variable that is declared with a text and nothing else."""
        if at < 3:
            return ""
        keyword, name, sign = (self.tokens[at - 3 + one] for one in range(3))
        alone = at + 1 >= len(self.tokens) or self.tokens[at + 1].text in (";", "\n")
        return name.text if alone and keyword.text in _DECLARING and sign.text == "=" else ""
