from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from tracewitness.asking.dialogue import settle
from tracewitness.asking.port import Answer, Askers, Question, Side, Unavailable
from tracewitness.asking.vote import (
    MOST_RUNS,
    Ballots,
    Outcome,
    Spot,
    Voting,
    conduct,
    missing,
    poll,
    settled,
    tally,
)
from tracewitness.findings.causes import UnavailableCause
from tracewitness.testing import ScriptedAsker

BALLOTS: tuple[str | UnavailableCause, ...] = ("a", "b", "c", UnavailableCause.TIMEOUT)


def naive(sequence: tuple[str | UnavailableCause, ...]) -> tuple[str | None, bool]:
    """The full count, from the words: more than half of all runs."""
    for label in ("a", "b", "c"):
        if sum(ballot == label for ballot in sequence) > len(sequence) / 2:
            return label, False
    return None, sum(isinstance(ballot, UnavailableCause) for ballot in sequence) > len(sequence) / 2


def stopped_early(sequence: tuple[str | UnavailableCause, ...]) -> tuple[str | UnavailableCause, ...]:
    seen: list[str | UnavailableCause] = []
    while more := missing(seen, len(sequence)):
        seen += sequence[len(seen) : len(seen) + more]
    return tuple(seen)


def sequences() -> list[tuple[str | UnavailableCause, ...]]:
    short = [sequence for runs in range(1, 6) for sequence in product(BALLOTS, repeat=runs)]
    random = Random(9)
    return short + [tuple(random.choices(BALLOTS, k=9)) for _ in range(2000)]


def test_stopping_early_gives_the_answer_of_the_full_number_of_runs() -> None:
    for sequence in sequences():
        runs = len(sequence)
        label, unavailable = naive(sequence)
        vote = tally(stopped_early(sequence), runs)
        assert (vote.label, vote.unavailable is not None) == (label, unavailable), sequence
        assert tally(sequence, runs) == vote


def test_it_stops_at_the_first_moment_at_which_no_continuation_can_change_the_outcome() -> None:
    for sequence in product(BALLOTS, repeat=5):
        asked = len(stopped_early(sequence))
        first = next(
            count
            for count in range(6)
            if len({naive(sequence[:count] + rest) for rest in product(BALLOTS, repeat=5 - count)}) == 1
        )
        assert asked == first, sequence


def test_an_even_split_has_no_majority() -> None:
    assert tally(("a", "b"), 2).label is None
    assert tally(("a", "a", "b", "b"), 4).label is None
    assert settled(("a", "a", "b", "b"), 4)


def test_the_cause_of_the_first_failure_is_kept() -> None:
    ballots = (UnavailableCause.REFUSED, "a", UnavailableCause.TIMEOUT, UnavailableCause.TIMEOUT)
    assert tally(ballots, 5).unavailable is UnavailableCause.REFUSED


class Recorder:
    """Answers run k with the k-th pair of labels, and notes what it was asked."""

    model = "recorder"
    parameters = "{}"

    def __init__(self, rows: list[str | UnavailableCause]) -> None:
        self.rows = rows
        self.asked: list[int] = []

    async def ask(self, question: Question) -> Answer | Unavailable:
        self.asked.append(question.run_number)
        row = self.rows[question.run_number]
        if isinstance(row, UnavailableCause):
            return Unavailable(row)
        return Answer(raw=row, value={}, model=self.model)


def ask(rows: list[str | UnavailableCause]) -> tuple[Recorder, tuple[tuple[str | UnavailableCause, ...], ...]]:
    asker = Recorder(rows)
    dialogue = poll(lambda number: Question(Side.REPORT, "p/1", "", "", "{}", number), lambda a: list(a.raw), 2)
    return asker, settle(dialogue, Askers.both(asker))


def test_two_labels_are_polled_until_both_are_settled() -> None:
    asker, ballots = ask(["ax", "ay", "ax", "ax", "ax"])
    assert [tally(each).label for each in ballots] == ["a", "x"]
    assert asker.asked == [0, 1, 2, 3]


def test_a_unanimous_model_is_asked_three_times_out_of_five() -> None:
    asker, _ = ask(["ax"] * 5)
    assert asker.asked == [0, 1, 2]


@pytest.mark.parametrize("failures", [3, 5])
def test_a_model_that_is_down_is_not_asked_more_than_needed(failures: int) -> None:
    asker, ballots = ask([UnavailableCause.TRANSPORT] * failures + ["ax"] * (5 - failures))
    assert tally(ballots[0]).unavailable is UnavailableCause.TRANSPORT
    assert asker.asked == [0, 1, 2]


