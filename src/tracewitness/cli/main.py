"""The entry point of the command line."""

import os
import sys
from typing import Annotated

import typer

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.output import watch_output
from tracewitness.cli.verbs import VerbGroup, verb_app
from tracewitness.values.folding import printable
from tracewitness.version import __version__

app = verb_app(cls=VerbGroup, no_args_is_help=True)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tracewitness {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Check what an AI agent says about its own run against the recorded trace.

    Exit codes: 10 something FLAGged; 11 nothing flagged and something to REVIEW; else 1 internal failure, 3 an input or
    the store could not be used or nothing was audited, 0 all inputs used and nothing blocked. 2 wrong usage.
    """
    del version


def run() -> None:
    """Run the command line and leave with its exit code."""
    watch_output()
    try:
        app(prog_name="tracewitness")
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except Exception as error:
        # A verb's own failures are told by its guard; what arrives here is an installation that cannot even load it.
        if os.environ.get("TRACEWITNESS_DEBUG"):
            raise
        typer.echo(printable(f"tracewitness: internal failure: {type(error).__name__}: {error}"), err=True)
        sys.exit(ExitCode.INTERNAL)
    finally:
        # Now, where it can still be told, and not in the interpreter's last moments.
        sys.stdout.flush()
