"""Ratio: audits by rules against ``json.loads`` of the same bytes; rate: small runs in two processes.

Run as ``python benchmarks/rules_speed.py [EVERY] [SMALL]``: every so many runs of the corpora (0: none of
them), and how many small runs.
The lexicons are read before the clock starts (start-up is measured elsewhere). Every round is a process of its own, so
that nothing is kept from one round to the next; within it, runs are read from a file and audited with the results
thrown away, then the same lines are parsed.
"""

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter

from measuring import ROUNDS, Measured, best, seconds
from sources import EXAMPLES, case_runs, write_corpora, write_small

from tracewitness.auditing.many_runs import Sharing, audit_many
from tracewitness.intake.errors import IntakeFailure
from tracewitness.store.store import open_store
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.inputs import read_inputs
from tracewitness.wiring.policies import find_policy

SHARE_AIM = 0.1
RATE_AIM = 1_000.0
JOBS = 2


def audit_file(path: Path) -> int:
    """Audit all runs of a file here and return how many there were."""
    setup = rules_setup(find_policy("default"))
    outcomes = audit_many(read_inputs([path], known_formats()[0]), setup)
    return sum(not isinstance(outcome, IntakeFailure) for outcome in outcomes)


def warm_up(folder: Path) -> None:
    """Audit the examples and cases, so that every lexicon is read."""
    models = folder / "warm.jsonl"
    models.write_text("".join(f"{json.dumps(run)}\n" for run in case_runs()), encoding="utf-8")
    for path in (EXAMPLES, models):
        audit_file(path)


def one_round(path: Path) -> tuple[float, float, int]:
    """Return the seconds of auditing a file, those of parsing its lines, and the number of runs."""
    with tempfile.TemporaryDirectory() as name:
        warm_up(Path(name))
    lines = path.read_bytes().splitlines()
    auditing = seconds(lambda: audit_file(path))
    return auditing, best(lambda: [json.loads(line) for line in lines], 5), len(lines)


def small_round(path: Path, stored: Path | None) -> tuple[float, float]:
    """Return how many small runs a second two processes audit once they are running, and the CPU time of each in ms.

    The CPU time counts all processes and their start, so it does not depend on what else the machine does.
    """
    policy = find_policy("default")
    sharing = Sharing(JOBS, partial(rules_setup, policy))
    store = None if stored is None else open_store(stored)
    outcomes = audit_many(read_inputs([path], known_formats()[0]), rules_setup(policy), store=store, sharing=sharing)
    warm = max(1, sum(1 for _ in path.open("rb")) // 5)
    for _ in range(warm):
        next(outcomes)
    start, count = perf_counter(), sum(1 for _ in outcomes)
    rate = count / (perf_counter() - start)
    return rate, sum(_cpu(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)) / (count + warm) * 1e3


def _cpu(who: int) -> float:
    used = getrusage(who)
    return used.ru_utime + used.ru_stime


def rules_speed(every: int = 1, small: int = 3_000, rounds: int = ROUNDS) -> list[Measured]:
    """Return the ratio for each source and over all of them, and the rates of small runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_corpora(folder, every)
        measured = _shares(paths, rounds)
        many = write_small(folder / "small.jsonl", small)
        for kind in ("off", "on"):
            rate, cpu = max(tuple(map(float, _fresh("--small", many, kind))) for _ in range(rounds))
            size = many.stat().st_size / small
            detail = f"{JOBS} processes, {small:,} runs of {size / 1024:.1f} KiB, warm; {cpu:.2f} ms CPU a run"
            measured.append(Measured(f"small runs a second, storing {kind}", rate, RATE_AIM, True, detail))
    return measured


def _shares(paths: list[Path], rounds: int) -> list[Measured]:
    rows: list[Measured] = []
    totals = [0.0, 0.0, 0]
    for path in paths:
        found = [_fresh("--round", path) for _ in range(rounds)]
        auditing = min(float(each[0]) for each in found)
        parsing = min(float(each[1]) for each in found)
        runs = int(found[0][2])
        rows.append(_share(f"audit speed / json.loads: {path.stem}", auditing, parsing, runs, path.stat().st_size))
        totals = [totals[0] + auditing, totals[1] + parsing, totals[2] + runs]
    size = sum(path.stat().st_size for path in paths)
    return [_share("audit speed / json.loads: all", totals[0], totals[1], int(totals[2]), size, SHARE_AIM), *rows]


def _share(name: str, auditing: float, parsing: float, runs: int, size: int, aim: float | None = None) -> Measured:
    rates = f"{runs / auditing:,.0f} runs/s, {size / auditing / 1e6:.1f} MB/s against {size / parsing / 1e6:.0f} MB/s"
    return Measured(name, parsing / auditing, aim, True, rates)


def _fresh(how: str, *arguments: object) -> list[str]:
    command = [sys.executable, __file__, how, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.split()


def main(arguments: list[str]) -> None:
    """Run one round for a caller, or everything for a person."""
    if arguments[:1] == ["--round"]:
        print(*one_round(Path(arguments[1])))
    elif arguments[:1] == ["--small"]:
        with tempfile.TemporaryDirectory() as name:
            print(*small_round(Path(arguments[1]), Path(name) / "audits.db" if arguments[2] == "on" else None))
    else:
        for row in rules_speed(*map(int, arguments)):
            print(f"{row.name}: {row.value:.4g} ({row.detail})")


if __name__ == "__main__":
    main(sys.argv[1:])
