"""What people dump around the messages of a chat, taken off: lists, requests with responses, growing bodies, chains.

A body of a request repeats all that was said before. So of bodies that grow out of each other the longest one is the
conversation, with the answer to it. Requests that name the response before them are put behind it instead.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tracewitness.intake.chats.dialect import Dialect, Message, Placed
from tracewitness.intake.own_words import size_of
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_REQUESTS = ("request", "body", "kwargs", "params")
_ANSWERS = ("response", "body", "completion", "result", "output")
_SEVERAL = ("responses", "calls", "exchanges", "requests", "conversations", "turns")
_INSTRUCTIONS = ("system", "instructions")
_PARAMETERS = frozenset(
    (
        "id object model created created_at usage tools tool_choice parallel_tool_calls temperature top_p top_k n seed "
        "stop stop_sequences stop_reason stop_sequence stream max_tokens max_completion_tokens max_output_tokens betas "
        "anthropic_version reasoning reasoning_effort truncation include store previous_response_id status type role "
        "content service_tier choices custom_id method url error incomplete_details parent text user session_id "
        "run_id task_id timestamp"
    ).split()
)
"""What a request or response holds besides messages, and what names a run; the rest is of whoever wrote the dump."""

_LOOKED_BACK = 20
_KEY_LENGTH = 400

Key = tuple[str, ...]


@dataclass(slots=True)
class Chat:
    """The messages of one run.

    Attributes:
        place: Its place in the file; empty where the file is one run.
        request: Its messages without the answer to the last request.
        answer: The answer to the last request.
        model: The model that the dump names.
        stripped: What stands beside the messages.
        refused: Why it cannot be read as a run; empty where it can.
        previous: The id of the response that it goes on from; empty where it begins a conversation.
        response: The id of its last response.
        keys: What tells its messages apart, once that was asked for.
    """

    place: str
    request: list[Placed] = field(default_factory=list[Placed])
    answer: list[Placed] = field(default_factory=list[Placed])
    model: str = ""
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    refused: str = ""
    previous: str = ""
    response: str = ""
    keys: list[Key] | None = None

    def known_keys(self) -> list[Key]:
        """Return what tells its messages apart."""
        if self.keys is None:
            self.keys = _keys(self.request)
        return self.keys

    @property
    def messages(self) -> list[Placed]:
        """All messages, in order."""
        return [*self.request, *self.answer]


def chats_in(value: Any, dialect: Dialect) -> list[Chat]:
    """Return the chats of a JSON document."""
    return list(merged(_exchanges(value, dialect)))


def _exchanges(value: Any, dialect: Dialect) -> Iterator[Chat]:
    if isinstance(value, dict):
        yield from _of_object(object_of(value), "", dialect)
        return
    items = list_of(value)
    if any(dialect.is_message(item) for item in items[:5]):
        yield Chat("", list(_placed(items, "", dialect)))
        return
    for at, item in enumerate(items):
        place = f"[{at}]"
        if isinstance(item, list):
            yield Chat(place, list(_placed(list_of(item), place, dialect)))
        elif isinstance(item, dict):
            yield from _of_object(object_of(item), place, dialect)


def _of_object(value: Message, place: str, dialect: Dialect) -> Iterator[Chat]:
    found = exchange(value, place, dialect)
    if found.messages:
        yield found
        return
    for key in _SEVERAL:
        for at, item in enumerate(objects_of(value.get(key))):
            inner = exchange(item, _below(place, f"{key}[{at}]"), dialect)
            if inner.messages:
                yield inner


def exchange(value: Message, place: str, dialect: Dialect) -> Chat:
    """Return a request with its response, either of them alone, or a dump of messages under a key."""
    chat = Chat(place)
    for below, held in ((place, value), *_held(value, place, _REQUESTS)):
        if not chat.request:
            chat.request = list(_listed(held, below, dialect))
        chat.previous = chat.previous or text_of(held.get("previous_response_id"))
        chat.model = chat.model or text_of(held.get("model"))
    answered = [*_held(value, place, _ANSWERS), (place, value)]
    for below, held in [*(one for pair in answered for one in _held(pair[1], pair[0], ("body",))), *answered]:
        answers = dialect.answers(held)
        if answers and not chat.answer:
            chat.answer = [Placed(_below(below, name), message) for name, message in answers]
            chat.response = text_of(held.get("id"))
            chat.previous = chat.previous or text_of(held.get("previous_response_id"))
    if not chat.answer and "output" not in dialect.lists:
        chat.answer = list(_placed(list_of(value.get("output")), _below(place, "output"), dialect))
    chat.stripped = list(_beside(value, place, dialect))
    return chat


def _held(value: Message, place: str, keys: Iterable[str]) -> list[tuple[str, Message]]:
    return [(_below(place, key), object_of(value[key])) for key in keys if isinstance(value.get(key), dict)]


def _listed(value: Message, place: str, dialect: Dialect) -> Iterator[Placed]:
    for key in dialect.lists:
        held = value.get(key)
        if key == "input" and isinstance(held, str):
            yield Placed(_below(place, key), {"role": "user", "content": held})
            return
        found = list(_placed(list_of(held), _below(place, key), dialect))
        if found:
            yield from found
            return


def _placed(items: Sequence[Any], place: str, dialect: Dialect) -> Iterator[Placed]:
    for at, item in enumerate(items):
        if dialect.is_message(item):
            yield Placed(f"{place}[{at}]" if place else f"messages[{at}]", object_of(item))


def _below(place: str, key: str) -> str:
    return ".".join(filter(None, (place, key)))


def _beside(value: Message, place: str, dialect: Dialect) -> Iterator[Stripped]:
    known = _PARAMETERS | {*dialect.lists, *_REQUESTS, *_ANSWERS, *_SEVERAL}
    for key, held in value.items():
        if key in _INSTRUCTIONS:
            yield Stripped(_below(place, key), Plane.TASK, LeakRoute.NONE, size_of(held))
        elif key not in known and held not in (None, "", [], {}):
            yield Stripped(_below(place, key), Plane.GRADING, LeakRoute.GRADING_ECHO, size_of(held))


class Merging:
    """Puts exchanges together to the conversations that they are of, with a bounded number of them in memory."""

    def __init__(self) -> None:
        self._chats: list[Chat] = []

    def add(self, one: Chat) -> Iterator[Chat]:
        """Add an exchange; yield the conversation that is too far back to go on."""
        if one.previous:
            self._chain(one)
        else:
            self._grow(one)
        if len(self._chats) > _LOOKED_BACK:
            yield self._chats.pop(0)

    def end(self) -> list[Chat]:
        """Return the conversations that are left."""
        return self._chats

    def _chain(self, one: Chat) -> None:
        before = next((chat for chat in reversed(self._chats) if chat.response == one.previous), None)
        if before is None:
            one.keys = []  # nothing grows out of it
            one.refused = f"it goes on from the response {one.previous[:80]}, which is not in this file"
            self._chats.append(one)
            return
        before.known_keys()
        before.request += [*before.answer, *one.request]
        before.answer, before.response = one.answer, one.response
        before.stripped += one.stripped

    def _grow(self, one: Chat) -> None:
        for at in range(len(self._chats) - 1, -1, -1):
            chat = self._chats[at]
            before, after = chat.known_keys(), one.known_keys()
            if not before or not after:
                continue
            if _begins(before, after) or (before == after and one.answer):
                one.place = chat.place
                one.stripped = [*chat.stripped, *one.stripped]
                self._chats[at] = one
                return
            if _begins(after, before):
                chat.stripped += one.stripped
                return
        self._chats.append(one)


def merged(exchanges: Iterable[Chat]) -> Iterator[Chat]:
    """Yield the conversations that exchanges are of."""
    merging = Merging()
    for one in exchanges:
        yield from merging.add(one)
    yield from merging.end()


def _begins(short: Sequence[Key], whole: Sequence[Key]) -> bool:
    return len(short) < len(whole) and whole[: len(short)] == short


def _keys(messages: Sequence[Placed]) -> list[Key]:
    """Return what tells messages apart, without pictures, which later bodies leave out."""
    return [_key(one.message) for one in messages]


def _key(message: Message) -> Key:
    content = message.get("content")
    words = content if isinstance(content, str) else _words(content)
    calls = [
        text_of(call.get("id")) + text_of(object_of(call.get("function")).get("name"))
        for call in objects_of(message.get("tool_calls"))
    ]
    ids = [text_of(message.get(name)) for name in ("type", "tool_call_id", "call_id", "name")]
    return (text_of(message.get("role")), words[:_KEY_LENGTH], *ids, *calls)


def _words(content: Any) -> str:
    parts = objects_of(content)
    return "\n".join(
        "".join(text_of(part.get(key)) for key in ("text", "id", "tool_use_id", "thinking")) for part in parts
    )
