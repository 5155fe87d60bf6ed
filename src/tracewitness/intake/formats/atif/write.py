"""Writing any sealed run as an ATIF trajectory, for ``convert``."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tracewitness.intake.finishing import FINISH
from tracewitness.intake.formats.atif.document import WRITTEN_VERSION
from tracewitness.intake.formats.atif.profile import BEFORE_MESSAGE, WRITTEN, marked
from tracewitness.intake.formats.neutral.screenshots import ScreenshotPaths
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step
from tracewitness.version import __version__

_MEDIA_TYPES = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif"}
_UNKNOWN = "unknown"


def to_atif(run: SealedRun, screenshots: ScreenshotPaths | None = None) -> dict[str, Any]:
    """Return a run as an ATIF trajectory.

    Reading it again gives the same run, but for what the reader's page lists.

    Args:
        run: The run.
        screenshots: Says how screenshots are named in what is written; None keeps the names of the log.

    Raises:
        OSError: A screenshot cannot be copied.
    """
    writing = _Writing(run, screenshots)
    writing.write()
    task = run.task
    return {
        "schema_version": WRITTEN_VERSION,
        "session_id": run.run_id,
        "trajectory_id": run.run_id,
        "agent": {"name": run.origin.agent or _UNKNOWN, "version": _UNKNOWN},
        "steps": writing.steps,
        "notes": f"Written by tracewitness {__version__} from a log of the format {run.origin.format_name}.",
        "extra": marked(
            written=WRITTEN,
            agent_named=run.origin.agent is not None,
            source=run.origin.source,
            app=task.app,
            start_url=task.start_url,
            locale=task.locale,
            task_class=task.given_class.value if task.given_class else None,
            harness=run.harness.value,
            gaps=[gap.id for gap in run.trace.gaps],
            extra=json.loads(run.extra_json) if run.extra_json is not None else None,
        ),
    }


@dataclass(slots=True)
class _Writing:
    run: SealedRun
    screenshots: ScreenshotPaths | None
    steps: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def write(self) -> None:
        run = self.run
        self._add("user", run.task.instruction)
        ends = [at for at, step in enumerate(run.trace.steps) if step.action.kind == FINISH]
        previous: Observation | None = None
        for at, step in enumerate(run.trace.steps):
            self._write_step(step, previous, reports=ends[-1:] == [at])
            previous = step.after
        if not ends and (run.report.text is not None or run.report.declared_status is not None):
            self._add("agent", "", tool_calls=[_call("report", FINISH, self._report())], extra=marked(report=True))

    def _add(self, source: str, message: str, **more: Any) -> None:
        given = {key: value for key, value in more.items() if value is not None}
        self.steps.append({"step_id": len(self.steps) + 1, "source": source, "message": message, **given})

    def _write_step(self, step: Step, previous: Observation | None, *, reports: bool) -> None:
        same = step.before is not None and step.before == previous
        if step.before is not None and not same:
            shown = {"results": [self._result(step.before, "before", None)]}
            self._add("system", BEFORE_MESSAGE, observation=shown, extra=marked(shows="before"))
        call_id = f"call_{step.index}"
        arguments = self._report() if reports else _arguments(step.action)
        told = "\n".join(said.text for said in self.run.narration if said.step == step.index)
        timely = step.time if _is_iso(step.time) else None
        self._add(
            "agent",
            "",
            timestamp=timely,
            reasoning_content=told or None,
            tool_calls=[_call(call_id, step.action.kind, arguments)],
            observation=self._observation(step, call_id),
            extra=marked(
                index=step.index,
                time=None if timely else step.time,
                before="previous" if same else None,
                executed=None if step.action.executed else False,
            ),
        )

    def _report(self) -> dict[str, Any]:
        report = self.run.report
        flag = report.declared_status.value if report.declared_status else None
        return {key: value for key, value in {"message": report.text, "status": flag}.items() if value is not None}

    def _observation(self, step: Step, call_id: str) -> dict[str, Any] | None:
        results = [] if step.after is None else [self._result(step.after, "after", call_id)]
        if step.error is not None:
            results.append({"source_call_id": call_id, "content": step.error, "extra": marked(shows="error")})
        return {"results": results} if results else None

    def _result(self, seen: Observation, shows: str, call_id: str | None) -> dict[str, Any]:
        parts = dict(self._parts(seen))
        addressed = {} if call_id is None else {"source_call_id": call_id}
        return {**addressed, "content": list(parts.values()), "extra": marked(shows=shows, parts=list(parts))}

    def _parts(self, seen: Observation) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, text in (("url", seen.url), ("text", seen.text), ("ui_tree", seen.ui_tree)):
            if text is not None:
                yield name, {"type": "text", "text": text}
        if seen.screenshot is not None:
            path = self._name(seen.screenshot)
            yield "screenshot", {"type": "image", "source": {"media_type": _media_type(path), "path": path}}

    def _name(self, screenshot: Screenshot) -> str:
        return self.screenshots.name(self.run.origin, screenshot) if self.screenshots else screenshot.name


def _call(call_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "arguments": arguments}


def _arguments(action: Action) -> dict[str, Any]:
    held = {"target": action.target, "text": action.text, "raw": action.raw}
    return {key: value for key, value in held.items() if value is not None}


def _media_type(path: str) -> str:
    return _MEDIA_TYPES.get(path[path.rfind(".") :].lower() if "." in path else "", "image/png")


def _is_iso(time: str | None) -> bool:
    try:
        return time is not None and bool(datetime.fromisoformat(time.replace("Z", "+00:00")))
    except ValueError:
        return False
