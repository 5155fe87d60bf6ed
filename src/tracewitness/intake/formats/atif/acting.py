"""What an agent did in one step: the calls that the log holds apart, or those that stand in its message."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.finishing import is_finish_like
from tracewitness.intake.grammars import command_batches, function_tags
from tracewitness.intake.own_words import is_narrating
from tracewitness.intake.untyped import objects_of, text_of

UNPARSED = "unparsed"
"""The kind of a message that the environment answered and in which no call can be told."""

REFUSED = "Previous response had parsing errors"
"""How the answer begins to a message that was not understood, so that nothing was carried out."""


@dataclass(frozen=True, slots=True)
class Acted:
    """The calls of a step, each with an id of its own, and the words around them."""

    calls: tuple[Call, ...]
    words: str


def acted(step: dict[str, Any], message: str, where: str, answered: Sequence[str]) -> Acted:
    """Return what the agent of a step did.

    Args:
        step: The step.
        message: Its message.
        where: Its place.
        answered: What the environment answered, by result.
    """
    given = objects_of(step.get("tool_calls"))
    if given:
        return Acted(tuple(_of_log(given, where)), message)
    if answered and answered[0].startswith(REFUSED):
        return Acted((Call(UNPARSED, {}, f"{where}#0"),), message)
    parsed = function_tags.parse(message) or command_batches.parse(message)
    if parsed is not None:
        calls = tuple(Call(one.name, one.arguments, f"{where}#{at}") for at, one in enumerate(parsed.calls))
        return Acted(calls, parsed.words)
    return Acted((Call(UNPARSED, {}, f"{where}#0"),) if answered else (), message)


def _of_log(given: list[dict[str, Any]], where: str) -> Iterator[Call]:
    for at, call in enumerate(given):
        yield call_of(text_of(call.get("function_name")) or "tool", call.get("arguments"), f"{where}#{at}")


def log_ids(step: dict[str, Any], where: str) -> dict[str, str]:
    """Return the ids that the log gives to the calls of a step, each with the one that stands for it here."""
    given = objects_of(step.get("tool_calls"))
    return {text_of(call.get("tool_call_id")): f"{where}#{at}" for at, call in enumerate(given)}


def addressees(calls: Sequence[Call], count: int, kinds: frozenset[str]) -> list[str | None]:
    """Return which calls results without an address answer.

    As many as there are calls answer them in order. Else they came after the last call that acted: a batch of commands
    has one screen, seen when all were typed.
    """
    if len(calls) == count:
        return [call.id for call in calls]
    acting = [call.id for call in calls if not is_finish_like(call.name, kinds) and not is_narrating(call.name)]
    last = acting[-1] if acting else (calls[-1].id if calls else None)
    return [last] * count
