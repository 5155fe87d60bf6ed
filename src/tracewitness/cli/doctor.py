"""``tracewitness doctor``: is this installation in order?"""

import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tracewitness.backends.errors import ModelError
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import guarded
from tracewitness.cli.options import JsonOption, StoreOption
from tracewitness.cli.terminal import line, print_json, stdout
from tracewitness.cli.verbs import verb_app
from tracewitness.policy.analysis import check
from tracewitness.store.errors import StoreError
from tracewitness.store.store import open_store
from tracewitness.values.plurals import plural
from tracewitness.version import __version__
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.policies import builtin_names, find_policy
from tracewitness.wiring.settings import settings

app = verb_app()

_PACKAGES = ("pydantic", "typer", "rich", "SQLAlchemy", "defusedxml", "numpy")
_OPTIONAL = ("psycopg", "pydantic-ai-slim", "openvino-genai", "rapidocr")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it is in order, and what was found."""

    what: str
    fine: bool
    found: str


@app.command("doctor")
def doctor(
    store: StoreOption = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="Ask this model anew what it can do; a few short calls."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check this installation: versions, policies, formats and the store; with --model, that model too.

    Nothing is changed, but that what a model can do is remembered.

    Exit code 0 where all is in order, 1 where something is not. With --json: one object with every finding.
    """
    with guarded():
        findings = [*_findings(store), *([_model(model)] if model is not None else [])]
        if as_json:
            rows = [{"what": f.what, "fine": f.fine, "found": f.found} for f in findings]
            print_json({"fine": all(finding.fine for finding in findings), "findings": rows})
        else:
            for finding in findings:
                mark = ("ok   ", "green") if finding.fine else ("wrong", "bold red")
                stdout().print(Text.assemble(mark, f"  {finding.what:<10} {line(finding.found)}"))
        raise typer.Exit(ExitCode.CLEAR if all(finding.fine for finding in findings) else ExitCode.INTERNAL)


def _findings(store: str | None) -> Iterator[Finding]:
    yield Finding("version", True, f"tracewitness {__version__}, Python {platform.python_version()}")
    yield _packages()
    yield from (_tried("policy", name, lambda name=name: _policy(name)) for name in builtin_names())
    registry, broken = known_formats()
    yield Finding("formats", True, ", ".join(one.name for one in registry.formats))
    yield from (Finding(plugin.what, False, f"{plugin.name}: {plugin.problem}") for plugin in broken)
    yield _store(store or settings().store)


def _packages() -> Finding:
    found = [f"{name} {_version(name) or 'missing'}" for name in _PACKAGES]
    found += [f"{name} {known}" for name in _OPTIONAL if (known := _version(name))]
    return Finding("packages", all(_version(name) for name in _PACKAGES), ", ".join(found))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _tried(what: str, name: str, attempt: Callable[[], Finding]) -> Finding:
    try:
        return attempt()
    except Exception as error:
        return Finding(what, False, f"{name}: {type(error).__name__}: {error}")


def _policy(name: str) -> Finding:
    report = check(find_policy(name))
    failing = [proof.subject for proof in report.proofs if not proof.holds]
    said = f"does not hold: {', '.join(failing)}" if failing else "total, closed-world, monotone, report-blind"
    return Finding("policy", True, f"{name} {report.policy.version}: {said}")


def _model(name: str) -> Finding:
    # Loaded here, so that a check of the installation alone needs none of it.
    from tracewitness.cli.asked import told_capabilities  # noqa: PLC0415
    from tracewitness.wiring.probing import probed  # noqa: PLC0415

    try:
        found = probed(name)
    except ModelError as error:
        return Finding("model", False, str(error))
    refused = "".join(f"; not {form}: {why}" for form, why in found.refused)
    return Finding("model", True, f"{name}: {told_capabilities(found)}{refused}")


def _store(address: str) -> Finding:
    if "://" not in address and not Path(address).exists():
        folder = next((parent for parent in Path(address).absolute().parents if parent.exists()), Path("/"))
        fine = os.access(folder, os.W_OK)
        return Finding("store", fine, f"{address}: none yet{'' if fine else '; its folder cannot be written'}")
    try:
        with open_store(address, create=False) as opened:
            return Finding("store", True, f"{opened.place}: {plural(opened.stats().audits, 'audit')}")
    except StoreError as error:
        return Finding("store", False, str(error))
