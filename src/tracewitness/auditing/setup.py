"""With what an audit is made, and how that is written into records."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from tracewitness.asking.port import Askers, Side
from tracewitness.auditing.readers import ClaimReader, EvidenceExtractor, Maker
from tracewitness.policy.table import DecisionTable
from tracewitness.store.record import Makers, ModelUse, ProseSide
from tracewitness.task_side.class_rule import rule_digest
from tracewitness.version import __version__

_PROSE_SIDES = {Side.REPORT: ProseSide.REPORT, Side.TRACE: ProseSide.TRACE}


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Setup:
    """With what an audit is made.

    Attributes:
        claim_reader: Reads the report.
        extractor: Reads the task and the trace.
        table: The policy, compiled.
        askers: The models that the readers' questions go to; none where they ask nothing.
        audit_all: Audit also what triage would sort out.
        clock: Tells the time, in UTC.
        seconds: How long one run may take before its audit is given up as unavailable; None for as long as it takes.
            Where it holds is told in ``watchdog``.
        admit_narration: Hand the agent's own words to the extractor, which marks what rests on them alone.
        slow_reading: The readers do long work between their questions (they read text off pictures), so that inside an
            event loop it is done apart from it.
    """

    claim_reader: ClaimReader
    extractor: EvidenceExtractor
    table: DecisionTable
    askers: Askers = Askers()
    audit_all: bool = False
    clock: Callable[[], datetime] = _now
    seconds: float | None = None
    admit_narration: bool = False
    slow_reading: bool = False

    def makers(self, format_name: str, format_version: str, encoding: str) -> Makers:
        """Return who makes a record with this setup, for a run that a format's reader took."""
        policy = self.table.ref
        reader, extractor = self.claim_reader.maker, self.extractor.maker
        return Makers(
            tool_version=__version__,
            claim_reader=reader.name,
            claim_reader_digest=reader.digest,
            extractor=f"{extractor.name}+narration" if self.admit_narration else extractor.name,
            extractor_digest=extractor.digest,
            class_rule_digest=rule_digest(),
            policy_name=policy.name,
            policy_version=policy.version,
            policy_digest=policy.digest,
            format_name=format_name,
            format_version=format_version,
            encoding=encoding,
            models=(*self._model(Side.REPORT, reader), *self._model(Side.TRACE, extractor)),
        )

    def _model(self, side: Side, maker: Maker) -> tuple[ModelUse, ...]:
        if not maker.prompts:
            return ()
        asker = self.askers.of(side)
        name, parameters = (asker.model, asker.parameters) if asker is not None else ("none", "{}")
        return (ModelUse(_PROSE_SIDES[side], name, parameters, maker.prompts),)

    def timestamp(self) -> str:
        """Return the time as records carry it: ISO 8601 in UTC, seconds, with a final ``Z``."""
        return self.clock().astimezone(UTC).isoformat(timespec="seconds").removesuffix("+00:00") + "Z"
