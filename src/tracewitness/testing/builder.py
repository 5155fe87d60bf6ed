"""A builder of runs, for tests of formats, readers and policies."""

from dataclasses import dataclass, field, replace
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import TaskClass
from tracewitness.intake.planes import Narrated
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Step, Trace

NEUTRAL_FORMAT = "tracewitness.run/1"


@dataclass(frozen=True, slots=True)
class RunBuilder:
    """Builds a run step by step. Every method returns a new builder, so a run can be varied from any point.

    Example:
        >>> run = RunBuilder("r1").task("Delete 'a.txt'").step("click", target="Delete", after="list (0)").build()
        >>> len(run.trace.steps)
        1
    """

    run_id: str = "run"
    _task: Task = field(default_factory=lambda: Task("Do it."))
    _steps: tuple[Step, ...] = ()
    _narration: tuple[Narrated, ...] = ()
    _report: Report = field(default_factory=lambda: Report(None))
    _harness: HarnessStatus = HarnessStatus.COMPLETED
    _complete: bool = True

    def task(
        self,
        instruction: str,
        *,
        app: str | None = None,
        start_url: str | None = None,
        locale: str | None = None,
        given_class: TaskClass | None = None,
    ) -> "RunBuilder":
        """Set the task."""
        return replace(self, _task=Task(instruction, app, start_url, locale, given_class))

    def step(
        self,
        kind: str,
        target: str | None = None,
        *,
        text: str | None = None,
        raw: str | None = None,
        before: str | None = None,
        after: str | None = None,
        url: str | None = None,
        error: str | None = None,
        narration: str | None = None,
    ) -> "RunBuilder":
        """Add a step; ``before`` and ``after`` are what the environment showed, ``url`` the address after it."""
        index = len(self._steps) + 1
        seen_before = Observation(text=before) if before is not None else None
        seen_after = Observation(text=after, url=url) if after is not None or url is not None else None
        step = Step(index, Action(kind, target, text, raw), seen_before, seen_after, error)
        told = (*self._narration, Narrated(index, narration)) if narration is not None else self._narration
        return replace(self, _steps=(*self._steps, step), _narration=told)

    def finish(self, *, after: str | None = None, narration: str | None = None) -> "RunBuilder":
        """Add the step at which the agent ended."""
        return self.step("finish", after=after, narration=narration)

    def report(self, text: str | None, declared: DeclaredStatus | None = None) -> "RunBuilder":
        """Set the report and the agent's own success flag."""
        return replace(self, _report=Report(text, declared))

    def harness(self, status: HarnessStatus) -> "RunBuilder":
        """Set the harness's coarse view of the run."""
        return replace(self, _harness=status)

    def incomplete(self) -> "RunBuilder":
        """Mark the record as known to have gaps."""
        return replace(self, _complete=False)

    def build(self) -> SealedRun:
        """Return the run with both halves."""
        return SealedRun(
            run_id=self.run_id,
            task=self._task,
            trace=Trace(self._steps, () if self._complete else (Gap.DECLARED_INCOMPLETE,)),
            report=self._report,
            harness=self._harness,
            origin=Origin(path=f"{self.run_id}.json", format_name="neutral", format_version=NEUTRAL_FORMAT),
            narration=self._narration,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the run in the neutral run format, ready for ``json.dumps``."""
        task = self._task
        return {
            "format": NEUTRAL_FORMAT,
            "run_id": self.run_id,
            "task": {
                "instruction": task.instruction,
                "app": task.app,
                "start_url": task.start_url,
                "locale": task.locale,
                "class": task.given_class,
            },
            "steps": [self._step_json(step) for step in self._steps],
            "report": {"text": self._report.text, "declared_status": self._report.declared_status},
            "harness": {"status": self._harness},
            "complete": self._complete,
        }

    def _step_json(self, step: Step) -> dict[str, Any]:
        action = step.action
        return {
            "index": step.index,
            "action": {"kind": action.kind, "target": action.target, "text": action.text, "raw": action.raw},
            "before": _observation_json(step.before),
            "after": _observation_json(step.after),
            "error": step.error,
            "narration": next((told.text for told in self._narration if told.step == step.index), None),
        }


def _observation_json(seen: Observation | None) -> dict[str, Any] | None:
    return None if seen is None else {"text": seen.text, "url": seen.url}
