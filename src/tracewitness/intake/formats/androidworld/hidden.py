"""What an episode holds besides evidence: prompts, answers of models, summaries, rewards, verdicts."""

from collections.abc import Iterator, Mapping
from typing import Any

from tracewitness.intake.formats.androidworld.actions import PARSED
from tracewitness.intake.formats.androidworld.episodes import DATA, STEP_NUMBER, Columns, Episode
from tracewitness.intake.formats.androidworld.screens import OBSERVED
from tracewitness.intake.pickles.plain import extent
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.untyped import text_of

NARRATING = (
    "action_reason",
    "action_response",
    "action_gen_response",
    "action_ground_response",
    "last_action_thought",
    "action_description",
    "summary",
    "last_summary",
    "plan",
    "current_subgoal",
    "progress_status",
    "important_notes",
    "finish_thought",
)
"""Fields in which an agent speaks about a step."""

_ROUTES: Mapping[str, LeakRoute] = {
    "summary": LeakRoute.SELF_ASSESSMENT,
    "last_summary": LeakRoute.SELF_ASSESSMENT,
    "summary_raw_response": LeakRoute.SELF_ASSESSMENT,
    "action_outcomes": LeakRoute.SELF_ASSESSMENT,
    "error_descriptions": LeakRoute.SELF_ASSESSMENT,
    "action_reason": LeakRoute.THOUGHTS,
    "action_output": LeakRoute.THOUGHTS,
    "action_response": LeakRoute.THOUGHTS,
    "action_raw_response": LeakRoute.THOUGHTS,
    "action_gen_response": LeakRoute.THOUGHTS,
    "action_ground_response": LeakRoute.THOUGHTS,
    "last_action_thought": LeakRoute.THOUGHTS,
    "finish_thought": LeakRoute.THOUGHTS,
    "plan": LeakRoute.CARRIED_MEMORY,
    "completed_plan": LeakRoute.CARRIED_MEMORY,
    "progress_status": LeakRoute.CARRIED_MEMORY,
    "important_notes": LeakRoute.CARRIED_MEMORY,
}
_GRADING = ("reward", "is_success", "score", "done")
_OF_EPISODE: Mapping[str, tuple[Plane, LeakRoute]] = {
    "is_successful": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "aux_data": (Plane.GRADING, LeakRoute.GRADING_ECHO),
    "exception_info": (Plane.GRADING, LeakRoute.NONE),
    "task_template": (Plane.TASK, LeakRoute.NONE),
    "agent_name": (Plane.GRADING, LeakRoute.NONE),
}


def narration_of(columns: Columns) -> Iterator[Narrated]:
    """Yield the agent's own words at the steps."""
    for at, number in enumerate(columns.numbers):
        words = dict.fromkeys(text_of(columns.at(name, at)).strip() for name in NARRATING)
        told = "\n".join(filter(None, words))
        if told:
            yield Narrated(number, told)


def stripped_of(episode: Episode, actions: str | None) -> Iterator[Stripped]:
    """Yield a note for all that the trace side does not see."""
    used = {STEP_NUMBER, *OBSERVED, *((actions,) if actions in PARSED else ())}
    for name, entries in episode.columns.lists.items():
        if name in used:
            continue
        plane, route = _plane_of(name)
        for at, entry in enumerate(entries):
            yield from _note(f"{DATA}.{name}[{at}]", plane, route, entry)
    for name, count in episode.columns.uneven.items():
        yield Stripped(f"{DATA}.{name}", *_plane_of(name), count)
    for name, value in episode.fields.items():
        if name in _OF_EPISODE:
            yield from _note(name, *_OF_EPISODE[name], value)


def _note(where: str, plane: Plane, route: LeakRoute, value: Any) -> Iterator[Stripped]:
    size = extent(value)
    if size:
        yield Stripped(where, plane, route, size)


def _plane_of(name: str) -> tuple[Plane, LeakRoute]:
    if name.startswith(_GRADING):
        return Plane.GRADING, LeakRoute.GRADING_ECHO
    return Plane.NARRATION, _ROUTES.get(name, LeakRoute.ECHO)
