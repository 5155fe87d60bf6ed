"""An experiment with all that its tables and plots are made from."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tracewitness.asking.vote import Ballots
from tracewitness.benchmark.audited import Audited
from tracewitness.benchmark.comparing import chosen
from tracewitness.benchmark.controls import DECLARED_FLAG, controls
from tracewitness.benchmark.errors import BenchmarkError
from tracewitness.benchmark.frontier import Point, points
from tracewitness.benchmark.labelled import Labelled, Method
from tracewitness.benchmark.loading import Experiment
from tracewitness.benchmark.people import people
from tracewitness.benchmark.reliability import Reliability, of_claims, of_verdicts
from tracewitness.benchmark.replaying import Stored, finders, stored
from tracewitness.benchmark.residual import Residual, not_shown, residual
from tracewitness.benchmark.scores import SEED
from tracewitness.benchmark.stability import Stability, stability
from tracewitness.benchmark.support import Support, supports
from tracewitness.benchmark.verdicts import Verdicts
from tracewitness.policy.table import DecisionTable
from tracewitness.store.texts import to_column
from tracewitness.store.vote_rows import VoteRow, vote_rows
from tracewitness.values.digests import Digest


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be scored beside the stored audits, and how.

    Attributes:
        controls: Put the trivial controls, and people who saw the trace alone, beside the methods.
        policies: Policies under which stored findings are decided anew; each is a method of its own.
        own: The policies that stored audits were decided under, by digest, as far as they are at hand.
        verdicts: Results of judges.
        seed: The seed of every bootstrap.
        compared: Names of the methods that are compared with one another; empty for all.
    """

    controls: bool = True
    policies: Sequence[DecisionTable] = ()
    own: Mapping[Digest, DecisionTable] = field(default_factory=dict[Digest, DecisionTable])
    verdicts: Sequence[Verdicts] = ()
    seed: int = SEED
    compared: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Replayable:
    """A policy on what was found.

    Attributes:
        name: What it is called in tables.
        found: What was found.
        table: The policy.
        stored: Whether audits were made under it.
    """

    name: str
    found: Stored
    table: DecisionTable
    stored: bool = True

    def decided(self) -> Method:
        """Return what the policy decides."""
        return self.found.decided(self.table, self.name)

    def under_gold_claims(self) -> Method:
        """Return what it decides with the claims of gold, instead of those that were read."""
        return self.found.with_gold_claims().decided(self.table, f"{self.name}, claims of gold")


def told_apart(methods: Sequence[Method]) -> tuple[Method, ...]:
    """Return methods of which those that share a name have a number from the second on."""
    seen: Counter[str] = Counter()
    found: list[Method] = []
    for method in methods:
        seen[method.name] += 1
        at = seen[method.name]
        found.append(replace(method, name=f"{method.name} #{at}") if at > 1 else method)
    return tuple(found)


