"""Where in a call an agent speaks instead of acting: tools that only note things down, arguments that only explain."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from tracewitness.intake.finishing import bare, own_name
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.spoken_names import asks_by_name

_NARRATING = frozenset(
    map(
        bare,
        (
            "think thought thinking reason reflect plan make_plan update_plan set_plan note notes take_note take_notes "
            "add_note make_note save_note write_note save_notes memory save_memory add_memory update_memory memorize "
            "remember todo todos write_todo todo_write update_todo update_todos add_todo log_thought summarize "
            "summary ask ask_human ask_user ask_for_help ask_question ask_user_question request_help message_user "
            "message_notify_user notify_user send_user_message push_notification call_user report_progress "
            "update_progress update_status task_boundary task_tracker task_create task_update save_task_progress "
            "pause_and_memorize_fact complete_subgoals_by_ids note_to_self mem0_add add_observations "
            "ask_followup_question plan_mode_respond enter_plan_mode exit_plan_mode"
        ).split(),
    )
)
"""Tools with which an agent speaks to itself or to its user; they act on no page."""

_ASKING = frozenset(
    map(
        bare,
        (
            "ask ask_human ask_user ask_for_help ask_question ask_user_question request_help respond message_user "
            "send_msg_to_user send_message_to_user ask_followup_question"
        ).split(),
    )
)
"""Those with which it speaks to its user, whose answer is no word of the agent."""

_ENTRY_WORDS = frozenset("event calendar meeting appointment issue ticket bug".split())
"""Words of the name of a tool that makes an entry with a title of its own, which many interfaces call summary."""

_EXPLAINING = frozenset(
    map(
        bare,
        (
            "thought thoughts thinking think reason reasons reasoning rationale memory note notes plan summary "
            "explanation explain goal goals next_goal current_goal justification reflection evaluation "
            "evaluation_previous_goal observation analysis intention intent progress conclusion todo todos remark "
            "remarks agent_comment agent_note why"
        ).split(),
    )
)
"""Names of arguments in which an agent explains itself."""

_EXPLAINING_ELSEWHERE = frozenset(
    map(
        bare,
        (
            "gedanke gedanken begründung überlegung überlegungen erklärung grund "
            "pensamiento pensamientos razonamiento razón razon motivo justificación explicación "
            "pensée pensées raisonnement raison justificatif explication réflexion "
            "pensiero pensieri ragionamento motivazione spiegazione "
            "pensamento raciocínio razão justificativa explicação "
            "gedachte gedachten redenering reden uitleg myśl myśli uzasadnienie powód wyjaśnienie "
            "tanke tankar motivering förklaring perustelu ajatus "
            "мысль мысли рассуждение рассуждения обоснование причина объяснение думка міркування пояснення "
            "düşünce düşünceler gerekçe sebep açıklama "
            "思考 想法 理由 推理 推論 原因 解释 解釋 反思 考え 考え方 説明 생각 사고 이유 추론 설명 "
            "فكرة تفكير التفكير السبب سبب تفسير विचार कारण तर्क מחשבה נימוק סיבה"
        ).split(),
    )
)
"""The same in other languages, in which those who write tools name their arguments as well."""

_NOTING_WORDS = frozenset("todo todos memory memories memorize memorise scratchpad".split())
"""Words of a tool's name that say that it keeps the agent's notes, whatever else the name says."""

_EXPLAINING_WORDS = frozenset(
    "thought thoughts thinking reasoning rationale justification reflection explanation hypothesis memorized".split()
)
"""Words of an argument's name that say that the agent explains itself there, whatever else the name says."""

_EXPLAINING_PHRASES = frozenset(
    map(
        bare,
        (
            "next_step next_steps next_action step_summary tool_summary status_update current_status task_progress "
            "progress_update memory_update final_answer_draft inner_monologue assessment self_assessment"
        ).split(),
    )
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")


_JSON = json.JSONEncoder(ensure_ascii=False)
_NESTED = (dict, list)
_DEEPEST = 60
"""Arguments nested more deeply are nobody's; below that depth objects and lists count as explanations."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A value kept from the trace side: its key, plane, route and size in characters."""

    key: str
    plane: Plane
    route: LeakRoute
    characters: int


def size_of(value: Any) -> int:
    """Return how many characters a value holds, written as JSON where it is not a text."""
    if isinstance(value, str):
        return len(value)
    try:
        return len(_JSON.encode(value))
    except RecursionError:
        return len(_JSON.encode(without_explanations(value)))


def is_narrating(name: str) -> bool:
    """Tell whether an action is a tool with which the agent only speaks."""
    return not _NARRATING.isdisjoint((bare(name), own_name(name))) or not _NOTING_WORDS.isdisjoint(_words(name))


def is_entry(name: str) -> bool:
    """Tell whether an action makes an entry, so that a summary among its arguments is the title of that entry."""
    return not _ENTRY_WORDS.isdisjoint(_words(name))


@lru_cache(maxsize=4096)
def _words(name: str) -> frozenset[str]:
    """Return the words of a name, in whatever way it puts them together."""
    return frozenset(word.casefold() for word in _WORDS.findall(name))


def asks(name: str) -> bool:
    """Tell whether an action is a tool that speaks to the user, so that what it returns may be the user's answer."""
    return not _ASKING.isdisjoint((bare(name), own_name(name))) or asks_by_name(name)


def explains(key: str) -> bool:
    """Tell whether an argument of this name is one in which an agent explains itself."""
    return _explains(key)


@lru_cache(maxsize=4096)
def _explains(key: str) -> bool:
    name = bare(key)
    known = name in _EXPLAINING or name in _EXPLAINING_PHRASES or name in _EXPLAINING_ELSEWHERE
    return known or not _EXPLAINING_WORDS.isdisjoint(_words(key))


def explained(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield place and value of every explanation below a value."""
    for key, item in _items(value):
        nested = isinstance(item, _NESTED)
        if _names_an_explanation(key) or (depth >= _DEEPEST and nested):
            yield str(key), item
        elif nested:
            yield from ((f"{key}.{place}", lost) for place, lost in explained(item, depth + 1))


def without_explanations(value: Any, depth: int = 0) -> Any:
    """Return a value without what stands under a name that explains, and without what is nested endlessly."""
    if not isinstance(value, _NESTED):
        return value
    kept = [
        (key, without_explanations(item, depth + 1) if isinstance(item, _NESTED) else item)
        for key, item in _items(value)
        if not _names_an_explanation(key) and (depth < _DEEPEST or not isinstance(item, _NESTED))
    ]
    return dict(kept) if isinstance(value, dict) else [item for _, item in kept]


def _names_an_explanation(key: str | int) -> bool:
    """Tell a name that explains from another one, and from a place in a list."""
    return isinstance(key, str) and explains(key)


def _items(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return cast(dict[str | int, Any], value).items()
    return enumerate(cast(list[Any], value)) if isinstance(value, list) else ()
