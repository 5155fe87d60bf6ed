"""Who a message is by, in the words of providers and frameworks."""

from typing import Any

from tracewitness.intake.turns import Speaker
from tracewitness.intake.untyped import text_of

ROLES = {
    "system": Speaker.SYSTEM,
    "developer": Speaker.SYSTEM,
    "human": Speaker.USER,
    "user": Speaker.USER,
    "assistant": Speaker.AGENT,
    "ai": Speaker.AGENT,
    "model": Speaker.AGENT,
    "tool": Speaker.TOOL,
    "function": Speaker.TOOL,
}
ITEMS = {
    "function_call": Speaker.AGENT,
    "computer_call": Speaker.AGENT,
    "custom_tool_call": Speaker.AGENT,
    "reasoning": Speaker.AGENT,
    "function_call_output": Speaker.TOOL,
    "computer_call_output": Speaker.TOOL,
    "custom_tool_call_output": Speaker.TOOL,
}
"""Items of the Responses interface that have a type and no role."""


def speaker_of(keys: dict[str, Any]) -> Speaker | None:
    """Return who an object is a message of; None where it is no message."""
    role = text_of(keys.get("role")).casefold()
    if role in ROLES:
        return ROLES[role]
    kind = text_of(keys.get("type"))
    if kind in ITEMS:
        return ITEMS[kind]
    bare = kind.casefold().removesuffix("chunk").removesuffix("message")
    return ROLES.get(bare) if "content" in keys else None
