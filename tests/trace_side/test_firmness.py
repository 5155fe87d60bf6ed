"""Labels that too few runs of a model gave are taken back, and nothing else is changed by it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.asking.vote import Ballots, Share, Voting
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldName, FieldValue
from tracewitness.findings.records import Evidence, FieldFinding, TraceFinding
from tracewitness.trace_side.answer_form import FIELDS
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.firmness import firm

YES, NO, UNKNOWN = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN
LABELS = st.sampled_from(["YES", "NO", "UNKNOWN", "unavailable:timeout"])
FOUND = st.builds(
    FieldFinding,
    st.sampled_from([YES, NO, UNKNOWN]),
    st.sampled_from([EvidenceCause.MODEL_READ, EvidenceCause.SUPPORTED, EvidenceCause.MODEL_CONTRADICTED]),
)
PARTS = st.lists(st.tuples(*[FOUND] * len(FIELDS)), min_size=1, max_size=2)


def evidence(found: Sequence[FieldFinding]) -> Evidence:
    named: dict[str, FieldFinding] = dict(zip(FIELDS, found, strict=True))
    return Evidence(*(named[name] for name in FieldName), prior_state=named["prior_state"])


def fields(found: Extraction) -> list[FieldFinding]:
    return [one for part in found.finding.parts for one in (*dict(part.fields()).values(), part.prior_state)]


def voted(data: st.DataObject, parts: Sequence[Sequence[FieldFinding]], *, weighed: bool) -> Extraction:
    ballots: list[Ballots] = []
    for number in range(len(parts)):
        for name in FIELDS:
            if weighed:
                share = data.draw(st.floats(0, 1))
                ballots.append(Ballots(name, number, ("YES",), (Share("YES", share), Share("NO", 1 - share))))
            else:
                ballots.append(
                    Ballots(name, number, tuple(data.draw(st.lists(LABELS, min_size=3, max_size=5))), runs=5)
                )
    return Extraction(TraceFinding(tuple(map(evidence, parts)), ()), {}, tuple(ballots))


@given(st.data(), PARTS, st.booleans())
def test_firmer_votes_only_ever_take_away(
    data: st.DataObject, parts: list[tuple[FieldFinding, ...]], weighed: bool
) -> None:
    before = voted(data, parts, weighed=weighed)
    levels = (
        [Voting(5, threshold=each) for each in (0.5, 0.7, 0.9, 1.0)]
        if weighed
        else [Voting(5, agree=each) for each in (None, 3, 4, 5)]
    )
    last = fields(before)
    for voting in levels:
        now = fields(firm(before, voting))
        for earlier, later, origin in zip(last, now, fields(before), strict=True):
            if later != origin:
                assert (later.value, later.cause) == (UNKNOWN, EvidenceCause.NO_MAJORITY)
                assert origin.cause is EvidenceCause.MODEL_READ
            if earlier != origin:
                assert later == earlier
        last = now


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize(
    ("cause", "agree", "kept"),
    [
        (EvidenceCause.MODEL_READ, 4, True),
        (EvidenceCause.MODEL_READ, 5, False),
        (EvidenceCause.MODEL_READ, None, True),
        (EvidenceCause.SUPPORTED, 5, True),
    ],
)
def test_a_field_that_a_model_settled_counts_where_enough_runs_gave_it(
    name: str, cause: EvidenceCause, agree: int | None, kept: bool
) -> None:
    parts = [evidence([FieldFinding(YES, cause)] * len(FIELDS))]
    ballots = Ballots(name, 0, ("YES", "YES", "NO", "YES", "YES"), runs=5)
    after = firm(Extraction(TraceFinding(tuple(parts), ()), {}, (ballots,)), Voting(5, agree=agree))
    values = [one.value for one in fields(after)]
    assert values.count(UNKNOWN) == (0 if kept else 1)
