"""Code that an agent had run on the machine besides its clicks: Agent-S3 gives parts of a task to a coding agent.

The line of such a step has a pause as its action, and what was run stands in ``code_agent_output`` among the coding
agent's thoughts: one answer a round, whose first fenced block was executed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars.gestures import Deed
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

CODE_AGENT = "code_agent_output"
_LANGUAGES = ("python", "bash")
"""The languages that are executed, in the order in which the agent looks for a block of them."""
_FENCE = "```"


def code_run(fields: Mapping[str, Any]) -> Iterator[Deed]:
    """Yield what the coding agent ran in the step of a line."""
    for entry in objects_of(object_of(fields.get(CODE_AGENT)).get("execution_history")):
        found = _executed(text_of(entry.get("action")))
        if found is not None:
            language, code = found
            yield Deed(Call(language, {"code" if language == "python" else "command": code}), "")


def retold_run(output: Any, said: str) -> Any:
    """Return what a line keeps of a coding agent in other words, with what it ran as it was."""
    if isinstance(output, str):
        return said
    if isinstance(output, list):
        return [retold_run(item, said) for item in list_of(output)]
    if not isinstance(output, dict):
        return output
    told = {key: retold_run(value, said) for key, value in object_of(output).items()}
    found = _executed(text_of(object_of(output).get("action")))
    if found is not None:
        language, code = found
        told["action"] = f"{said}\n{_FENCE}{language}\n{code}\n{_FENCE}"
    return told


def _executed(answer: str) -> tuple[str, str] | None:
    """Return language and code of the block that is executed; one of another language is refused by the agent."""
    for language in _LANGUAGES:
        _, found, rest = answer.partition(f"{_FENCE}{language}")
        code = rest.partition(_FENCE)[0].strip()
        if found:
            return (language, code) if code else None
    return None
