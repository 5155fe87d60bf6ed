"""What the names of Python code say of it: functions that only say something, variables that explain."""

import ast
from collections.abc import Iterator
from typing import Any

from tracewitness.intake.finishing import is_finish_like, only_says
from tracewitness.intake.own_words import explains, is_narrating

_SAYING = frozenset(
    "print pprint pprint.pprint pp exit quit sys.exit os._exit warnings.warn sys.stdout.write sys.stderr.write "
    "stdout.write stderr.write display input console.print rich.print rprint click.echo typer.echo tqdm.write "
    "sys.stdout.writelines sys.stderr.writelines IPython.display.display self.log log print_log".split()
)
_LOGGERS = frozenset("logging logger log _logger _log LOGGER LOG loguru".split())
_LEVELS = frozenset("debug info warning warn error critical exception log fatal success trace".split())
_DIALOGS = frozenset("alert confirm prompt".split())
_ENDING = frozenset("exit quit _exit input".split())
_GUI = frozenset("pyautogui pg gui agent computer keyboard mouse".split())
_PASSING = frozenset(
    "str repr format len list tuple dict set sorted reversed min max sum round abs int float bool enumerate zip any "
    "all ascii chr range json.dumps pprint.pformat textwrap.dedent textwrap.fill textwrap.indent bytes dumps "
    "dedent".split()
)
_OF_TEXTS = frozenset(
    "format join replace upper lower strip lstrip rstrip title capitalize center ljust rjust zfill encode decode "
    "split splitlines expandtabs casefold swapcase removeprefix removesuffix items keys values format_map "
    "translate partition rpartition".split()
)
_MODULES = frozenset("os shutil requests httpx client session api re subprocess pd np".split())
_ADDING = frozenset("append extend add insert update setdefault appendleft".split())
_EXPLAINING_KEYWORDS = frozenset("description comment logScreenshot log_screenshot".split())
_TELLING = frozenset("status result answer report outcome verdict _".split())
_NOTING = frozenset("agent self state".split())


def dotted_name(node: ast.AST) -> str:
    """Return ``pyautogui.click`` for the function of a call; an empty text where it is no plain name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def is_saying(call: ast.Call) -> bool:
    """Tell whether a call only says something: to a log, a terminal, or whoever reads it."""
    name = dotted_name(call.func)
    if name == "input":  # of some agents' own languages, where it types
        return len(call.args) < 2 and not call.keywords
    head, _, last = name.rpartition(".")
    if name in _SAYING or (last in _LEVELS and head.rpartition(".")[2] in _LOGGERS):
        return True
    if head.partition(".")[0] in _GUI:
        return last in _DIALOGS or is_finish_like(last) or is_narrating(last)
    return bool(name) and not head and only_says(name)


def only_tells(call: ast.Call) -> bool:
    """Tell a call that says something and does nothing else: it ends nothing, and opens no dialog."""
    last = dotted_name(call.func).rpartition(".")[2]
    return is_saying(call) and last not in _DIALOGS | _ENDING and not is_finish_like(last) and not writes_to_file(call)


def writes_to_file(call: ast.Call) -> bool:
    """Tell a print into a file from one into the terminal."""
    into = [dotted_name(word.value) for word in call.keywords if word.arg == "file"]
    return bool(into) and into[0] not in ("sys.stderr", "sys.stdout", "stderr", "stdout")


def passes_on(call: ast.Call) -> bool:
    """Tell a call that makes a value of values and does nothing else: str(x), "{}".format(x), " ".join(x)."""
    name = dotted_name(call.func)
    if name in _PASSING:
        return True
    return isinstance(call.func, ast.Attribute) and call.func.attr in _OF_TEXTS and name.split(".")[0] not in _MODULES


def makes_of_given(call: ast.Call) -> bool:
    """Tell a call that makes a value of what it is given alone, and reads no object: ``str(x)``, ``"{}".format(x)``."""
    name = dotted_name(call.func)
    return name in _PASSING or (passes_on(call) and not name)


def adds_to(call: ast.Call) -> str:
    """Return the variable that a call adds to, as in ``notes.append(x)``; empty where it is none of that kind."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING and isinstance(call.func.value, ast.Name):
        return call.func.value.id
    return ""


def is_aside(call: ast.Call, keyword: str | None) -> bool:
    """Tell an argument of a call of the screen in which the agent explains itself."""
    on_screen = dotted_name(call.func).partition(".")[0] in _GUI
    return on_screen and keyword is not None and (keyword in _EXPLAINING_KEYWORDS or explains(keyword))


def tells(name: str) -> bool:
    """Tell a variable of which nobody expects that it is written anywhere."""
    return name in _TELLING or explains(name)


def notes_down(target: ast.expr) -> bool:
    """Tell ``agent.notes``, in which an agent keeps its own words, from attributes of other objects."""
    root = dotted_name(target).partition(".")[0]
    return isinstance(target, ast.Attribute) and root in _NOTING and explains(target.attr)


def own_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements in a node, without those of the functions and classes in it."""
    pending: list[Any] = list(ast.iter_child_nodes(node))
    while pending:
        one = pending.pop()
        if isinstance(one, ast.stmt):
            yield one
        inside = isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case) and not inside:
            pending += ast.iter_child_nodes(one)
