"""Calls that end a run, written as code: ``computer.terminate(status="success", answer="...")``.

Most agents turn them into DONE and FAIL before they are logged; some log them as the model wrote them.
"""

import ast
from typing import Any

from tracewitness.intake.calls import Call

_NAMES = frozenset({"terminate", "done", "fail", "finish", "finished", "answer", "infeasible", "final_answer"})
_HOLDERS = frozenset({"", "computer", "agent", "browser", "env", "self"})
"""What such a call may be one of; ``process.terminate()`` ends something else."""
_LONGEST = 100_000


def ending_call(code: str) -> tuple[str, Call] | None:
    """Return what a snippet does ahead of a call with which it ends the run, and that call; None where it ends none."""
    last = _last_statement(code)
    called = last.value if isinstance(last, ast.Expr) else None
    if last is None or not isinstance(called, ast.Call):
        return None
    holder, name = _name(called.func)
    if holder not in _HOLDERS or name not in _NAMES:
        return None
    ahead = "\n".join(code.splitlines()[: last.lineno - 1])
    return (ahead, Call(name, _arguments(called))) if last.col_offset == 0 else None


def _last_statement(code: str) -> ast.stmt | None:
    if len(code) > _LONGEST or "(" not in code:
        return None
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body[-1] if body else None


def _name(called: ast.expr) -> tuple[str, str]:
    if isinstance(called, ast.Name):
        return "", called.id.casefold()
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return called.value.id.casefold(), called.attr.casefold()
    return "?", ""


def _arguments(called: ast.Call) -> dict[str, Any]:
    told: dict[str, Any] = {f"text {at}" if at else "text": _value(one) for at, one in enumerate(called.args)}
    return told | {one.arg or "others": _value(one.value) for one in called.keywords}


def _value(written: ast.expr) -> Any:
    try:
        return ast.literal_eval(written)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ast.unparse(written)
