"""The browser state in a prompt of browser-use, told from the agent's words around it.

A prompt is one text. Its sections stand in this order, each tag on its own line: ``user_request``, ``agent_history``,
``agent_state`` (older prompts hold the request in it), ``browser_state``, then ``read_state`` where the agent has just
read something, then ``step_info``. History and agent state ahead of the browser state and the read state behind it hold
the agent's words, which may imitate any tag. What stands between is the environment's.

So the state begins behind the last end of an agent state, and ends ahead of the read state. Ahead of which one, the
text alone may leave open, since a line ``<read_state>`` may stand in any of the sections. Every reading that a prompt
can have is then tried, and a state is taken only where all of them find the same one: the true reading is among them,
so no words of the agent are ever taken for the state.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# The line end ahead of a tag makes the search as fast as one for two characters; the text gets one put in front.
_TAG = re.compile(r"\n<(/?)(agent_history|agent_state|browser_state|read_state)>[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Salvage:
    """The browser state in a prompt.

    Attributes:
        text: The state; None where there is none.
        ambiguous: Its bounds cannot be told, so that none was taken.
        bounds: Where its section stands, tags included.
    """

    text: str | None
    ambiguous: bool = False
    bounds: tuple[int, int] | None = None


_NONE, _DOUBTFUL = Salvage(None), Salvage(None, ambiguous=True)


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag that stands alone on its line: ``agent_state`` opens, ``/agent_state`` closes."""

    name: str
    start: int
    end: int


def browser_state(message: str) -> Salvage:
    """Take the browser state out of a prompt; what is in doubt is left out, so doubt can cost evidence and add none."""
    if "browser_state>" not in message:
        return _NONE
    tags = [_Tag(found[1] + found[2], found.start(), found.end() - 1) for found in _TAG.finditer(f"\n{message}")]
    if not any(tag.name.endswith("browser_state") for tag in tags):
        return _NONE
    found = set(_readings(message, tags))
    return found.pop() if len(found) == 1 else _DOUBTFUL


def state_bounds(message: str) -> tuple[int, int] | None:
    """Return where the section of the browser state stands in a prompt, tags included; None where that is in doubt."""
    return browser_state(message).bounds


def _readings(message: str, tags: list[_Tag]) -> Iterator[Salvage]:
    """Yield the state for every place at which the read state may begin, and for none where the prompt has none.

    A prompt with a read state ends it below everything else, so it is the last of the tags. One that does not may still
    have been cut off within it; but then the part ahead of it is a whole prompt.
    """
    closed = tags[-1].name == "/read_state"
    if not closed:
        yield _state_of(message, tags)
    for at, tag in enumerate(tags):
        ahead = tags[:at]
        if tag.name != "read_state" or not any(before.name == "/agent_state" for before in ahead):
            continue  # no prompt has a read state ahead of the end of the agent state: the line is the agent's
        reading = _state_of(message, ahead)
        if closed or reading.text is not None:
            yield reading


def _state_of(message: str, tags: list[_Tag]) -> Salvage:
    """Return the state behind the last end of an agent state, where nothing stands between and only reading below."""
    last = max((at for at, tag in enumerate(tags) if tag.name == "/agent_state"), default=None)
    if last is None:
        return _DOUBTFUL
    below = tags[last + 1 :]
    if not below:
        return _NONE
    names = [tag.name for tag in below]
    if names[:2] != ["browser_state", "/browser_state"] or names[2:3] not in ([], ["read_state"]):
        return _DOUBTFUL
    opened, closed = below[:2]
    if message[tags[last].end : opened.start].strip():
        return _DOUBTFUL
    text = message[opened.end : closed.start].strip("\n") or None
    return Salvage(text, bounds=(opened.start, closed.end))
