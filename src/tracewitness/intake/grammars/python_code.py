"""Python code that an agent wrote, without the words in it: parsed, never run.

Agents explain themselves in comments, in docstrings and in strings that stand alone, and some harnesses put a whole
thought in front of the code as one. None of that does anything, so it can be told from the code by its form.
"""

import ast
import io
import textwrap
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.intake.own_words import explains

LONGEST = 200_000
"""Characters of code that are parsed; longer code is kept out as a whole."""

_SPEAKING = frozenset({"print", "logging.info", "logging.debug", "logger.info", "logger.debug", "sys.stdout.write"})


@dataclass(frozen=True, slots=True)
class BareCode:
    """Code without words.

    Attributes:
        statements: The statements that do something, in order.
        words: The comments, docstrings and strings that stood in it.
    """

    statements: tuple[ast.stmt, ...]
    words: str


def bare_code(code: str) -> BareCode | None:
    """Return code without comments, docstrings, strings that stand alone, prints and explaining variables.

    None where it is no Python: then words cannot be told from code in it.
    """
    if len(code) > LONGEST or "\0" in code:
        return None
    text = textwrap.dedent(code).strip()
    tree = _parsed(text)
    if tree is None:
        return None
    words = list(_comments(text))
    try:
        _strip(tree, words)
    except RecursionError:
        return None
    return BareCode(tuple(tree.body), "\n".join(filter(None, (one.strip() for one in words))))


def written_code(*statements: ast.AST) -> str:
    """Return statements as code on one line each."""
    try:
        return "\n".join(ast.unparse(one) for one in statements)
    except (RecursionError, ValueError):
        return ""


def dotted_name(node: ast.expr) -> str:
    """Return ``pyautogui.click`` for the function of a call; an empty text where it is no plain name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a string is for its author to hear of
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _comments(text: str) -> Iterator[str]:
    if "#" not in text:
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string.lstrip("#")
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return


def _strip(tree: ast.Module, words: list[str]) -> None:
    """Take out of every block the statements that only say something."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        fields: list[tuple[str, Any]] = list(ast.iter_fields(node))
        for key, value in fields:
            parts = cast(list[Any], value) if isinstance(value, list) else []
            block = [one for one in parts if isinstance(one, ast.stmt)]
            pending += [one for one in parts if isinstance(one, ast.excepthandler | ast.match_case)]
            if block:
                kept = [one for one in block if not _only_says(one, words)]
                setattr(node, key, kept if kept or isinstance(node, ast.Module) else [ast.Pass()])
                pending += kept


def _only_notes(one: ast.Assign | ast.AnnAssign) -> bool:
    """Tell a variable that explains, and a bare "Thought: done", which is an annotation to Python."""
    if isinstance(one, ast.AnnAssign) and one.value is None:
        return True
    targets = [one.target] if isinstance(one, ast.AnnAssign) else one.targets
    return all(isinstance(name, ast.Name) and explains(name.id) for name in targets)


def _only_says(one: ast.stmt, words: list[str]) -> bool:
    if isinstance(one, ast.Expr):
        if isinstance(one.value, ast.Call) and dotted_name(one.value.func) not in _SPEAKING:
            return False
        called = [part for part in ast.walk(one.value) if isinstance(part, ast.Call)]
        if called and not (one.value is called[0] and dotted_name(called[0].func) in _SPEAKING and len(called) == 1):
            return False
    elif isinstance(one, ast.Assign | ast.AnnAssign):
        if not _only_notes(one):
            return False
    else:
        return False
    words += [
        part.value for part in ast.walk(one) if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ] or [written_code(one)]
    return True