# --- conduct -------------------------------------------------------------------------------------------------------


def told(label: str | UnavailableCause) -> dict[str, str] | UnavailableCause:
    return label if isinstance(label, UnavailableCause) else {"value": label}


def held(
    rows: Sequence[str | UnavailableCause], voting: Voting, spots: Sequence[Spot[str]] = (Spot("value", ("value",)),)
) -> tuple[ScriptedAsker, tuple[Outcome[str], ...]]:
    asker = ScriptedAsker([told(row) for row in rows])

    def read(answer: Answer) -> list[str | UnavailableCause]:
        return [answer.value["value"]] * len(spots)

    dialogue = conduct(voting, lambda run: Question(Side.TRACE, "p/1", "", "", "{}", run), read, spots, 2)
    return asker, settle(dialogue, Askers.both(asker))


@pytest.mark.parametrize("runs", range(1, 8))
def test_stopping_early_is_the_full_vote_on_every_sequence(runs: int) -> None:
    for sequence in product(BALLOTS, repeat=runs):
        seen = stopped_early(sequence)
        label, unavailable = naive(sequence)
        vote = tally(seen, runs)
        assert (vote.label, vote.unavailable is not None) == (label, unavailable), sequence
        assert vote == tally(sequence, runs)
        assert settled(seen, runs)


@pytest.mark.parametrize("runs", range(1, MOST_RUNS + 1))
def test_a_vote_is_held_over_any_number_of_runs(runs: int) -> None:
    random = Random(runs)
    for _ in range(20):
        sequence = tuple(random.choices(BALLOTS, k=runs))
        asker, (outcome,) = held(sequence, Voting(runs))
        label, unavailable = naive(sequence)
        assert (outcome.vote.label, outcome.vote.unavailable is not None) == (label, unavailable), sequence
        asked = stopped_early(sequence)
        assert [question.run_number for question in asker.questions] == list(range(len(asked)))
        assert outcome.ballots == Ballots("value", 2, tuple(map(Spot("x").written, asked)), runs=runs)


def test_no_two_runs_share_a_kept_answer() -> None:
    asker, _ = held("abcab", Voting(5))
    assert len(set(asker.cache_keys())) == len(asker.questions) == 5


def test_every_spot_gets_its_own_ballots() -> None:
    _, outcomes = held("aab", Voting(3), [Spot("one"), Spot("two")])
    assert [(each.ballots.subject, each.vote.label) for each in outcomes] == [("one", "a"), ("two", "a")]


def test_a_failed_run_is_written_down_with_its_cause() -> None:
    _, (outcome,) = held(["a", UnavailableCause.REFUSED, "a"], Voting(3))
    assert outcome.vote.label == "a"
    assert outcome.ballots.labels == ("a", "unavailable:refused", "a")


class Raising:
    model = "raising"
    parameters = "{}"

    async def ask(self, question: Question) -> Answer | Unavailable:
        raise ValueError(question.user)


def test_a_client_that_raises_is_a_model_that_failed() -> None:
    dialogue = poll(lambda run: Question(Side.TRACE, "p/1", "", "a secret", "{}", run), lambda a: ["a"], 1)
    (ballots,) = settle(dialogue, Askers.both(Raising()))
    assert tally(ballots).unavailable is UnavailableCause.INTERNAL


def stopped_early_at(sequence: tuple[str | UnavailableCause, ...], agree: int) -> tuple[str | UnavailableCause, ...]:
    seen: list[str | UnavailableCause] = []
    while more := missing(seen, len(sequence), agree):
        seen += sequence[len(seen) : len(seen) + more]
    return tuple(seen)


@pytest.mark.parametrize("agree", [3, 4, 5])
def test_a_firm_label_is_one_that_as_many_runs_gave_and_stopping_early_changes_no_outcome(agree: int) -> None:
    for sequence in product(BALLOTS, repeat=5):
        label, unavailable = naive(sequence)
        vote = tally(sequence, 5, agree)
        assert (vote.label, vote.unavailable is not None) == (label, unavailable)
        assert (vote.firm_label is not None) == any(sequence.count(each) >= agree for each in ("a", "b", "c"))
        asked = stopped_early_at(sequence, agree)
        assert tally(asked, 5, agree) == vote, (sequence, asked)
        continued = [tally((*asked[:-1], *rest), 5, agree) for rest in product(BALLOTS, repeat=5 - len(asked) + 1)]
        assert len(set(continued)) > 1, f"one asked too many: {asked}"
