"""Code as text without the words in it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BareText:
    """Code without what the agent says in it.

    Attributes:
        text: The code; the very text where nothing is said in it.
        words: What was said, in order: comments, printed texts, messages of errors.
    """

    text: str
    words: tuple[str, ...] = ()
