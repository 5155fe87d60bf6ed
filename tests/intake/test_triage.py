import pytest

from tracewitness.findings.labels import Triage
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Step, Trace

TAP = (Step(1, Action("click")), Step(2, Action("finish")))
FINISH = (Step(1, Action("finish")),)
NOT_DONE = (Step(1, Action("click", executed=False)),)
SEEN = (Step(1, Action("finish"), before=Observation(text="page")),)


def run(status: HarnessStatus, report: Report, steps: tuple[Step, ...] = TAP) -> SealedRun:
    return SealedRun("r", Task("t"), Trace(steps), report, status, Origin("p", "neutral"))


@pytest.mark.parametrize(
    ("status", "report", "steps", "expected"),
    [
        (HarnessStatus.PASSED, Report(None), (), Triage.SETTLED_PASSED),
        (HarnessStatus.FAILED, Report("Done."), TAP, Triage.SETTLED_FAILED),
        (HarnessStatus.TIMEOUT, Report("Done."), TAP, Triage.NOT_AUDITABLE_TIMEOUT),
        (HarnessStatus.ERROR, Report("Done."), TAP, Triage.NOT_AUDITABLE_ERROR),
        (HarnessStatus.COMPLETED, Report(None), TAP, Triage.NOT_AUDITABLE_NO_REPORT),
        (HarnessStatus.COMPLETED, Report(" \n"), TAP, Triage.NOT_AUDITABLE_NO_REPORT),
        (HarnessStatus.COMPLETED, Report(None, DeclaredStatus.SUCCESS), TAP, Triage.AUDIT_TARGET),
        (HarnessStatus.COMPLETED, Report("Done."), (), Triage.NOT_AUDITABLE_EMPTY_TRACE),
        (HarnessStatus.COMPLETED, Report("Done."), FINISH, Triage.NOT_AUDITABLE_EMPTY_TRACE),
        (HarnessStatus.COMPLETED, Report("Done."), NOT_DONE, Triage.NOT_AUDITABLE_EMPTY_TRACE),
        (HarnessStatus.COMPLETED, Report("Done."), SEEN, Triage.AUDIT_TARGET),
        (HarnessStatus.COMPLETED, Report("Done."), TAP, Triage.AUDIT_TARGET),
        (HarnessStatus.UNKNOWN, Report("Done."), TAP, Triage.AUDIT_TARGET),
        (HarnessStatus.STEP_LIMIT, Report("Done."), TAP, Triage.AUDIT_TARGET),
        (HarnessStatus.STEP_LIMIT, Report(None), TAP, Triage.NOT_AUDITABLE_NO_REPORT),
        (HarnessStatus.UNKNOWN, Report(None), (), Triage.NOT_AUDITABLE_NO_REPORT),
    ],
)
def test_triage(status: HarnessStatus, report: Report, steps: tuple[Step, ...], expected: Triage) -> None:
    assert triage(run(status, report, steps)) is expected
