"""Label probabilities from the tokens of one answer."""

import json
import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.asking.dialogue import settle
from tracewitness.asking.logits import label_probabilities
from tracewitness.asking.port import Answer, Askers, Question, Side, Token, Unavailable
from tracewitness.asking.vote import Outcome, Spot, Voting, conduct
from tracewitness.findings.causes import UnavailableCause

LABELS = ("YES", "NO", "UNKNOWN")
RAW = '{"action": {"citations": [], "value": "YES"}, "target": {"citations": [], "value": "NO"}}'


def cut(raw: str, sizes: Sequence[int]) -> list[str]:
    pieces: list[str] = []
    for size in sizes:
        pieces.append(raw[:size])
        raw = raw[size:]
    return [piece for piece in (*pieces, raw) if piece]


def answered(pieces: Sequence[str], at: str = "", **shares: float) -> Answer:
    """An answer in pieces; where one holds ``at``, other labels could have stood there."""
    tokens: list[Token] = []
    for piece in pieces:
        others = [(piece.replace(at, label), math.log(share)) for label, share in shares.items()] if at else []
        tokens.append(Token(piece, tuple(others) if at and at in piece else ((piece, 0.0),)))
    raw = "".join(pieces)
    return Answer(raw, json.loads(raw), "m", tokens=tuple(tokens))


def split_at(raw: str, label: str) -> list[str]:
    before, after = raw.split(f'"{label}"', 1)
    return [before, '"', label, '"', after]


def test_the_shares_are_those_of_the_labels_alone() -> None:
    answer = answered(split_at(RAW, "YES"), "YES", YES=0.5, NO=0.25, Maybe=0.2, UN=0.05)
    shares = label_probabilities(answer, ("action", "value"), LABELS)
    assert shares == pytest.approx({"YES": 0.625, "NO": 0.3125, "UNKNOWN": 0.0625})


@settings(max_examples=80)
@given(st.lists(st.integers(1, 12), max_size=30))
def test_the_place_is_found_however_the_text_is_cut(sizes: list[int]) -> None:
    """The token that holds the first letter of the label decides; nothing else is looked at."""
    pieces = cut(RAW, sizes)
    for name, label in (("action", "YES"), ("target", "NO")):
        answer = answered(pieces)
        shares = label_probabilities(answer, (name, "value"), LABELS)
        begin = RAW.index(f'"{label}"') + 1
        end = 0
        for piece in pieces:
            end += len(piece)
            if end > begin:
                break
        else:
            raise AssertionError
        if piece.lstrip(' \t\r\n":')[:1] == label[0]:
            assert shares in (None, {each: float(each == label) for each in LABELS})
            # Whole labels are always told; of a piece of one, so much is told as it tells the label apart.
            assert shares is not None or len(piece) > len(label)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("YES", "YES"),
        ("Y", "YES"),
        (' "YES', "YES"),
        ('":"YES"', "YES"),
        ('NO",', "NO"),
        ("UN", "UNKNOWN"),
        ("UNKNOWN", "UNKNOWN"),
        ("NOT", None),
        ("NO_", None),
        ("NOPE", None),
        ("yes", None),
        (" ", None),
        ('"', None),
        ("", None),
    ],
)
def test_which_label_a_token_begins(text: str, label: str | None) -> None:
    tokens = [Token(piece, ((piece, 0.0),)) for piece in ('{"value": "', "YES", '"}')]
    tokens[1] = Token("YES", ((text, math.log(0.9)),))
    answer = Answer('{"value": "YES"}', {}, "m", tokens=tuple(tokens))
    shares = label_probabilities(answer, ("value",), LABELS)
    assert shares == (None if label is None else {each: float(each == label) for each in LABELS})


def test_a_token_that_begins_two_labels_counts_for_neither() -> None:
    answer = answered(['{"value": "', "NO", '"}'], "NO", NO=0.5, N=0.5)
    assert label_probabilities(answer, ("value",), ("NO", "NONE")) is None


