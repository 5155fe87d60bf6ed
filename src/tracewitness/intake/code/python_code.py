"""Python code that an agent wrote, without the words in it: parsed, never run.

Agents explain themselves in comments, in docstrings, in strings that stand alone, in what they print, raise, assert and
log; some harnesses put a whole thought in front of the code as a string. None of that does anything to the environment,
so it can be told from the code by its form.
"""

import ast
import io
import textwrap
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.intake.code.python_names import dotted_name, makes_of_given, only_tells
from tracewitness.intake.code.python_nested import without_nested_words
from tracewitness.intake.code.python_sinks import SAID, Sinks

LONGEST = 200_000
"""Characters of code that are parsed; longer code is kept out as a whole."""


@dataclass(frozen=True, slots=True)
class BareCode:
    """Code without words.

    Attributes:
        statements: The statements that do something, in order.
        words: The comments, docstrings, strings and messages that stood in it.
        parts: The same, each by itself.
    """

    statements: tuple[ast.stmt, ...]
    words: str
    parts: tuple[str, ...] = ()


def bare_code(code: str, *, fresh: bool = True) -> BareCode | None:
    """Return code without comments, docstrings, strings that stand alone, and texts that are only said.

    None where it is no Python: then words cannot be told from code in it.

    Args:
        code: The code.
        fresh: Whether it runs in a process of its own, so that a variable that it never reads is read by nobody.
    """
    if len(code) > LONGEST or "\0" in code:
        return None
    text = textwrap.dedent(code.replace("\r\n", "\n").replace("\r", "\n")).strip()
    tree = _parsed(text)
    if tree is None:
        return None
    words = list(_comments(text))
    try:
        _without_texts(tree, words, fresh)
        without_nested_words(tree, words)
    except RecursionError:
        return None
    return BareCode(tuple(tree.body), "\n".join(filter(None, (one.strip() for one in words))), tuple(words))


def written_code(*statements: ast.AST) -> str:
    """Return statements as code on one line each."""
    try:
        return "\n".join(ast.unparse(one) for one in statements)
    except (RecursionError, ValueError):
        return ""


def _parsed(text: str) -> ast.Module | None:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a string is for its author to hear of
            return cast(ast.Module, compile(text, "<code>", "exec", flags, dont_inherit=True))
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


def _without_texts(tree: ast.Module, words: list[str], fresh: bool) -> None:
    """Empty the texts that are only said, and take out of every block the statements that do nothing else."""
    sinks = Sinks.of(tree)
    said = sinks.said(fresh=fresh)
    for text, sink in sinks.texts:
        if sink == SAID or sink in said:
            words += _emptied(text)
    silent = said - sinks.loaded.keys()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        for key, value in list(ast.iter_fields(node)):
            parts = cast(list[Any], value) if isinstance(value, list) else []
            pending += [one for one in parts if isinstance(one, ast.excepthandler | ast.match_case)]
            if block := [one for one in parts if isinstance(one, ast.stmt)]:
                kept = [one for one in block if not _only_says(one, silent, words)]
                setattr(node, key, kept if kept or isinstance(node, ast.Module) else [ast.Pass()])
                pending += kept


def _emptied(text: ast.Constant | ast.JoinedStr) -> Iterator[str]:
    if isinstance(text, ast.JoinedStr):
        yield from (one.value for one in text.values if isinstance(one, ast.Constant) and isinstance(one.value, str))
        text.values = [one for one in text.values if not isinstance(one, ast.Constant)]
        return
    value: Any = text.value
    yield value if isinstance(value, str) else cast(bytes, value).decode("utf-8", "replace")
    text.value = "" if isinstance(value, str) else b""


def _only_says(one: ast.stmt, silent: frozenset[str], words: list[str]) -> bool:
    """Tell a statement that does nothing but say something; what is left of its message then is empty."""
    if isinstance(one, ast.Assert) and one.msg is not None and _is_empty(one.msg):
        one.msg = None
    if isinstance(one, ast.Expr):
        return _is_empty(one.value)
    if isinstance(one, ast.AnnAssign) and one.value is None:  # "Thought: done" is an annotation to Python
        words.append(written_code(one))
        return True
    if not isinstance(one, ast.Assign | ast.AnnAssign | ast.AugAssign) or one.value is None:
        return False
    targets = one.targets if isinstance(one, ast.Assign) else [one.target]
    if not all(isinstance(name, ast.Name) and name.id in silent for name in targets):
        return False
    return _is_empty(one.value)


def _is_empty(value: ast.expr) -> bool:
    """Tell an expression that neither reads nor does anything: emptied texts, numbers, calls that say them."""
    pending: list[ast.AST] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call):
            if not only_tells(node) and not makes_of_given(node):
                return False
            pending += [*node.args, *(word.value for word in node.keywords)]
            if isinstance(node.func, ast.Attribute) and not dotted_name(node.func):
                pending.append(node.func.value)
        elif isinstance(node, ast.Name | ast.Await | ast.Yield | ast.YieldFrom | ast.Attribute | ast.Lambda):
            return False
        else:
            pending += ast.iter_child_nodes(node)
    return True
