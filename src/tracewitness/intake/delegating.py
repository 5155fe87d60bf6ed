"""Tools by which an agent hands work over to another agent: what it tells it, and what comes back, are agents' words.

What the other agent did is evidence where the log has its steps. A person or a bank account to which something is
transferred is no agent.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from tracewitness.intake.finishing import bare, own_name
from tracewitness.intake.own_words import explains

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NAMES = frozenset(
    map(
        bare,
        (
            "subagent sub_agent new_task run_agent call_agent dispatch_agent spawn_agent launch_agent "
            "run_subagent run_sub_agent call_sub_agent call_subagent spawn_subagent invoke_agent invoke_subagent "
            "sessions_spawn ask_agent start_agent send_to_agent assign_task_to_agent delegate_to_agent "
            "delegate_work_to_coworker ask_question_to_coworker task_output agent_output_tool"
        ).split(),
    )
)
_HANDING_WORDS = frozenset("subagent subagents coworker coworkers".split())
_MAY_DELEGATE = frozenset("task agent delegate delegatetask delegatework".split())
_MAY_HAND_WORDS = frozenset("handoff delegate delegation".split())
"""Names, and words of names, of which the arguments tell whether another agent is meant."""
_HANDING_OVER = ("handoff", "handoffto", "handover", "handoverto", "transferto", "transferbackto")
_PERSONS = frozenset("human humans person operator support representative".split())
_TOLD = frozenset(
    map(
        bare,
        (
            "task request reason message messages query question input agent agent_name assistant context instruction "
            "instructions prompt description task_description state tool_call_id name content text handoff_message "
            "subagent_type team_name coworker model run_in_background"
        ).split(),
    )
)
_BRIEFS = frozenset(map(bare, "task request prompt instruction instructions question task_description".split()))


def is_told(key: str) -> bool:
    """Tell whether an argument of this name is what another agent is told, where one is known to be behind a tool."""
    return bare(key) in _BRIEFS


def delegates(name: str, arguments: Mapping[str, Any]) -> bool:
    """Tell whether a call hands work, or the whole conversation, over to another agent.

    Args:
        name: The tool.
        arguments: Its arguments; nothing but their keys counts.
    """
    words = _words(name)
    if not _PERSONS.isdisjoint(words):
        return False
    if own_name(name) in _NAMES or not _HANDING_WORDS.isdisjoint(words) or {"sub", "agent"} <= words:
        return True
    may = own_name(name) in _MAY_DELEGATE or not _MAY_HAND_WORDS.isdisjoint(words)
    return (may and _tells(arguments)) or hands_over(name, arguments)


def hands_over(name: str, arguments: Mapping[str, Any]) -> bool:
    """Tell whether another agent goes on in the same conversation, so that what it does stands in this log."""
    words = _words(name)
    if not _PERSONS.isdisjoint(words) or not own_name(name).startswith(_HANDING_OVER):
        return False
    return "agent" in words or _tells(arguments)


def _tells(arguments: Mapping[str, Any]) -> bool:
    """Tell whether arguments name nothing but an agent and what it is told."""
    return all(bare(key) in _TOLD or explains(key) for key in arguments)


@lru_cache(maxsize=4096)
def _words(name: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORDS.findall(name))
