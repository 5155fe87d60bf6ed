"""Records with something taken away, and the trace state that is left."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tracewitness.auditing.deciding import decide_findings
from tracewitness.auditing.one_run import audit_run, read_trace_alone, with_halves
from tracewitness.auditing.setup import Setup
from tracewitness.findings.causes import Gap
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.labels import AnswerCheck, Basis, Claim, Disposition, Language, TaskClass, TraceState
from tracewitness.findings.records import ClaimFinding, TraceFinding
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.intake.reading import read_all
from tracewitness.intake.registry import Registry
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Step, Trace
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.policies import find_policy

_TESTS = Path(__file__).resolve().parents[1]
_BESIDE = _TESTS.parents[1] / "shared" / "cases"
_CLAIM = ClaimFinding(Claim.SUCCESS, Basis.PERFORMED, (ClaimCause.ASSERTED_DONE,), Language.EN)


@dataclass(frozen=True)
class Case:
    """A labelled run."""

    case_id: str
    run: SealedRun
    state: TraceState
    disposition: Disposition
    task_class: TaskClass
    decisive: tuple[int, ...]


@cache
def setup() -> Setup:
    return rules_setup(find_policy("default"), audit_all=True)


def own_cases(folder: Path) -> list[Case]:
    """Return the cases of this project; their runs are written into ``folder`` to be read as any log is."""
    return list(_cases(sorted((_TESTS / "cases").glob("*/*.json")), folder))


def cases_beside(folder: Path) -> list[Case]:
    """Return the cases kept beside a development checkout; none where there are none."""
    return list(_cases(sorted(_BESIDE.glob("*.json")), folder))


def _cases(paths: list[Path], folder: Path) -> Iterator[Case]:
    documents: list[dict[str, Any]] = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    if not documents:
        return
    log = folder / "runs.jsonl"
    log.write_text("".join(json.dumps(document["run"]) + "\n" for document in documents), encoding="utf-8")
    runs = read_all([log], Registry([NeutralFormat()]))
    for document, run in zip(documents, runs, strict=True):
        assert isinstance(run, SealedRun), run
        expected = document["expected"]
        yield Case(
            run.run_id,
            run,
            TraceState(expected["trace_state"]),
            Disposition(expected["disposition"]),
            TaskClass(expected["task_class"]),
            tuple(document["decisive_steps"]),
        )


def cut(trace: Trace, kept: int) -> Trace:
    """Return a trace with its first steps alone, as an honest reader hands over a log that is cut off there."""
    return Trace(trace.steps[:kept], trace.gaps)


def marked(trace: Trace) -> Trace:
    """Return a trace that is known to be cut off."""
    return replace(trace, gaps=tuple(gap for gap in Gap if gap in (*trace.gaps, Gap.LOG_CUT_OFF)))


def blinded(trace: Trace, index: int) -> Trace:
    """Return a trace in which nothing is seen any more from the action of a step on."""

    def seen_until(step: Step) -> Step:
        before = step.before if step.index <= index else None
        return replace(step, before=before, after=step.after if step.index < index else None)

    return replace(trace, steps=tuple(map(seen_until, trace.steps)))


def finding_of(run: SealedRun, trace: Trace) -> TraceFinding:
    return read_trace_alone(with_halves(run, trace=trace), setup()).extraction.finding


def state_of(run: SealedRun, trace: Trace) -> TraceState:
    side = read_trace_alone(with_halves(run, trace=trace), setup())
    assert side.failure is None
    decision = decide_findings(
        setup().table,
        side.task.finding,
        _CLAIM,
        side.extraction.finding,
        AnswerCheck.NOT_ASKED,
        quarantined=False,
    )
    return decision.trace_state


def disposition_of(run: SealedRun, trace: Trace) -> Disposition:
    decision = audit_run(with_halves(run, trace=trace), setup()).decision
    assert decision is not None
    return decision.disposition
