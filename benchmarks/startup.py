"""Ratios: ``tracewitness --help``, and knowing all formats, against a Python that does nothing.

All are processes of their own, in turn. What knowing the formats costs, every command that reads a log pays.

Run as ``python benchmarks/startup.py [ROUNDS]``. The command's own script is started, as a user does; where it is not
installed, the same entry point through the interpreter.
"""

import subprocess
import sys
from pathlib import Path

from measuring import Measured, seconds

AIM = 8.0
AIM_OF_FORMATS = 20.0
"""Our own bound, set after the first measurement gave 17, to see it grow."""


def command_line() -> list[str]:
    """Return how the command is started."""
    script = Path(sys.executable).with_name("tracewitness")
    if script.exists():
        return [str(script)]
    return [sys.executable, "-c", "from tracewitness.cli.main import run; run()"]


def startup(rounds: int = 15) -> list[Measured]:
    """Return the ratio of the shortest times."""
    helping = [*command_line(), "--help"]
    knowing = [sys.executable, "-c", "from tracewitness.wiring.formats import known_formats; known_formats()"]
    nothing = [sys.executable, "-c", "pass"]
    times = [[seconds(lambda one=one: _run(one)) for one in (helping, knowing, nothing)] for _ in range(rounds)]
    help_time, formats_time, quick = (min(each) for each in zip(*times, strict=True))
    return [
        _row("start-up of --help / python -c pass", help_time, quick, AIM),
        _row("knowing all formats / python -c pass", formats_time, quick, AIM_OF_FORMATS),
    ]


def _row(name: str, slow: float, quick: float, aim: float) -> Measured:
    return Measured(name, slow / quick, aim, False, f"{slow * 1e3:.0f} ms against {quick * 1e3:.0f} ms")


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for row in startup(*map(int, sys.argv[1:])):
        print(f"{row.name}: {row.value:.2f} ({row.detail})")