def test_tokens_of_another_text_tell_nothing() -> None:
    answer = answered(split_at(RAW, "YES"), "YES", YES=0.5, NO=0.5)
    shifted = Answer(answer.raw, answer.value, "m", tokens=(Token("<", (("<", 0.0),)), *answer.tokens))
    assert label_probabilities(shifted, ("action", "value"), LABELS) is None
    assert label_probabilities(Answer(RAW, {}, "m"), ("action", "value"), LABELS) is None


def test_what_is_impossible_has_no_share() -> None:
    tokens = tuple(Token(piece, ((piece, -math.inf),)) for piece in ('{"value": "', "YES", '"}'))
    assert label_probabilities(Answer('{"value": "YES"}', {}, "m", tokens=tokens), ("value",), LABELS) is None


# --- the vote by one weighed run -----------------------------------------------------------------------------------


class Sure:
    """Answers once, with the given shares, and notes what it was asked."""

    model = "sure"
    parameters = "{}"

    def __init__(self, reply: Answer | Unavailable) -> None:
        self.reply = reply
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Answer | Unavailable:
        self.asked.append(question)
        return self.reply


SPOT: Spot[str] = Spot("action", ("action", "value"), LABELS)


def weighed(reply: Answer | Unavailable, threshold: float, spot: Spot[str] = SPOT) -> tuple[Sure, Outcome[str]]:
    asker = Sure(reply)
    dialogue = conduct(
        Voting(5, threshold),
        lambda run: Question(Side.TRACE, "p/1", "", "", "{}", run),
        lambda answer: [answer.value["action"]["value"]],
        [spot],
    )
    (outcome,) = settle(dialogue, Askers.both(asker))
    return asker, outcome


def shared(**shares: float) -> Answer:
    return answered(split_at(RAW, "YES"), "YES", **shares)


def test_one_run_is_asked_for_with_its_probabilities_and_they_are_recorded() -> None:
    asker, outcome = weighed(shared(YES=0.8, NO=0.15, UNKNOWN=0.05), 0.75)
    assert [(asked.run_number, asked.logprobs) for asked in asker.asked] == [(0, True)]
    assert outcome.vote.label == "YES"
    assert [(each.label, each.share) for each in outcome.ballots.probabilities] == [
        ("YES", 0.8),
        ("NO", 0.15),
        ("UNKNOWN", 0.05),
    ]


@settings(max_examples=80)
@given(st.tuples(*[st.integers(1, 100)] * 3), st.floats(0.5, 1))
def test_a_label_counts_from_the_threshold_on(weights: tuple[int, ...], threshold: float) -> None:
    shares = dict(zip(LABELS, (weight / sum(weights) for weight in weights), strict=True))
    _, outcome = weighed(shared(**shares), threshold)
    clear = [label for label, share in shares.items() if share > threshold + 1e-9]
    near = [label for label, share in shares.items() if abs(share - threshold) <= 1e-9]
    assert outcome.vote.firm_label in (clear or [None, *near])
    assert outcome.vote.unavailable is None


def test_two_labels_that_are_as_likely_as_each_other_have_no_majority() -> None:
    _, outcome = weighed(shared(YES=0.5, NO=0.5), 0.5)
    assert outcome.vote.label is None


def test_the_likeliest_label_may_be_another_than_the_written_one() -> None:
    _, outcome = weighed(shared(YES=0.1, NO=0.9), 0.6)
    assert (outcome.vote.label, outcome.ballots.labels) == ("NO", ("YES",))


def test_without_probabilities_the_label_is_unavailable() -> None:
    _, outcome = weighed(Answer(RAW, json.loads(RAW), "m"), 0.6)
    assert outcome.vote.unavailable is UnavailableCause.NO_PROBABILITIES
    assert outcome.ballots.labels == ("unavailable:no_probabilities",)


def test_a_failure_is_its_cause() -> None:
    _, outcome = weighed(Unavailable(UnavailableCause.REFUSED), 0.6)
    assert (outcome.vote.label, outcome.vote.unavailable) == (None, UnavailableCause.REFUSED)


def test_what_has_no_fixed_labels_is_taken_as_written() -> None:
    _, outcome = weighed(shared(YES=0.1, NO=0.9), 0.6, Spot("answer"))
    assert (outcome.vote.label, outcome.ballots.probabilities) == ("YES", ())
