"""Shell commands without the words in them: comments, and what is only printed to the terminal or thrown away.

What goes into a file, a pipe or another command is written into the environment and stays. Where a group of commands, a
loop or a function writes its output somewhere, so does all that is printed in it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tracewitness.intake.code.bare_text import BareText
from tracewitness.intake.code.shell_commands import ASSIGNED, PRINTING, Command, Commands
from tracewitness.intake.code.shell_lexer import Token, end_of_word
from tracewitness.intake.own_words import explains

Nested = Callable[[str, str], BareText | None]
"""Takes words out of code, given the name of its interpreter; None where it does not know that one."""

_SAYING = frozenset({"echo", "printf", ":", "::", "true", "print", "say", "rem", "REM"})
_NAME = re.compile(r"\$\{?([A-Za-z_]\w{0,99})")
_CALLED = re.compile(r"(?:\$\(|`)\s{0,9}([\w.-]{1,99})")
_SUBSTITUTION = re.compile(r"\$(?:[({]|[A-Za-z_]\w{0,99}|[@*#?$!0-9-])|`")
_OPTION = re.compile(r"-[neEv]{1,3}\Z")
_INTERPRETER = re.compile(r"(?:.{0,200}/)?(bash|sh|zsh|dash|ksh|python|node|perl|ruby)[0-9.]{0,5}(?:\.exe)?\Z")
_INLINE = re.compile(r"-[a-z]{0,3}[ce]\Z")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_LOOKED_AT = 8
_DEEPEST = 4


def bare_shell(text: str, nested: Nested | None = None, depth: int = 0) -> BareText:
    """Return a shell command without words.

    Args:
        text: The command, or a script of them.
        nested: Reads code of other interpreters that the command is given.
        depth: How many shells stand around it.
    """
    source = text.replace("\r\n", "\n")
    stripping = _Stripping(source, Commands.of(source), nested, depth)
    stripping.strip()
    return stripping.result(text)


@dataclass(slots=True)
class _Stripping:
    text: str
    read: Commands
    nested: Nested | None
    depth: int
    edits: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    words: list[str] = field(default_factory=list[str])

    def strip(self) -> None:
        for token in self.read.comments:
            if token.start or not token.text.startswith("#!"):
                self._take_line(token)
        saying = self._keep_functions()
        said, used = set[str](), set[str]()
        for one in self.read.all:
            (said if _says(one, saying) else used).update(self._variables(one))
        for command in self.read.all:
            self._strip_command(command, saying, said - used)

    def _keep_functions(self) -> frozenset[str]:
        """Return what says something, with the functions that do nothing else; keep what goes on through functions."""
        if not self.read.functions:
            return _SAYING
        called = {one.run for one in self.read.all if one.kept}
        called |= {name for one in self.read.all for token in one.words for name in _CALLED.findall(token.text)}
        alone = set[str]()
        for name, body in self.read.functions.items():
            commands = [self.read.all[at] for at in body]
            if name in called:
                for one in commands:
                    one.kept = True
            elif all(_says(one, _SAYING) for one in commands):
                alone.add(name)
        return _SAYING | alone

    def _variables(self, command: Command) -> Iterator[str]:
        for token in command.words:
            yield from _NAME.findall(token.text)
        for here in command.heres:
            yield from _NAME.findall(self.text[slice(*here.body)] if here.body else "")

    def _strip_command(self, command: Command, saying: frozenset[str], said: set[str]) -> None:
        for token in command.words[: command.first]:
            assigned = ASSIGNED.match(token.text)
            if assigned is not None and (assigned.group(1) in said or explains(assigned.group(1))):
                kept, parts = self._taken_apart(token.text[assigned.end() :])
                self._take(token.start + assigned.end(), token.end, said=parts, kept=kept)
        if _says(command, saying):
            self._take_texts(
                [
                    token
                    for token in command.words[command.first + 1 :]
                    if not _OPTION.match(token.text) and not _lists_files(token.text)
                ]
            )
        elif command.run in ("exit", "read", "return"):
            self._take_texts([token for token in command.words[command.first + 1 :] if token.text[:1] in "'\""])
        self._strip_heres(command)
        if not command.kept:
            self._strip_inline(command)

    def _strip_heres(self, command: Command) -> None:
        thrown = not command.kept and command.run in PRINTING | {":", "true", ""}
        for here in command.heres:
            body = self.text[slice(*here.body)] if here.body else ""
            if here.body is None or not body:
                continue
            if thrown:
                self._take(*here.body, said=(body,))
            elif not command.kept and (bare := self._bare(command, body)) is not None and bare.words:
                self._put(*here.body, BareText(f"{bare.text.rstrip()}\n", bare.words))

    def _strip_inline(self, command: Command) -> None:
        """Take words out of the code that an interpreter is given: ``python -c "..."``, ``bash -lc '...'``."""
        for flag, code in zip(command.words[:_LOOKED_AT], command.words[1:], strict=False):
            quote = code.text[:1]
            if not _INLINE.match(flag.text) or quote not in ("'", '"') or not code.text[1:].endswith(quote):
                continue
            escaped = "'\\''" if quote == "'" else '\\"'
            bare = self._bare(command, code.text[1:-1].replace(escaped, quote))
            if bare is not None and bare.words:
                quoted = f"{quote}{bare.text.replace(quote, escaped)}{quote}"
                self._put(code.start, code.end, BareText(quoted, bare.words))
            return

    def _bare(self, command: Command, code: str) -> BareText | None:
        found = next(filter(None, (_INTERPRETER.match(word.text) for word in command.words[:_LOOKED_AT])), None)
        if found is None or self.depth >= _DEEPEST:
            return None
        if found.group(1) in _SHELLS:
            return bare_shell(code, self.nested, self.depth + 1)
        return self.nested(found.group(1), code) if self.nested is not None else None

    def _take_line(self, comment: Token) -> None:
        """Take a comment with the blanks ahead of it, and with its line where it stands alone on that."""
        start = self._ahead(comment.start)
        alone = start == 0 or self.text[start - 1] == "\n"
        end = min(comment.end + 1, len(self.text)) if alone else comment.end
        self._take(start, end, said=(comment.text.lstrip("#"),))

    def _take_texts(self, tokens: Sequence[Token]) -> None:
        """Take the words out of the words of a command, but not what is substituted in them."""
        said = list[str]()
        for token in tokens:
            kept, parts = self._taken_apart(token.text)
            self.edits.append((self._ahead(token.start), token.end, f" {kept}" if kept else ""))
            said += parts
            said += [" "] if not kept else ["\0"]
        self.words += [one for one in "".join(said).split("\0") if one.strip()]

    def _taken_apart(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return what of a word is substituted, and what is said, with a mark where something is substituted."""
        said, kept, at = list[str](), list[str](), 0
        for start, end in _substitutions(text):
            said += [text[at:start].strip("'\""), "\0"]
            kept.append(self._inside(text[start:end]))
            at = end
        said.append(text[at:].strip("'\""))
        bare = "".join(kept)
        return f'"{bare}"' if bare else "", tuple(said)

    def _ahead(self, start: int) -> int:
        """Return where the blanks ahead of a place begin."""
        while start > 0 and self.text[start - 1] in " \t":
            start -= 1
        return start

    def _inside(self, substitution: str) -> str:
        if not substitution.startswith("$(") or self.depth >= _DEEPEST:
            return substitution
        bare = bare_shell(substitution[2:-1], self.nested, self.depth + 1)
        self.words += bare.words
        return f"$({bare.text})"

    def _put(self, start: int, end: int, bare: BareText) -> None:
        self.edits.append((start, end, bare.text))
        self.words += bare.words

    def _take(self, start: int, end: int, *, said: Sequence[str], kept: str = "") -> None:
        self.edits.append((start, end, kept))
        self.words += [one for one in said if one.strip("\0 ")]

    def result(self, text: str) -> BareText:
        """Return what is left."""
        if not self.edits:
            return BareText(text)
        parts, at = list[str](), 0
        for start, end, kept in sorted(self.edits):
            if start >= at:
                parts += [self.text[at:start], kept]
                at = end
        parts.append(self.text[at:])
        return BareText("".join(parts), tuple(self.words) or ("",))


def _says(command: Command, saying: frozenset[str]) -> bool:
    return (
        not command.kept and command.run in saying and not (command.run == "printf" and _sets_variable(command.words))
    )


def _lists_files(text: str) -> bool:
    """Tell ``*.txt``, for which the shell puts the names of files."""
    return not any(letter in text for letter in "'\" ") and any(letter in text for letter in "*?")


def _sets_variable(words: Sequence[Token]) -> bool:
    return any(one.text == "-v" for one in words[:3])


def _substitutions(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a word holds variables and other commands; in single quotes there is none."""
    at, quoted = 0, False
    while at < len(text):
        letter = text[at]
        if letter == "'" and not quoted:
            end = text.find("'", at + 1)
            at = end + 1 if end >= 0 else len(text)
        elif letter == "\\":
            at += 2
        elif found := _SUBSTITUTION.match(text, at):
            bracketed = found.group()[-1] in "({`"
            end = end_of_word(text, at, inside=True) if bracketed else found.end()
            yield at, end
            at = max(end, at + 1)
        else:
            quoted ^= letter == '"'
            at += 1
