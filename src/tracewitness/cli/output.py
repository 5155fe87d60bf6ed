"""Standard output whose reader may go away (``tracewitness policy show | head -1``): the verb just ends."""

import io
import os
import sys
from typing import TYPE_CHECKING

from tracewitness.cli.exits import ExitCode

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Output(io.FileIO):
    """Standard output that ends the program where its reader is gone.

    The libraries that write to it each have their own exit code for that; none of them catches a ``SystemExit``.
    """

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write, or leave with the exit code of a broken pipe."""
        try:
            return super().write(data)
        except BrokenPipeError:
            # What is still to be written on the way out goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            raise SystemExit(ExitCode.BROKEN_PIPE) from None


def watch_output() -> None:
    """Let the program end quietly from now on where the reader of its standard output goes away."""
    plain = sys.stdout
    try:
        descriptor = plain.fileno()
    except (AttributeError, OSError, ValueError):
        return
    plain.flush()
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(descriptor, "w", closefd=False)),
        encoding=plain.encoding,
        errors=plain.errors,
        line_buffering=plain.isatty(),
    )
