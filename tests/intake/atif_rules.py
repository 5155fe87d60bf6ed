"""The rules of ATIF up to v1.8, as its specification states them: a JSON Schema, and what a schema cannot say."""

from datetime import datetime
from typing import Any

import jsonschema

_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "number"}
_OBJECT: dict[str, Any] = {"type": "object"}


def _closed(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required.split(),
        "properties": properties,
    }


_PICTURE = _closed("media_type path", media_type={"enum": [f"image/{kind}" for kind in ("jpeg", "png", "gif", "webp")]})
_PICTURE["properties"]["path"] = _TEXT
_PART = {
    "oneOf": [
        _closed("type text", type={"const": "text"}, text=_TEXT),
        _closed("type source", type={"const": "image"}, source=_PICTURE),
    ]
}
_CONTENT = {"anyOf": [_TEXT, {"type": "array", "items": _PART}]}
_CALL = _closed(
    "tool_call_id function_name arguments", tool_call_id=_TEXT, function_name=_TEXT, arguments=_OBJECT, extra=_OBJECT
)
_REFERENCE = _closed("", trajectory_id=_TEXT, session_id=_TEXT, trajectory_path=_TEXT, extra=_OBJECT)
_RESULT = _closed(
    "",
    source_call_id=_TEXT,
    content=_CONTENT,
    subagent_trajectory_ref={"type": "array", "items": _REFERENCE},
    extra=_OBJECT,
)
_STEP = _closed(
    "step_id source message",
    step_id={"type": "integer", "minimum": 1},
    timestamp=_TEXT,
    source={"enum": ["system", "user", "agent"]},
    model_name=_TEXT,
    reasoning_effort={"type": ["string", "number"]},
    message=_CONTENT,
    reasoning_content=_TEXT,
    tool_calls={"type": "array", "items": _CALL},
    observation=_closed("results", results={"type": "array", "items": _RESULT}),
    metrics=_OBJECT,
    is_copied_context={"type": "boolean"},
    llm_call_count={"type": "integer", "minimum": 0},
    extra=_OBJECT,
)
_AGENT = _closed(
    "name version",
    name=_TEXT,
    version=_TEXT,
    model_name=_TEXT,
    tool_definitions={"type": "array", "items": _OBJECT},
    extra=_OBJECT,
)
SCHEMA: dict[str, Any] = _closed(
    "schema_version agent steps",
    schema_version={"enum": [f"ATIF-v1.{minor}" for minor in range(9)]},
    session_id=_TEXT,
    trajectory_id=_TEXT,
    agent=_AGENT,
    steps={"type": "array", "minItems": 1, "items": _STEP},
    notes=_TEXT,
    final_metrics=_OBJECT,
    continued_trajectory_ref=_TEXT,
    extra=_OBJECT,
    subagent_trajectories={"type": "array", "items": {"$ref": "#"}},
)
_AGENTS_OWN = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")


def check_atif(document: dict[str, Any]) -> None:
    """Raise where a document breaks a rule of ATIF."""
    jsonschema.validate(document, SCHEMA)
    for at, step in enumerate(document["steps"]):
        assert step["step_id"] == at + 1
        if "timestamp" in step:
            datetime.fromisoformat(step["timestamp"].replace("Z", "+00:00"))
        if step["source"] != "agent":
            assert not [key for key in _AGENTS_OWN if key in step]
        calls = {call["tool_call_id"] for call in step.get("tool_calls", [])}
        for result in step.get("observation", {}).get("results", []):
            assert result.get("source_call_id") in {None, *calls}
        if document["schema_version"] < "ATIF-v1.7":
            assert "trajectory_id" not in document
