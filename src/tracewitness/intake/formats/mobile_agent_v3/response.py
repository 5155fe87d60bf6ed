"""What a manager and an operator answered, taken apart as the tool takes it apart."""

from dataclasses import dataclass
from typing import Any

from tracewitness.intake.written_objects import written_object

_LONGEST_FINISHED = 15
"""The tool's bound: a plan of fewer characters with "Finished" in it ends the run."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An operator's answer: the action it wrote, None where it cannot be read; and the words around it."""

    action: dict[str, Any] | None
    words: str


def decision_of(response: str) -> Decision:
    """Return the action of a response: the object between its last ``### Action`` and the next ``### Description``."""
    ahead, _, behind = response.rpartition("### Action")
    written, marked, description = behind.partition("### Description")
    bare = _flat(written).replace("```", "").replace("json", "").strip()
    action = written_object(bare) if ahead or behind else None
    if action is not None and not (isinstance(action.get("action"), str) and action["action"].strip()):
        action = None
    words = [ahead if action is not None else response, description if action is not None and marked else ""]
    return Decision(action, "\n".join(part for part in map(_flat, words) if part))


def is_finished(plan_response: str) -> bool:
    """Tell whether a manager's plan ends the run."""
    plan = _flat(plan_response.rpartition("### Plan")[2])
    return "Finished" in plan and len(plan) < _LONGEST_FINISHED


def finish_thought(plan_response: str) -> str:
    """Return the thought with which a manager ends the run."""
    return _flat(plan_response.rpartition("### Thought")[2].split("### ")[0])


def _flat(text: str) -> str:
    return text.replace("\n", " ").replace("  ", " ").replace("###", "").strip()
