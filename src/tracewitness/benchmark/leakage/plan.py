"""Which runs the experiment is about, written down before anything is asked."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.labels import Gold
from tracewitness.findings.labels import Claim
from tracewitness.judges.judging import Bench
from tracewitness.judges.material import Outline
from tracewitness.judges.showing import Showing
from tracewitness.values.digests import Digest, canonical_json, digest_text

FORM = "tracewitness.leak/1"
NOT_KNOWN = "(not known)"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A labelled run that may be in the experiment.

    Attributes:
        run_id: The run.
        task_key: The key of its task; runs of one task are no independent witnesses.
        source: Where it is from.
        completed: Whether the task was brought about, by gold.
        claim: What the report claims, by gold.
        has_report: Whether it has a report or a flag.
        has_narration: Whether it has words of the agent.
    """

    run_id: str
    task_key: str
    source: str
    completed: bool
    claim: Claim
    has_report: bool
    has_narration: bool

    @property
    def misreport(self) -> bool:
        """Return whether it is a dangerous misreport."""
        return self.claim is Claim.SUCCESS and not self.completed


@dataclass(frozen=True, slots=True)
class Maker:
    """Who judges.

    Attributes:
        digest: Digest of everything that bears on a judgement, apart from the run and what stands beside the trace.
        model: The model.
        parameters: What else bears on its answers, as canonical JSON text.
        prompts: The prompts, each by id and digest.
        runs: The full number of runs of a vote.
        threshold: The share from which a verdict counts, where one run is weighed by its token probabilities.
        window_tokens: Most tokens of the window of a trace.
        agree: How many runs of a vote have to agree; None for the majority.
    """

    digest: Digest
    model: str
    parameters: str
    prompts: tuple[tuple[str, Digest], ...]
    runs: int
    threshold: float | None
    window_tokens: int
    agree: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The experiment, before anything is asked.

    Attributes:
        judge: The judge.
        showings: What it is shown beside task and trace, in the order of the tables; the blind one is among them.
        runs: The runs.
        seed: What the sample was drawn with.
        gold: Digests of the files of labels.
        left_out: How many runs were left out, by reason.
        maker: Who judges; None before a model is connected.
    """

    judge: str
    showings: tuple[Showing, ...]
    runs: tuple[Candidate, ...]
    seed: int
    gold: tuple[Digest, ...]
    left_out: tuple[tuple[str, int], ...] = ()
    maker: Maker | None = None

    def by(self, bench: Bench) -> "Plan":
        """Return the plan with who judges."""
        options, prompts = bench.options, bench.judge.prompts
        maker = Maker(
            bench.makers,
            bench.model,
            bench.parameters,
            tuple((prompt.prompt_id, prompt.digest) for prompt in prompts),
            options.voting.asked,
            options.voting.threshold,
            options.window_tokens,
            options.voting.agree,
        )
        return replace(self, maker=maker)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        told: dict[str, Any] = {"form": FORM, **asdict(self), "left_out": dict(self.left_out)}
        if self.maker is not None and self.maker.agree is None:  # said only where it was asked for
            del told["maker"]["agree"]
        return told

    @property
    def digest(self) -> Digest:
        """Return the digest of the plan, as tables name it."""
        return digest_text(canonical_json(json.loads(json.dumps(self.to_json()))))


def why_left_out(told: Gold | None, *, suspect: bool, all_claims: bool) -> str | None:
    """Return why a run is not in the experiment; None where it is.

    Args:
        told: Its label.
        suspect: Keep runs whose task or checker is suspect.
        all_claims: Keep runs whose report does not claim success.
    """
    if told is None:
        return "without a gold label"
    if told.suspect and not suspect:
        return "whose task or checker is suspect"
    if told.completed is None or told.claim is None:
        return "on which annotators disagree" if told.disputed else "with a label of which an axis is not known"
    if told.claim is not Claim.SUCCESS and not all_claims:
        return "whose report does not claim success"
    return None


def candidate(outline: Outline, told: Gold) -> Candidate:
    """Return a labelled run as a candidate.

    Raises:
        ValueError: An axis of the label is not known.
    """
    if told.completed is None or told.claim is None:
        raise ValueError(f"{outline.run_id}: expected a label with both axes")
    return Candidate(
        outline.run_id,
        outline.task_key,
        outline.source or NOT_KNOWN,
        told.completed,
        told.claim,
        outline.has_report,
        outline.has_narration,
    )


def sampled(runs: Iterable[Candidate], count: int | None, seed: int) -> tuple[Candidate, ...]:
    """Draw a stratified sample: as many misreports as others, and from each source alike, as far as there are.

    A run's place in the draw depends on its id and the seed alone, so a larger sample holds every smaller one, and one
    that was begun can be enlarged.

    Args:
        runs: The runs.
        count: How many to draw; None for all.
        seed: Another seed draws others.
    """
    strata: dict[tuple[bool, str], list[Candidate]] = {}
    for run in sorted(runs, key=lambda run: digest_text(f"{seed}\n{run.run_id}")):
        strata.setdefault((run.misreport, run.source), []).append(run)
    halves = [_in_turn([runs for (said, _), runs in sorted(strata.items()) if said is half]) for half in (True, False)]
    return tuple(_in_turn(halves)[:count])


def _in_turn(rows: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """Take one of each row in turn, until all are taken."""
    return [run for taken in zip_longest(*rows) for run in taken if run is not None]


def kept_showings(path: Path) -> tuple[Showing, ...]:
    """Return the showings of the plan that is there already, which every later start keeps; none where there is none.

    Raises:
        BenchmarkError: What is there cannot be read or is no plan.
    """
    return read_plan(path).showings if path.exists() else ()


def write_plan(plan: Plan, path: Path) -> None:
    """Write a plan down. One that is there already must be of the same judge, seed and labels; it may be enlarged.

    What was planned stays planned: neither a run nor a showing of the plan that is there may be missing.

    Raises:
        BenchmarkError: Another experiment is there, or it cannot be written.
    """
    if path.exists():
        _check_same(read_plan(path), plan, path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        draft.write_text(json.dumps(plan.to_json(), indent=1) + "\n", encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be written ({error.strerror})") from error


def _check_same(before: Plan, now: Plan, path: Path) -> None:
    same = (before.judge, before.seed, before.gold, before.maker) == (now.judge, now.seed, now.gold, now.maker)
    if not same or not {run.run_id for run in before.runs} <= {run.run_id for run in now.runs}:
        raise BenchmarkError(
            f"{path}: another experiment is there (its judge, model, seed, labels or runs differ); name another folder"
        )
    if missing := [showing for showing in before.showings if showing not in now.showings]:
        raise BenchmarkError(
            f"{path}: its plan also shows {', '.join(missing)}; ask for that too, or name another folder"
        )


def read_plan(path: Path) -> Plan:
    """Read a plan.

    Raises:
        BenchmarkError: The file cannot be read or is no plan.
    """
    try:
        told: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if told["form"] != FORM:
            raise BenchmarkError(f"{path}: expected form {FORM}, found {told['form']!r}")
        return Plan(
            told["judge"],
            tuple(map(Showing, told["showings"])),
            tuple(map(_candidate, told["runs"])),
            told["seed"],
            tuple(map(Digest, told["gold"])),
            tuple(told["left_out"].items()),
            _maker(told["maker"]),
        )
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read ({error.strerror}); is it a folder of 'leak run'?") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, BenchmarkError):
            raise
        raise BenchmarkError(f"{path}: no plan of an experiment ({type(error).__name__})") from error


def _candidate(told: Mapping[str, Any]) -> Candidate:
    return Candidate(
        str(told["run_id"]),
        str(told["task_key"]),
        str(told["source"]),
        bool(told["completed"]),
        Claim(told["claim"]),
        bool(told["has_report"]),
        bool(told["has_narration"]),
    )


def _maker(told: Mapping[str, Any] | None) -> Maker | None:
    if told is None:
        return None
    prompts = tuple((str(name), Digest(digest)) for name, digest in told["prompts"])
    threshold = None if told["threshold"] is None else float(told["threshold"])
    runs, window = int(told["runs"]), int(told["window_tokens"])
    agree = int(told["agree"]) if "agree" in told else None
    model, parameters = str(told["model"]), str(told["parameters"])
    return Maker(Digest(told["digest"]), model, parameters, prompts, runs, threshold, window, agree)
