"""Labelled runs for an experiment: gone through once to draw the sample, and again to judge what was drawn."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracewitness.auditing.one_run import Run
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.labels import GoldSet
from tracewitness.benchmark.leakage.plan import Candidate, Plan, candidate, sampled, why_left_out
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.registry import Registry
from tracewitness.judges.material import outline
from tracewitness.judges.showing import Showing
from tracewitness.values.digests import digest_bytes
from tracewitness.wiring.inputs import read_inputs


@dataclass(frozen=True, slots=True)
class Sources:
    """Where runs and labels are.

    Attributes:
        paths: Files, folders or patterns that hold runs.
        registry: The formats.
        gold: Files of labels.
        format_name: Take everything as this format; None to find out.
    """

    paths: Sequence[str]
    registry: Registry
    gold: Sequence[Path]
    format_name: str | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Which runs are drawn.

    Attributes:
        count: How many; None for all.
        seed: Another seed draws others.
        suspect: Keep runs whose task or checker is suspect.
        all_claims: Keep runs whose report does not claim success.
    """

    count: int | None = None
    seed: int = 0
    suspect: bool = False
    all_claims: bool = False


def planned(
    sources: Sources,
    judge: str,
    showings: Sequence[Showing],
    draw: Draw,
    on_failure: Callable[[IntakeFailure], None],
) -> Plan:
    """Return the plan of an experiment: every labelled run is looked at, and the sample is drawn.

    Raises:
        BenchmarkError: The labels cannot be used, or no labelled run is left.
    """
    labels = read_gold(*sources.gold)
    left_out: Counter[str] = Counter()
    candidates = list(_candidates(sources, labels, draw, left_out, on_failure))
    if not candidates:
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.most_common()) or "no run was read"
        raise BenchmarkError(f"no labelled run is left ({reasons})")
    runs = sampled(candidates, draw.count, draw.seed)
    digests = tuple(sorted(digest_bytes(path.read_bytes()) for path in sources.gold))
    return Plan(judge, tuple(showings), runs, draw.seed, digests, tuple(sorted(left_out.items())))


def _candidates(
    sources: Sources,
    labels: GoldSet,
    draw: Draw,
    left_out: Counter[str],
    on_failure: Callable[[IntakeFailure], None],
) -> Iterator[Candidate]:
    seen: set[str] = set()
    for run in read_inputs(sources.paths, sources.registry, format_name=sources.format_name):
        if isinstance(run, IntakeFailure):
            on_failure(run)
            continue
        told = outline(run)
        label = labels.runs.get(told.run_id)
        reason = why_left_out(label, suspect=draw.suspect, all_claims=draw.all_claims)
        if told.run_id in seen:
            reason = "with the id of a run before"
        seen.add(told.run_id)
        if reason is not None or label is None:
            left_out[reason or ""] += 1
        else:
            yield candidate(told, label)


def runs_of(plan: Plan, sources: Sources) -> Iterator[Run]:
    """Yield the runs of a plan, as they are read."""
    wanted = {run.run_id for run in plan.runs}
    for run in read_inputs(sources.paths, sources.registry, format_name=sources.format_name):
        if not isinstance(run, IntakeFailure) and run.run_id in wanted:
            wanted.discard(run.run_id)
            yield run
