"""Labels of a model that too few of its runs gave, or that are not likely enough, are taken back.

It is done last, when rules and model have been heard together. A label that is taken back would else leave the word
to the rules where it stood against them, and asking for firmer votes could let a run pass that got REVIEW before. So
firmer votes only ever take away, and what stored votes say of a firmer audit is what that audit says.
"""

from dataclasses import replace

from tracewitness.asking.vote import Ballots, Voting
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldName, FieldValue
from tracewitness.findings.records import Evidence, FieldFinding
from tracewitness.trace_side.answer_form import FIELDS
from tracewitness.trace_side.extraction import Extraction


def firm(found: Extraction, voting: Voting) -> Extraction:
    """Return what was found, with the fields that a model alone settled and not firmly as UNKNOWN.

    Args:
        found: What was found.
        voting: How firm a vote was to be.
    """
    ballots = {(one.part, one.subject): one for one in found.ballots}
    parts = tuple(_part(part, number, ballots, voting) for number, part in enumerate(found.finding.parts))
    return found if parts == found.finding.parts else replace(found, finding=replace(found.finding, parts=parts))


def _part(part: Evidence, number: int, ballots: dict[tuple[int, str], Ballots], voting: Voting) -> Evidence:
    loose = {
        name: replace(finding, value=FieldValue.UNKNOWN, cause=EvidenceCause.NO_MAJORITY)
        for name, finding in ((name, _finding(part, name)) for name in FIELDS)
        if finding.cause is EvidenceCause.MODEL_READ and not _is_firm(finding, ballots.get((number, name)), voting)
    }
    return replace(part, **loose)


def _finding(part: Evidence, name: str) -> FieldFinding:
    return dict(part.fields())[FieldName(name)] if name in tuple(FieldName) else part.prior_state


def _is_firm(finding: FieldFinding, ballots: Ballots | None, voting: Voting) -> bool:
    if ballots is None:
        return True
    if ballots.probabilities:
        share = next((one.share for one in ballots.probabilities if one.label == finding.value), 0.0)
        return voting.threshold is None or share >= voting.threshold
    return voting.agree is None or ballots.labels.count(finding.value) >= voting.agree
