"""Words that a program puts into a conversation in the user's name: summaries, reminders, messages of other agents.

They repeat what the agent said, thought or planned, so they are neither the task nor evidence. A program marks them by
tags or by how it opens; both are taken as the programs write them. A text that only imitates them is left out as well,
which costs evidence and never adds any.
"""

import re

from tracewitness.values.folding import fold_spaces

_TAGS = (
    "system-reminder",
    "task-notification",
    "teammate-message",
    "conversation_summary",
    "conversation-summary",
    "conversation summary",
    "local-command-caveat",
    "user-prompt-submit-hook",
)
# From the first opening tag to the last closing one: what stands between may hold such tags itself. One that is never
# closed reaches to the end.
_TAGGED = tuple(
    (tag, re.compile(rf"<{tag}(?:\s[^<>]{{0,200}})?>", re.IGNORECASE), re.compile(rf"</{tag}\s{{0,9}}>", re.IGNORECASE))
    for tag in _TAGS
)
_OPENINGS = (
    "this session is being continued from a previous conversation",
    "here is a summary of the conversation to date",
    "here is a summary of the conversation so far",
    "another language model started to solve this problem",
    "stop hook feedback:",
    "the conversation history before this point was compacted",
)
_LOOKED_AT = 400


def is_retold_past(text: str) -> bool:
    """Tell whether a text opens as a program's summary of the conversation does."""
    return fold_spaces(text[:_LOOKED_AT]).strip().casefold().startswith(_OPENINGS)


def without_machine_words(text: str) -> str:
    """Return a text without what stands in the tags of programs."""
    if "<" not in text:
        return text
    folded = text.casefold()
    for tag, opening, closing in _TAGGED:
        if f"<{tag}" not in folded:
            continue
        found = opening.search(text)
        if found is not None:
            ends = [end.end() for end in closing.finditer(text, found.end())]
            text = text[: found.start()] + (text[ends[-1] :] if ends else "")
            folded = text.casefold()
    return text
