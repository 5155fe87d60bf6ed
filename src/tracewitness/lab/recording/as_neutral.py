"""A recording in the neutral run format."""

from typing import Any

from tracewitness.lab.recording.recording import Action, Recording, Seen

PICTURES = "pictures"


def as_neutral(recording: Recording) -> dict[str, Any]:
    """Return a run as the JSON object of ``tracewitness.run/1``; pictures are named below the folder ``pictures``."""
    steps = [_step(recording, number, action) for number, action in enumerate(recording.actions, 1)]
    if recording.ended and recording.whole:
        last = recording.at(len(recording.actions))
        end: dict[str, Any] = {"index": len(steps) + 1, "action": {"kind": "finish"}}
        if last is not None:
            end["before"] = _observation(last)
        steps.append(end)
    return {
        "format": "tracewitness.run/1",
        "run_id": recording.run_id,
        "agent": "lab",
        "task": {
            "instruction": recording.task,
            "app": recording.app,
            "start_url": recording.start_url,
            "locale": recording.language,
        },
        "steps": steps,
        "report": {"text": recording.report, "declared_status": declared_status(recording.declared)},
        "harness": {"status": "completed" if recording.report is not None else "unknown"},
    }


def declared_status(declared: bool | None) -> str | None:
    """Return the agent's flag in the words of the neutral format."""
    return None if declared is None else "success" if declared else "failure"


def page_text(seen: Seen) -> str | None:
    """Return the visible text with what was noted of network and console below it; None where neither was kept."""
    noted = ["network", *(f"  {line}" for line in seen.network)] if seen.network else []
    return (
        "\n".join([*([seen.text] if seen.text else []), *noted, *(f"console: {one}" for one in seen.console)]) or None
    )


def raw_action(action: Action) -> str:
    """Return an action as a runner would log it: a call with the point or the keys."""
    point = ", ".join(map(str, action.box.middle)) if action.box else ""
    text = "" if action.text is None else repr(action.text)
    return f"{action.act}({', '.join(part for part in (point, text) if part)})"


def _step(recording: Recording, number: int, action: Action) -> dict[str, Any]:
    before, after = recording.at(number - 1), recording.at(number)
    step: dict[str, Any] = {
        "index": number,
        "time": action.moment,
        "action": {"kind": action.act.value, "target": action.target, "text": action.text, "raw": raw_action(action)},
        "before": None if before is None else _observation(before),
        "after": None if after is None else _observation(after),
        "error": action.error,
        "narration": recording.narration[number - 1] if number <= len(recording.narration) else None,
    }
    return {key: value for key, value in step.items() if value is not None}


def _observation(seen: Seen) -> dict[str, str]:
    told = {
        "text": page_text(seen),
        "ui_tree": seen.tree or None,
        "url": seen.url,
        "screenshot": f"{PICTURES}/{seen.picture}" if seen.picture else None,
    }
    return {key: value for key, value in told.items() if value is not None}
