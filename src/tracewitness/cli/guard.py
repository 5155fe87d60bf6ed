"""What a verb's failure looks like: one clear line on standard error and the right exit code, never a traceback."""

import os
import traceback
from collections.abc import Generator
from contextlib import contextmanager

import typer

from tracewitness.cli.exits import ExitCode
from tracewitness.values.folding import fold_spaces, printable

DEBUG_VARIABLE = "TRACEWITNESS_DEBUG"


class Stop(Exception):
    """A verb cannot go on: the line for the user and the exit code."""

    def __init__(self, line: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(line)
        self.code = code


def complain(line: str) -> None:
    """Write one line to standard error, with everything that a terminal could obey made visible."""
    typer.echo(f"tracewitness: {fold_spaces(printable(line))}", err=True)


@contextmanager
def guarded() -> Generator[None]:
    """Turn what escapes from a verb into a line and an exit code."""
    try:
        yield
    except Stop as stop:
        complain(str(stop))
        raise typer.Exit(stop.code) from None
    except KeyboardInterrupt:
        complain("interrupted")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE):
            complain(printable(traceback.format_exc()))
        complain(f"internal failure: {type(error).__name__}: {error} (set {DEBUG_VARIABLE}=1 to see where)")
        raise typer.Exit(ExitCode.INTERNAL) from None
