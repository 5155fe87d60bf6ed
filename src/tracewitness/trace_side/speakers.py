"""The answers of one part's runs, and which of them speaks for the majority."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldValue, Language, StepPart
from tracewitness.findings.records import Citation, Evidence, FieldFinding
from tracewitness.language.quantities import read_values, same_value
from tracewitness.task_side.goal import Goal, Superlative
from tracewitness.trace_side.answer_form import Pointed, Told, ToldAnswer, ToldPart
from tracewitness.trace_side.extraction import Scribe
from tracewitness.trace_side.grounding import ground, ground_field
from tracewitness.trace_side.picture_choice import Place
from tracewitness.trace_side.trace import Trace
from tracewitness.values.answers import AnswerValue, NoneValue, TextValue, YesNoValue
from tracewitness.values.digests import Digest
from tracewitness.values.folding import fold

_COMPUTED = (Superlative.COUNT, Superlative.SUM)


@dataclass(slots=True)
class Bench:
    """Hears the runs, and writes down what their majority found.

    Attributes:
        trace: The trace that citations must hold in.
        scribe: Keeps quotes and rationales.
        narration: The agent's own words by step, where they were admitted.
        pictured: The places whose pictures were shown: what may be cited without a quote.
        speakers: The runs' answers, in order.
    """

    trace: Trace
    scribe: Scribe
    narration: Mapping[int, str]
    pictured: frozenset[Place]
    speakers: list[ToldPart] = field(default_factory=list[ToldPart])

    @property
    def saw_instructions(self) -> bool:
        """Return whether more than half of the runs saw text that addresses whoever reads it."""
        return 2 * sum(speaker.instructions for speaker in self.speakers) > len(self.speakers)

    def finding(self, name: str, label: FieldValue | None) -> FieldFinding:
        """Return the finding on a field.

        Of the runs that voted with the majority the first speaks whose citations hold; where none do, the field is
        UNKNOWN with the citations of the first, so that a person sees what failed.

        Args:
            name: The field.
            label: What the majority said; None without one.
        """
        if label is None:
            return FieldFinding(FieldValue.UNKNOWN, EvidenceCause.NO_MAJORITY)
        speakers = [speaker.fields[name] for speaker in self.speakers if speaker.fields[name].value is label]
        found = [self._grounded(label, speaker) for speaker in speakers]
        if not found:  # the likeliest label by its probability may be one that the run did not write
            return FieldFinding(FieldValue.UNKNOWN, EvidenceCause.NO_CITATION)
        return next((finding for finding in found if finding.cause is EvidenceCause.MODEL_READ), found[0])

    def answers(self, label: tuple[AnswerValue, ...], goal: Goal, language: Language) -> tuple[AnswerValue, ...]:
        """Return the answer that the majority gave, as far as its citations hold and show it.

        What the agent said itself shows no answer.
        An answer that has to be computed (a count, a sum) need not stand in a quote, but its quotes must hold.
        """
        for speaker in self.speakers:
            told = speaker.answer
            if told.values == label and label and self._holds(told):
                if goal.superlative in _COMPUTED or self._shows(told, language):
                    return label
        return ()

    def _holds(self, told: ToldAnswer) -> bool:
        pointed = Told(told.citations, FieldValue.YES, "")
        found = self._grounded(FieldValue.YES, pointed)
        return found.value is FieldValue.YES and not is_narrated(found)

    def _shows(self, told: ToldAnswer, language: Language) -> bool:
        """Tell whether every value stands in a quote; a yes or no, and what a picture shows, cannot be looked up so."""
        shown = [cited for cited in told.citations if cited.part is not StepPart.NARRATION and self._counts(cited)]
        if any(not cited.quote for cited in shown):
            return True
        quotes = " \n ".join(cited.quote for cited in shown)
        read = [found.value for found in read_values(quotes, language)]
        return all(_stands(value, quotes, read) for value in told.values)

    def _grounded(self, label: FieldValue, told: Told) -> FieldFinding:
        cited = [self.scribe.cite(one.step, one.part, one.quote or None) for one in self._telling(told)]
        found = self.scribe.found(label, EvidenceCause.MODEL_READ, *cited, rationale=told.rationale or None)
        if label is not FieldValue.UNKNOWN and not any(self._counts(one) for one in told.citations):
            return replace(found, value=FieldValue.UNKNOWN, cause=EvidenceCause.NO_CITATION)
        return ground_field(self.trace, found, self.scribe.prose, self.narration)

    def _telling(self, told: Told) -> list[Pointed]:
        """Return the citations without those that name a recorded place and say nothing of it.

        One that names a place which is not there stays, so that it is seen; so do all where none says anything.
        """
        counting = [one for one in told.citations if self._counts(one) or self._dangles(one)]
        return counting if any(self._counts(one) for one in counting) else list(told.citations)

    def _dangles(self, pointed: Pointed) -> bool:
        return ground(self.trace, Citation(pointed.step, pointed.part), None, self.narration) is not None

    def _counts(self, pointed: Pointed) -> bool:
        """Tell whether a citation says anything: it quotes, or it points at a picture that was shown."""
        return bool(pointed.quote) or (pointed.step, pointed.part) in self.pictured


def is_narrated(finding: FieldFinding) -> bool:
    """Tell whether a finding rests on the agent's own words alone."""
    return bool(finding.citations) and all(cited.part is StepPart.NARRATION for cited in finding.citations)


def named_prose(parts: Sequence[Evidence], prose: Mapping[Digest, str]) -> dict[Digest, str]:
    """Return the texts that the evidence names: what the other runs quoted and said is no part of it."""
    findings = [finding for part in parts for _, finding in (*part.fields(), ("prior_state", part.prior_state))]
    named = {cited.quote for finding in findings for cited in finding.citations}
    named |= {finding.rationale for finding in findings}
    return {digest: text for digest, text in prose.items() if digest in named}


def _stands(value: AnswerValue, quotes: str, read: list[AnswerValue]) -> bool:
    if isinstance(value, YesNoValue | NoneValue):
        return True
    if isinstance(value, TextValue):
        return bool(value.text) and value.text in fold(quotes)
    return any(same_value(value, each) for each in read)
