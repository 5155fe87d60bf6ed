"""No import contract sees an import by name, so neither side may load, build or unpickle code at run time."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "tracewitness"
SIDES = ("report_side", "trace_side", "task_side", "language", "findings", "policy", "values")

# Of importlib only its resources may be used: data files that lie beside the code.
MODULES = frozenset(
    {
        "pickle",
        "marshal",
        "shelve",
        "dill",
        "runpy",
        "pkgutil",
        "imp",
        "builtins",
        "code",
        "codeop",
        "ctypes",
        "gc",
        "inspect",
    }
)
NAMES = frozenset({"__import__", "eval", "exec", "compile", "globals", "locals", "vars", "__builtins__", "__loader__"})
ATTRIBUTES = frozenset({"import_module", "__import__", "__globals__", "__subclasses__", "__builtins__", "modules"})


def loopholes(text: str) -> Iterator[str]:
    """Yield the ways round the import contracts that a module uses."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names if _is_banned(name.name))
            case ast.ImportFrom(module=str(module), names=names):
                yield from (
                    f"{module}.{n.name}" for n in names if _is_banned(module) or _is_banned(f"{module}.{n.name}")
                )
            case ast.Name(id=name) if name in NAMES:
                yield name
            case ast.Attribute(attr=name) if name in ATTRIBUTES:
                yield name
            case _:
                pass


def _is_banned(module: str) -> bool:
    top = module.split(".", 1)[0]
    if top == "importlib":
        return not f"{module}.".startswith("importlib.resources.")
    return top in MODULES or module == "sys.modules"


@pytest.mark.parametrize("side", SIDES)
def test_no_side_goes_round_the_contracts(side: str) -> None:
    modules = sorted((SOURCE / side).rglob("*.py"))
    assert modules
    found = {str(path.relative_to(SOURCE)): list(loopholes(path.read_text(encoding="utf-8"))) for path in modules}
    assert {path: ways for path, ways in found.items() if ways} == {}


PLANTED = [
    "import importlib\nimportlib.import_module('tracewitness.report_side.report')",
    "from importlib import import_module\nimport_module('x')",
    "import importlib.util",
    "from importlib.machinery import SourceFileLoader",
    "__import__('tracewitness.report_side.report')",
    "eval('1')",
    "exec('import x')",
    "run = exec",
    "compile('1', 'x', 'eval')",
    "import pickle",
    "from pickle import loads",
    "import sys\nsys.modules['tracewitness.report_side.report']",
    "from sys import modules",
    "import runpy",
    "import builtins",
    "print(globals())",
    "def f():\n    import pickle as quiet",
    "(lambda: 0).__globals__",
    "object.__subclasses__()",
]


@pytest.mark.parametrize("text", PLANTED)
def test_each_way_round_is_seen(text: str) -> None:
    assert list(loopholes(text)) != []


@pytest.mark.parametrize(
    "text",
    [
        "from importlib.resources import files",
        "import re\nre.compile('x')",
        "import json\njson.loads('1')",
        "x.evaluate()",
    ],
)
def test_plain_code_is_left_alone(text: str) -> None:
    assert list(loopholes(text)) == []


@pytest.mark.parametrize("side", ["report_side", "trace_side"])
@pytest.mark.parametrize(
    "text",
    [
        "from importlib import import_module\n\nimport_module('tracewitness.cli')\n",
        "import importlib\n\nimportlib.import_module('tracewitness.cli')\n",
        "import pickle\n\npickle.loads(b'')\n",
    ],
)
def test_the_linter_refuses_it_too(side: str, text: str) -> None:
    planted = SOURCE / side / "planted.py"
    command = [sys.executable, "-m", "ruff", "check", "--quiet", "--output-format=concise", "--select=TID251"]
    command += ["--config", str(ROOT / "pyproject.toml"), "--stdin-filename", str(planted), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    assert "is banned" in done.stdout
    assert not planted.exists()
