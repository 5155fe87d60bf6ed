"""Ratio: ``tracewitness --help`` against a Python that does nothing, as processes of their own, in turn.

Run as ``python benchmarks/startup.py [ROUNDS]``. The command's own script is started, as a user does; where it is not
installed, the same entry point through the interpreter.
"""

import subprocess
import sys
from pathlib import Path

from measuring import Measured, seconds

AIM = 8.0


def command_line() -> list[str]:
    """Return how the command is started."""
    script = Path(sys.executable).with_name("tracewitness")
    if script.exists():
        return [str(script)]
    return [sys.executable, "-c", "from tracewitness.cli.main import run; run()"]


def startup(rounds: int = 15) -> list[Measured]:
    """Return the ratio of the shortest times."""
    helping = [*command_line(), "--help"]
    nothing = [sys.executable, "-c", "pass"]
    times = [(seconds(lambda: _run(helping)), seconds(lambda: _run(nothing))) for _ in range(rounds)]
    slow, quick = (min(each) for each in zip(*times, strict=True))
    detail = f"{slow * 1e3:.0f} ms against {quick * 1e3:.0f} ms"
    return [Measured("start-up of --help / python -c pass", slow / quick, AIM, False, detail)]


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for row in startup(*map(int, sys.argv[1:])):
        print(f"{row.name}: {row.value:.2f} ({row.detail})")
