"""Planted logs of the neutral run format."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.testing.words import Words


def plant(folder: Path, words: Words) -> Path:
    """Write one run with words in every field."""
    seen = {"text": words.evidence("before text"), "ui_tree": None, "url": words.evidence("before url")}
    action = {
        "kind": "click",
        "target": words.evidence("target"),
        "text": words.evidence("typed"),
        "raw": words.evidence("raw"),
    }
    steps: list[dict[str, Any]] = [
        {
            "index": 1,
            "action": action,
            "before": seen,
            "after": {"text": words.evidence("after text")},
            "error": words.evidence("error"),
            "narration": words.narration("narration"),
        },
        {"index": 2, "action": {"kind": "scroll"}, "after": {"text": words.evidence("last text")}},
    ]
    if words.finished:
        said = words.report("answer")
        steps.append({"index": 3, "action": {"kind": "answer", "text": said, "raw": said, "target": said}})
    run: dict[str, Any] = {
        "format": "tracewitness.run/1",
        "run_id": "planted",
        "task": {"instruction": words.task(), "app": words.task("app")},
        "steps": steps,
        "report": {"text": words.report("text") if words.finished else None},
        "harness": {"status": "unknown"},
        "extra": {"judge": words.grading("judge")},
    }
    path = folder / "run.json"
    path.write_text(json.dumps(run), encoding="utf-8")
    return path


PLANTS = {"neutral": Planted(NeutralFormat(), plant)}
