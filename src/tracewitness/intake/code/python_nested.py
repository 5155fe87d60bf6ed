"""Code of other languages that Python code runs: what ``os.system`` is given, or a page to evaluate."""

import ast
from typing import Any, cast

from tracewitness.intake.code.bare_text import BareText
from tracewitness.intake.code.javascript_code import bare_javascript
from tracewitness.intake.code.python_names import dotted_name
from tracewitness.intake.code.shell_code import bare_shell

_SHELL = frozenset(
    "os.system os.popen system popen subprocess.run subprocess.call subprocess.Popen subprocess.check_call "
    "subprocess.check_output subprocess.getoutput subprocess.getstatusoutput get_ipython.system".split()
)
_SCRIPTS = frozenset("execute_script execute_async_script evaluate evaluate_handle eval_js execute_js".split())
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh"})


def without_nested_words(tree: ast.Module, words: list[str]) -> None:
    """Take the words out of commands and scripts that stand in a tree as texts."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = dotted_name(node.func)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else name
        if name in _SHELL:
            code = _command(node.args[0])
            if code is not None and not _reads_output(node):
                _strip(code, bare_shell(_text(code)), words)
        elif called in _SCRIPTS and (code := _constant(node.args[0])) is not None:
            _strip(code, bare_javascript(_text(code)), words)


def _command(given: ast.expr) -> ast.Constant | None:
    """Return a command that is a text, or the text that a shell is given in a list."""
    if isinstance(given, ast.List | ast.Tuple):
        parts = [one.value if isinstance(one, ast.Constant) else None for one in given.elts]
        shell = len(parts) == 3 and parts[0] in _SHELLS and str(parts[1]).startswith("-")
        return _constant(given.elts[2]) if shell else None
    return _constant(given)


def _reads_output(node: ast.Call) -> bool:
    """Tell a call whose output goes on: into a file, or into the code itself."""
    return any(word.arg == "stdout" for word in node.keywords)


def _constant(node: ast.expr) -> ast.Constant | None:
    return node if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _text(code: ast.Constant) -> str:
    return str(cast(Any, code.value))


def _strip(code: ast.Constant, bare: BareText, words: list[str]) -> None:
    if bare.words:
        code.value = bare.text
        words += bare.words
