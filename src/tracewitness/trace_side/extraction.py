"""What an extractor hands over: the finding, and the prose behind its digests."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tracewitness.asking.vote import Ballots
from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldValue, StepPart
from tracewitness.findings.records import Citation, FieldFinding, TraceFinding
from tracewitness.trace_side.trace import Trace
from tracewitness.values.digests import Digest, digest_text


@dataclass(frozen=True, slots=True)
class Extraction:
    """The finding of the trace side with its prose.

    Attributes:
        finding: The typed finding; it alone crosses to the policy.
        prose: Quotes and rationales by digest; they go to the store, never to the report side.
        ballots: How the votes went, where a model was asked.
        trace: The trace as it was read, where that is more than what was recorded.
    """

    finding: TraceFinding
    prose: Mapping[Digest, str] = field(default_factory=dict[Digest, str])
    ballots: tuple[Ballots, ...] = ()
    trace: Trace | None = None


@dataclass
class Scribe:
    """Writes findings down: turns quotes and rationales into digests and keeps their text."""

    prose: dict[Digest, str] = field(default_factory=dict[Digest, str])

    def keep(self, text: str) -> Digest:
        """Keep a text and return its digest."""
        digest = digest_text(text)
        self.prose[digest] = text
        return digest

    def cite(self, step: int, part: StepPart, quote: str | None = None) -> Citation:
        """Return a citation of a step's part, with a quote from it."""
        return Citation(step, part, self.keep(quote) if quote else None)

    def found(
        self, value: FieldValue, cause: EvidenceCause, *citations: Citation, rationale: str | None = None
    ) -> FieldFinding:
        """Return a field finding; the citations are kept in order, without repeats."""
        kept = tuple(dict.fromkeys(citations))
        return FieldFinding(value, cause, kept, self.keep(rationale) if rationale else None)
