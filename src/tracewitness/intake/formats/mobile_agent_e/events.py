"""The entries of ``steps.json``: checked, and in order."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, IntakeError, UnsafePathError
from tracewitness.intake.json_stream import JsonStream
from tracewitness.intake.kept_back import Fields, kept_back
from tracewitness.intake.limits import Limits
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import object_of, text_of

_THOUGHTS = (Plane.NARRATION, LeakRoute.THOUGHTS)
_MEMORY = (Plane.NARRATION, LeakRoute.CARRIED_MEMORY)
_ASSESSMENT = (Plane.NARRATION, LeakRoute.SELF_ASSESSMENT)
_ECHO = (Plane.NARRATION, LeakRoute.ECHO)

HIDDEN: dict[str, Fields] = {
    "init": {"init_info_pool": _MEMORY, "future_tasks": (Plane.TASK, LeakRoute.NONE)},
    "experience_retrieval": dict.fromkeys(
        (
            "original_tips original_shortcuts experience_retrieval_shortcut_prompt experience_retrieval_tips_prompt "
            "experience_retrieval_shortcut_response experience_retrieval_tips_response selected_tips selected_shortcuts"
        ).split(),
        _MEMORY,
    ),
    "planning": {
        "prompt_planning": _ECHO,
        "raw_response": _THOUGHTS,
        "thought": _THOUGHTS,
        "plan": _MEMORY,
        "current_subgoal": _MEMORY,
    },
    "experience_reflection": {
        "prompt_knowledge": _ECHO,
        "raw_response": _MEMORY,
        "new_shortcut": _MEMORY,
        "updated_tips": _MEMORY,
    },
    "action": {
        "prompt_action": _ECHO,
        "raw_response": _THOUGHTS,
        "action_object_str": _THOUGHTS,
        "action_thought": _THOUGHTS,
        "action_description": _THOUGHTS,
    },
    "action_reflection": {
        "prompt_action_reflect": _ECHO,
        "raw_response": _ASSESSMENT,
        "outcome": _ASSESSMENT,
        "error_description": _ASSESSMENT,
        "progress_status": _MEMORY,
    },
    "notetaking": {"prompt_note": _ECHO, "raw_response": _MEMORY, "important_notes": _MEMORY},
    "finish": {"finish_flag": (Plane.REPORT, LeakRoute.FINISH_ARGUMENTS), "final_info_pool": _MEMORY},
    "perception": {},
}
"""The fields of every operation that the trace side must not see."""

_SHOWN = frozenset(
    "step operation instruction task_id run_name max_itr max_consecutive_failures max_repetitive_actions log_root "
    "tips_path shortcuts_path persistent_tips_path persistent_shortcuts_path perception_args duration "
    "execution_duration task_duration screenshot perception_infos action_object".split()
)
_TOLD = "thought plan current_subgoal action_thought action_description outcome error_description important_notes"


@dataclass(slots=True)
class Events:
    """A log, taken apart.

    Attributes:
        instruction: The task, where the log has its first entry.
        screens: Of every step, what was seen before it.
        actions: Of every step, the entry of its action, with its place.
        begun: The steps that planned an action.
        finish: The entry that ends the log; empty where there is none.
    """

    instruction: str = ""
    screens: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    actions: dict[int, tuple[str, dict[str, Any]]] = field(default_factory=dict[int, tuple[str, dict[str, Any]]])
    begun: set[int] = field(default_factory=set[int])
    finish: dict[str, Any] = field(default_factory=dict[str, Any])
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    encoding: str = ""


def read_events(path: Path, limits: Limits) -> Events:
    """Read a log. The tool writes it anew after every event; where one breaks off, what stands ahead is kept.

    Raises:
        IntakeError: Not even its first entry can be read.
        BadRunError: It has more steps than are read.
    """
    events, stream, count = Events(), JsonStream(path, limits), 0
    try:
        for place, value in stream:
            count += 1
            _take(events, f"steps{place}", object_of(value), limits)
    except UnsafePathError:
        raise
    except IntakeError as error:
        if count == 0 or isinstance(error, BadRunError):
            raise
        events.gaps.add(Gap.LOG_CUT_OFF)
        events.notices.append(f"log {error.where}: {error.problem}")
    events.encoding = stream.encoding
    return events


def _take(events: Events, place: str, entry: dict[str, Any], limits: Limits) -> None:
    operation, step = text_of(entry.get("operation")), entry.get("step")
    events.stripped += _hidden(place, operation, entry)
    if not isinstance(step, int) or isinstance(step, bool):
        events.notices.append(f"{place}: no step number")
        events.gaps.add(Gap.MISSING_STEPS)
        return
    events.narration += [Narrated(step, text) for name in _TOLD.split() if (text := text_of(entry.get(name)).strip())]
    if operation == "init":
        events.instruction = text_of(entry.get("instruction")).strip()
    elif operation == "perception":
        events.screens[step] = entry
    elif operation == "action":
        events.actions[step] = (place, entry)
    elif operation == "planning":
        events.begun.add(step)
    elif operation == "finish":
        events.finish = entry
    if len(events.actions) > limits.steps:
        raise BadRunError(f"more than {limits.steps} steps", "split the log")


def _hidden(place: str, operation: str, entry: dict[str, Any]) -> Iterator[Stripped]:
    """Yield a note for every field that is hidden; one that is not known is taken for words of the agent."""
    known = HIDDEN.get(operation, {})
    others = {name: _THOUGHTS for name in entry if name not in known and name not in _SHOWN}
    yield from kept_back(entry, place, {**known, **others})
