"""``tracewitness lab``: runs made in real web apps, with known truth, and how a judge does on them."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, guarded
from tracewitness.cli.verbs import verb_app

app = verb_app(no_args_is_help=True)

_SEED = 7
_EXTRA = frozenset({"babel", "jinja2", "multipart", "playwright", "python_multipart", "starlette", "uvicorn"})


@contextmanager
def _extra_installed() -> Generator[None]:
    """Turn a missing package of the extra into one line.

    Raises:
        Stop: One is missing.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in _EXTRA:
            raise
        told = f"the lab needs the package {package}; install the extra: pip install 'tracewitness[lab]'"
        raise Stop(told, ExitCode.USAGE) from missing


@app.command("make")
def make_runs(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder of the lab.")],
    runs: Annotated[int, typer.Option("--runs", min=1, max=99_999, help="How many runs.")] = 55,
    seed: Annotated[int, typer.Option("--seed", min=0, help="What every choice is drawn from.")] = _SEED,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="A kind of run [all]; may be repeated.")] = None,
    language: Annotated[
        list[str] | None, typer.Option("--language", help="A language [all eight]; may be repeated.")
    ] = None,
    apps: Annotated[list[str] | None, typer.Option("--app", help="An app [all six]; may be repeated.")] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            "--profile",
            help="What logs keep: all, text, screenshots, no-network, before-only, cut [all]; may be repeated.",
        ),
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option("--format", help="Of the logs: neutral, browser-use, osworld, atif [neutral]; may be repeated."),
    ] = None,
    orders: Annotated[
        float,
        typer.Option(
            "--orders",
            min=0,
            max=1,
            help="Share of runs with text on their pages that orders a judge; changes no more.",
        ),
    ] = 0.15,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, max=64, help="Browsers at a time [one a processor].")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was made as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Make runs in a real browser, with logs, labels, and the truth of each, read from the app's database.

    The same seed gives the same runs, apart from times and ports. What is there already is not made again, so an
    interrupted command is simply run again; with more --runs, the lab grows. Logs are in DIR/logs/PROFILE/FORMAT,
    labels in DIR/truth/gold.jsonl.
    """
    with guarded(), _extra_installed():
        from tracewitness.cli.lab_making import Wanted, make  # noqa: PLC0415

        wanted = Wanted(out, runs, seed, kind, language, apps, profile, form, orders, workers)
        make(wanted, as_json=as_json, quiet=quiet)


@app.command("logs")
def write_logs(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a lab.")],
    profile: Annotated[list[str] | None, typer.Option("--profile", help="What they keep [all of them].")] = None,
    form: Annotated[list[str] | None, typer.Option("--format", help="Their format [neutral].")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
) -> None:
    """Write the logs of a lab's recordings in further profiles and formats. No browser is needed."""
    with guarded(), _extra_installed():
        from tracewitness.cli import lab_making  # noqa: PLC0415

        lab_making.write_logs(folder, profile, form, quiet=quiet)


@app.command("score")
def score_judges(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a lab.")],
    store: Annotated[
        list[str] | None, typer.Option("--store", metavar="STORE", help="Audits of the lab's logs; may be repeated.")
    ] = None,
    verdicts: Annotated[
        list[Path] | None,
        typer.Option(
            "--verdicts",
            metavar="FILE",
            help="Of any judge: CSV with run_id and disposition, or a file of 'bench judge'; may be repeated.",
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            help="all, family, kind, language, app, class, orders, set-aside, profile [all, family, kind]; repeatable.",
        ),
    ] = None,
    form: Annotated[str, typer.Option("--form", help="terminal, markdown, csv, json or latex.")] = "terminal",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where tables go.")] = None,
    controls: Annotated[bool, typer.Option("--controls/--no-controls", help="Trivial controls beside.")] = True,
) -> None:
    """Score audits, or any judge's verdicts, against the truth: what was blocked, what honest runs passed, the load."""
    with guarded(), _extra_installed():
        from tracewitness.cli.lab_scoring import score  # noqa: PLC0415

        score(folder, store, verdicts, by, form, output, controls=controls)


@app.command("kinds")
def list_kinds(
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the kinds of runs: false successes, honest successes that look suspicious, honest failures."""
    with guarded(), _extra_installed():
        from tracewitness.cli.lab_making import kinds  # noqa: PLC0415

        kinds(as_json=as_json)
