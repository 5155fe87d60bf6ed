from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldValue, StepPart
from tracewitness.findings.records import Citation, FieldFinding
from tracewitness.trace_side.grounding import Ungrounded, ground, ground_field
from tracewitness.trace_side.scenes import read_scene
from tracewitness.trace_side.trace import Action, Observation, Step, Trace
from tracewitness.values.digests import digest_text

DUMP = '<hierarchy><node text="Night &amp; day" class="a.Switch" checkable="true" checked="true"/></hierarchy>'
TRACE = Trace(
    (
        Step(2, Action("type", "Name", "Ada Brook", "type('Ada Brook')"), error="HTTP 503"),
        Step(
            5, Action("click"), Observation("page 'A'"), Observation("row 'Ｏrin  Vale'\n  x", url="https://x.test/1")
        ),
        Step(9, Action("tap"), after=Observation(ui_tree=DUMP)),
        Step(10, Action("tool"), after=Observation('{"status":"sent"}')),
    )
)


@pytest.mark.parametrize(
    ("step", "part", "quote", "why"),
    [
        (2, StepPart.ACTION, "Ada Brook", None),
        (2, StepPart.ACTION, "type('Ada", None),
        (2, StepPart.ERROR, "503", None),
        (5, StepPart.BEFORE, "page 'A'", None),
        (5, StepPart.AFTER, "Orin Vale' x", None),
        (5, StepPart.AFTER, "x.test/1", None),
        (5, StepPart.URL_AFTER, "https://x.test/1", None),
        (9, StepPart.AFTER, "switch 'Night & day' [on]", None),
        (9, StepPart.AFTER, 'checked="true"', None),
        (10, StepPart.AFTER, "status = sent", None),
        (10, StepPart.AFTER, '"status":"sent"', None),
        (5, StepPart.AFTER, None, None),
        (3, StepPart.AFTER, "Orin Vale", Ungrounded.NO_SUCH_STEP),
        (2, StepPart.AFTER, "Ada Brook", Ungrounded.NO_SUCH_PART),
        (5, StepPart.URL_BEFORE, None, Ungrounded.NO_SUCH_PART),
        (5, StepPart.ERROR, None, Ungrounded.NO_SUCH_PART),
        (5, StepPart.BEFORE, "Orin Vale", Ungrounded.QUOTE_NOT_FOUND),
        (5, StepPart.AFTER, "orin vale", Ungrounded.QUOTE_NOT_FOUND),
        (5, StepPart.AFTER, "  ", Ungrounded.QUOTE_MISSING),
    ],
)
def test_a_citation_holds_or_says_why_not(step: int, part: StepPart, quote: str | None, why: Ungrounded | None) -> None:
    citation = Citation(step, part, digest_text(quote) if quote else None)
    assert ground(TRACE, citation, quote) is why


_TEXTS = st.text(alphabet="ab ﬁÄ商\n\t'|", min_size=1, max_size=30).filter(lambda text: bool(text.strip()))


@given(_TEXTS, st.data())
@settings(max_examples=80, deadline=None)
def test_every_piece_of_an_observation_grounds_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : data.draw(st.integers(start + 1, len(text)))]
    trace = Trace((Step(1, Action("look"), after=Observation(text)),))
    if piece.strip():
        assert ground(trace, Citation(1, StepPart.AFTER), piece) is None
    assert ground(trace, Citation(1, StepPart.AFTER), text + "Q") is Ungrounded.QUOTE_NOT_FOUND


@given(_TEXTS)
@settings(max_examples=60, deadline=None)
def test_every_line_of_a_scene_can_be_quoted(text: str) -> None:
    step = Step(1, Action("look"), after=Observation(text))
    found = read_scene(step, StepPart.AFTER)
    assert found is not None
    for element in found.elements:
        assert ground(Trace((step,)), Citation(1, StepPart.AFTER), element.line) is None


def test_one_dangling_citation_degrades_the_field_and_stays_visible() -> None:
    good, bad = "row 'Orin Vale'", "row 'Nobody'"
    prose = {digest_text(text): text for text in (good, bad)}
    citations = tuple(Citation(5, StepPart.AFTER, digest_text(text)) for text in (good, bad))
    finding = FieldFinding(FieldValue.YES, EvidenceCause.SUPPORTED, citations)
    degraded = ground_field(TRACE, finding, prose)
    assert (degraded.value, degraded.cause) == (FieldValue.UNKNOWN, EvidenceCause.UNGROUNDED)
    assert degraded.citations == citations
    whole = replace(finding, citations=citations[:1])
    assert ground_field(TRACE, whole, prose) == whole


def test_a_quote_whose_text_is_lost_is_not_grounded() -> None:
    finding = FieldFinding(FieldValue.NO, EvidenceCause.NO_CHANGE, (Citation(5, StepPart.AFTER, digest_text("x")),))
    assert ground_field(TRACE, finding, {}).cause is EvidenceCause.UNGROUNDED
