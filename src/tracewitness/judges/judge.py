"""What a judge is: how it asks, what it answers, and what that comes to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tracewitness.asking.prompts import Prompt, load_prompt
from tracewitness.findings.labels import TraceState
from tracewitness.judges.showing import Showing

_REASONING_LIMIT = 240
_MOST_POINTS = 8
_POINT_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Judge:
    """One judge.

    Attributes:
        name: Its name on the command line.
        about: What it is and where it is from, in one line.
        shows: What it is shown besides the task and the trace where nothing else is said.
        prompt_file: Its prompt file.
        reasoning: The key of its reasoning.
        verdict: The key of its verdict.
        states: What each of its verdicts says of the run.
        flags: Keys of further yes-or-no answers after the verdict.
        points_file: The prompt file that asks for key points of the task first; None without that.
    """

    name: str
    about: str
    shows: Showing
    prompt_file: str
    reasoning: str
    verdict: str
    states: Mapping[str, TraceState]
    flags: tuple[str, ...] = ()
    points_file: str | None = None

    @property
    def prompt(self) -> Prompt:
        """Return its prompt.

        Raises:
            PromptError: The file is missing or not in order.
        """
        return _load(self.prompt_file)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """Return all prompts that it uses, in the order in which they are asked."""
        first = () if self.points_file is None else (_load(self.points_file),)
        return (*first, self.prompt)

    @property
    def schema(self) -> str:
        """Return the JSON Schema of an answer; the reasoning is to be written before the verdict."""
        properties: dict[str, Any] = {
            self.reasoning: {"type": "string", "maxLength": _REASONING_LIMIT},
            self.verdict: {"enum": list(self.states)},
        }
        properties |= {flag: {"type": "boolean"} for flag in self.flags}
        return _written(properties)

    def state(self, answer: Mapping[str, Any]) -> TraceState | None:
        """Return what an answer says of the run; None where it does not have the asked-for form."""
        said = answer.get(self.verdict)
        return self.states.get(said) if isinstance(said, str) else None

    def reasons(self, answer: Mapping[str, Any]) -> str:
        """Return the reasoning of an answer, shortened to what was asked for."""
        said = answer.get(self.reasoning)
        return " ".join(said.split())[:_REASONING_LIMIT] if isinstance(said, str) else ""


def points_schema() -> str:
    """Return the JSON Schema of key points."""
    points = {"type": "array", "items": {"type": "string", "maxLength": _POINT_LIMIT}, "maxItems": _MOST_POINTS}
    return _written({"key_points": points})


def read_points(answer: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the key points of an answer; None where it does not have the asked-for form."""
    points = answer.get("key_points")
    if not isinstance(points, list) or not all(isinstance(point, str) for point in points):  # pyright: ignore[reportUnknownVariableType]
        return None
    return tuple(" ".join(str(point).split())[:_POINT_LIMIT] for point in points[:_MOST_POINTS])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _load(name: str) -> Prompt:
    return load_prompt("tracewitness.judges.prompts", name)


def _written(properties: dict[str, Any]) -> str:
    whole = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