class Scoring:
    """An experiment with everything that its tables are made from, each made once and only where it is asked for."""

    def __init__(self, experiment: Experiment, wanted: Wanted) -> None:
        self.experiment = experiment
        self.wanted = wanted
        self._stored: dict[str, Stored] = {}

    def check(self) -> None:
        """Check what was asked for before anything is computed.

        Raises:
            BenchmarkError: A method that is to be compared is none of those here, or only one is named.
        """
        if self.wanted.compared:
            chosen(self.methods, self.wanted.compared)

    def remarks(self) -> Iterator[str]:
        """Yield what a reader of the tables has to know beside what was left out, one line each."""
        runs = set(self.labelled.run_ids)
        for verdicts in self.wanted.verdicts:
            if runs.isdisjoint(map(to_column, verdicts.said)):
                yield f"{verdicts.method}: none of its runs is among the labelled ones"
        if self.wanted.controls and DECLARED_FLAG not in {method.name for method in self.methods}:
            yield "no log has a flag of the agent's own, so there is no control by it"

    @property
    def labelled(self) -> Labelled:
        """Return the labelled runs."""
        return self.experiment.labelled

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """Return all methods: stored audits, replays, judges, people, controls."""
        judged = (verdicts.of(self.labelled) for verdicts in self.wanted.verdicts)
        onlookers = people(self.experiment.gold, self.labelled) if self.wanted.controls else ()
        trivial = controls(self.experiment) if self.wanted.controls else ()
        replays = (one.decided() for one in self.replayable if not one.stored)
        return told_apart((*self.experiment.methods, *replays, *judged, *onlookers, *trivial))

    @cached_property
    def compared(self) -> tuple[Method, ...]:
        """Return the methods that are compared with one another.

        Raises:
            BenchmarkError: One that was named is not among the methods, or only one was.
        """
        return chosen(self.methods, self.wanted.compared) if self.wanted.compared else self.methods

    @cached_property
    def replayable(self) -> tuple["Replayable", ...]:
        """Return every policy on what was found: first those that audits were made under, then the others."""
        own = self.wanted.own
        made = [
            Replayable(one.name, self._stored_of(one), own[one.makers.policy_digest])
            for one in self.experiment.audited
            if one.makers.policy_digest in own
        ]
        stored_already = {(one.found_by, one.makers.policy_digest) for one in self.experiment.audited}
        others = [
            Replayable(f"{found.name} ({table.policy.name})", found, table, stored=False)
            for found in self.found
            for table in self.wanted.policies
            if (found.name, table.ref.digest) not in stored_already
        ]
        return (*made, *others)

    @property
    def decision_tables(self) -> list[DecisionTable]:
        """Return every policy, once."""
        every = [*(one.table for one in self.replayable if one.stored), *self.wanted.policies]
        return list({table.ref.digest: table for table in every}.values())

    @cached_property
    def found(self) -> tuple[Stored, ...]:
        """Return what was found, once for each finder."""
        return tuple(self._stored_of(one) for one in finders(self.experiment.audited))

    def _stored_of(self, one: Audited) -> Stored:
        if one.name not in self._stored:
            self._stored[one.name] = stored(one, self.labelled)
        return self._stored[one.name]

    @cached_property
    def votes(self) -> Mapping[Digest, VoteRow]:
        """Return the votes behind the stored audits, by record."""
        stores = {one.store.place: one.store for one in self.experiment.audited}
        asked = {one.store.place for one in self.experiment.audited if one.makers.models}
        return {row.record_id: row for place in asked for row in vote_rows(stores[place])}

    @cached_property
    def supported(self) -> tuple[tuple[Stored, Support | None], ...]:
        """Return what was found with the votes behind it."""
        return tuple((one, supports(one, self.votes) if self.votes else None) for one in self.found)

    def points(self, tables: Sequence[DecisionTable], seed: int | None = None) -> tuple[Point, ...]:
        """Return every policy on what each finder found, with firmer votes; with a seed, F1 has an interval."""
        return tuple(points(self.labelled, self.supported, tables, seed=seed))

    def decided_like(self, point: Point) -> Method:
        """Return what the policy and level of a point, chosen on other runs, decide on these.

        Raises:
            BenchmarkError: The finder of the point found nothing here, or its votes stopped too early to tell.
        """
        for found, support in self.supported:
            if found.name == point.finder:
                firm = found if point.level is None or support is None else point.level.taken(found, support)
                if firm is None:
                    raise BenchmarkError(f"the votes of {point.finder} stopped before they tell of {point.level} here")
                return firm.decided(point.table, point.method.name)
        raise BenchmarkError(f"there are no findings by {point.finder} among these runs")

    def residuals(self) -> Iterator[Residual]:
        """Yield the silent passes under each policy that is at hand, by what missed them."""
        for one in self.replayable:
            unseen = not_shown(self.labelled, one.found, self.experiment.gold)
            yield residual(self.labelled, one.decided(), one.under_gold_claims(), unseen)

    def under_gold_claims(self) -> Iterator[Method]:
        """Yield what each policy that is at hand decides with the claims of gold."""
        yield from (one.under_gold_claims() for one in self.replayable)

    def stabilities(self) -> Iterator[Stability]:
        """Yield how steady each asked model was."""
        tasks = dict(zip(self.labelled.run_ids, map(int, self.labelled.task), strict=True))
        for one in finders(self.experiment.audited):
            if one.makers.models:
                yield from stability(one.found_by, self._votes_of(one, tasks), seed=self.wanted.seed)
        for given in self.wanted.verdicts:
            votes = ((to_column(run), Ballots("verdict", 0, verdict.votes)) for run, verdict in given.said.items())
            told = [(tasks[run], (ballots,)) for run, ballots in votes if run in tasks]
            yield from stability(given.method, told, seed=self.wanted.seed)

    def reliabilities(self) -> list[Reliability]:
        """Return how often methods that tell how sure they are are right."""
        claims = (of_claims(self.labelled, one, support) for one, support in self.supported if support is not None)
        return [*(one for each in claims for one in each), *of_verdicts(self.labelled, self.wanted.verdicts)]

    def _votes_of(self, one: Audited, tasks: Mapping[str, int]) -> Iterator[tuple[int, tuple[Ballots, ...]]]:
        for row in one.rows.values():
            votes = self.votes.get(row.record_id)
            if votes is not None and row.run_id in tasks:
                yield tasks[row.run_id], votes.ballots
