"""Answers by which a program says that it did not carry a call out: a user refused it, or the call was malformed.

They are told by how they open, as the programs write them. Whoever imitates such an opening makes an action count for
less, never for more.
"""

import re

_OPENINGS = (
    "the user doesn't want to proceed with this tool use",
    "the user doesn't want to take this action right now",
    "[request interrupted by user for tool use]",
    "<tool_use_error>inputvalidationerror",
    "<tool_use_error>error: no such tool available",
    "inputvalidationerror:",
    "user rejected tool use",
    "error: no such tool available",
    "unknown tool",
    "error: unknown tool",
    "error parsing the following tool call arguments",
)
_NO_TOOL = re.compile(r"(?:error: )?\S{1,100} is not a valid tool, try one of ")
_DENIED = re.compile(r"permission to use .{1,100} has been denied")
_LOOKED_AT = 300


def was_not_carried_out(text: str) -> bool:
    """Tell whether an answer says that the call was not carried out."""
    opening = text[:_LOOKED_AT].lstrip().replace("\u2019", "'").casefold()
    return opening.startswith(_OPENINGS) or any(one.match(opening) for one in (_NO_TOOL, _DENIED))
