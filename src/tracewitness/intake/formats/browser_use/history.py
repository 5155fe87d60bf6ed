"""The rounds of a browser-use history, brought to one shape whatever the generation."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from tracewitness.intake.errors import BadRunError, EmptyError
from tracewitness.intake.formats.browser_use.prompt import Salvage, browser_state

Json = Mapping[str, Any]

NOTHING = "none"
"""Name of an action object that names no action."""

_REQUEST, _REQUEST_END = "<user_request>", "</user_request>"
_FOLLOW_UP, _FOLLOW_UP_END = "<follow_up_user_request>", "</follow_up_user_request>"
_HISTORY = "<agent_history>"


class Generation(StrEnum):
    """The shapes of history files that were met."""

    PRE_RELEASE = "pre-release 2024-11 (result and action are objects)"
    NESTED = "0.1-0.2 (current_state)"
    FLAT = "0.3 and later (flat model_output)"
    CONVERSATION = "0.3 and later, a folder of conversation_<id>_<n>.txt"


@dataclass(frozen=True, slots=True)
class Round:
    """One round.

    Attributes:
        position: Its place in the list, from 0.
        number: The step number in the metadata, else position + 1.
        output: The model output without its actions (narration throughout); empty where the model gave none.
        has_output: False where the model gave no output, so that no action was taken.
        actions: Name and arguments of each action, in order.
        results: Results in order; may be shorter than the actions.
        state: What the browser showed before the round.
        message: The prompt of the round, empty where it was not kept.
        salvage: The browser state in the prompt.
        time: Epoch seconds of its start, None if unknown.
        source: The file it was read from, where a run is more than one file.
    """

    position: int
    number: int
    output: Json
    has_output: bool
    actions: tuple[tuple[str, Json], ...]
    results: tuple[Json, ...]
    state: Json
    message: str
    salvage: Salvage
    time: float | None
    source: str = ""

    @property
    def where(self) -> str:
        """The place in the file, or the file."""
        return self.source or f"history[{self.position}]"


def rounds_of(document: Any) -> tuple[Round, ...]:
    """Return the rounds of a parsed history file.

    Raises:
        EmptyError: It has none.
        BadRunError: A part has another type than in any known generation.
    """
    history = cast(list[Any], _keys(document, "the file").get("history"))
    if not history:
        raise nothing_happened()
    return tuple(round_of(item, at) for at, item in enumerate(history))


def nothing_happened() -> EmptyError:
    """Return the error for a history without rounds."""
    return EmptyError("the history is empty", "the run made no step; leave it out")


def generation_of(item: Any) -> Generation | None:
    """Return which generation wrote a round; None where it does not show."""
    if isinstance(item.get("result"), dict):
        return Generation.PRE_RELEASE
    output = item.get("model_output")
    if isinstance(output, dict):
        return Generation.NESTED if "current_state" in output else Generation.FLAT
    return None


def round_of(item: Any, position: int, source: str = "") -> Round:
    """Return one round.

    Raises:
        BadRunError: A part has another type than in any known generation.
    """
    where = source or f"history[{position}]"
    keys = _keys(item, where)
    metadata = _keys(keys.get("metadata"), f"{where}.metadata")
    output = dict(_keys(keys.get("model_output"), f"{where}.model_output"))
    actions = _items(output.pop("action", None), f"{where}.model_output.action")
    number, started = metadata.get("step_number"), metadata.get("step_start_time")
    message = keys.get("state_message")
    prompt = message if isinstance(message, str) else ""
    return Round(
        position=position,
        number=number if isinstance(number, int) and not isinstance(number, bool) else position + 1,
        output=output,
        has_output=keys.get("model_output") is not None,
        actions=tuple(_action(action, f"{where}.model_output.action[{at}]") for at, action in enumerate(actions)),
        results=tuple(_items(keys.get("result"), f"{where}.result")),
        state=_keys(keys.get("state"), f"{where}.state"),
        message=prompt,
        salvage=browser_state(prompt),
        time=started if isinstance(started, (int, float)) and not isinstance(started, bool) else None,
        source=source,
    )


def _keys(value: Any, where: str) -> Json:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRunError(f"key {where}: expected an object, found {type(value).__name__}", "check the file")
    return cast(Json, value)


def _items(value: Any, where: str) -> list[Json]:
    """Return a list of objects; the pre-release wrote a single object in its place."""
    if value is None:
        return []
    items: list[Any] = [value] if isinstance(value, dict) else cast(list[Any], value)
    if not isinstance(value, (dict, list)):
        raise BadRunError(f"key {where}: expected a list, found {type(value).__name__}", "check the file")
    return [_keys(item, f"{where}[{at}]") for at, item in enumerate(items)]


def _action(action: Json, where: str) -> tuple[str, Json]:
    """Return the one action of an object; keys with null are actions that were not taken (older dumps write them)."""
    taken = [(name, value) for name, value in action.items() if value is not None]
    if not taken:
        return NOTHING, {}
    name, value = taken[0]
    if len(taken) > 1:
        raise BadRunError(f"key {where}: expected one action, found {len(taken)}", "check the file")
    return name, cast(Json, value) if isinstance(value, dict) else {"value": value}


def task_of(first: Round) -> str | None:
    """Return the user request in a prompt: the first one that was kept. Of follow-ups it is the last.

    Nothing the agent said stands in the prompt of the first round. Where that one was not kept, the request counts only
    ahead of the agent's history, which may hold any words.
    """
    opening = first.position == 0 and first.number <= 1
    asked = _asked(first.message if opening else _ahead(first.message))
    _, found, rest = asked.rpartition(_FOLLOW_UP)
    return (rest.partition(_FOLLOW_UP_END)[0] if found else asked).strip() or None


def follow_ups_in(item: Any) -> int:
    """Return how many requests of the user came after the first one, by the prompt of a round as a history holds it."""
    message = cast(dict[str, Any], item).get("state_message") if isinstance(item, dict) else None
    return _asked(_ahead(message)).count(_FOLLOW_UP) if isinstance(message, str) else 0


def _ahead(message: str) -> str:
    """Return what of a prompt stands ahead of all that the agent may have said."""
    return message.partition(_HISTORY)[0]


def _asked(text: str) -> str:
    _, opened, rest = text.partition(_REQUEST)
    asked, closed, _ = rest.partition(_REQUEST_END)
    return asked if opened and closed else ""
