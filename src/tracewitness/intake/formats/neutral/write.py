"""Writing any sealed run in the neutral format, for ``convert``."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.formats.neutral.detect import FORMAT
from tracewitness.intake.formats.neutral.screenshots import ScreenshotPaths
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Observation, Screenshot, Step


def to_neutral(run: SealedRun, screenshots: ScreenshotPaths | None = None) -> dict[str, Any]:
    """Return a run as the JSON object of the neutral format, without keys whose value is null or the default.

    For a run that was read from the neutral format, reading the result again gives the same run (UI dumps that stood in
    files are then inline). ``complete`` is false where the record has gaps that its steps alone do not show.

    Args:
        run: The run.
        screenshots: Says how screenshots are named in what is written; None keeps the names of the log.

    Raises:
        OSError: A screenshot cannot be copied.
    """
    names = _names(run, screenshots) if screenshots else {}
    narration = {said.step: said.text for said in run.narration}
    written: dict[str, Any] = {
        "format": FORMAT,
        "run_id": run.run_id,
        "agent": run.origin.agent,
        "source": run.origin.source,
        "task": _bare(
            instruction=run.task.instruction,
            app=run.task.app,
            start_url=run.task.start_url,
            locale=run.task.locale,
            **{"class": run.task.given_class.value if run.task.given_class else None},
        ),
        "steps": [_step(step, narration.get(step.index), names) for step in run.trace.steps],
        "report": {
            "text": run.report.text,
            "declared_status": run.report.declared_status.value if run.report.declared_status else None,
        },
        "harness": {"status": run.harness.value},
        "extra": json.loads(run.extra_json) if run.extra_json is not None else None,
    }
    if not set(run.trace.gaps) <= _told_by_steps(run.trace.steps):
        written["complete"] = False
    return _bare(**written)


def _told_by_steps(steps: Sequence[Step]) -> set[Gap]:
    """Return the gaps that a reader of the written run finds by itself."""
    told = {*known_gaps(steps)}
    seen = [one for step in steps for one in (step.before, step.after) if one is not None]
    lost = [one for one in seen if one.screenshot and one.screenshot.digest is None]
    if any(one.text is None and one.ui_tree is None for one in lost):
        told.add(Gap.UNREADABLE_OBSERVATION)
    return told


def _names(run: SealedRun, screenshots: ScreenshotPaths) -> dict[Screenshot, str]:
    seen = [one for step in run.trace.steps for one in (step.before, step.after) if one is not None]
    pictures = dict.fromkeys(one.screenshot for one in seen if one.screenshot is not None)
    return {picture: screenshots.name(run.origin, picture) for picture in pictures}


def _step(step: Step, narration: str | None, names: Mapping[Screenshot, str]) -> dict[str, Any]:
    action = step.action
    return _bare(
        index=step.index,
        time=step.time,
        action=_bare(kind=action.kind, target=action.target, text=action.text, raw=action.raw),
        before=_observation(step.before, names),
        after=_observation(step.after, names),
        error=step.error if action.executed or step.error else "logged but not executed",
        narration=narration,
    )


def _observation(seen: Observation | None, names: Mapping[Screenshot, str]) -> dict[str, Any] | None:
    if seen is None:
        return None
    renamed = names.get(seen.screenshot, seen.screenshot.name) if seen.screenshot else None
    return _bare(text=seen.text, ui_tree=seen.ui_tree, url=seen.url, screenshot=renamed)


def _bare(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}
