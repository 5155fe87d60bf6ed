"""Fences around text that a model must read as data.

The mark is derived from the text itself, so the same text gives the same prompt and the same cache key on every
machine, and it is chosen so that it does not occur in the text: nothing inside can close the fence.
"""

from tracewitness.values.digests import digest_text

_MARK_LENGTH = 16


def fence(text: str, label: str) -> str:
    """Return the text between two lines that carry a mark which does not occur in it.

    Args:
        text: The text to be read as data.
        label: What it is, such as ``report``; a plain word.
    """
    mark = fence_mark(text, label)
    return f"<<<{label} {mark}\n{text}\n{mark} {label}>>>"


def fence_mark(text: str, label: str) -> str:
    """Return the 16 hex digits that mark the fence of this text."""
    attempt = 0
    while True:
        mark = digest_text(f"{attempt}\n{label}\n{text}").removeprefix("sha256:")[:_MARK_LENGTH]
        if mark not in text:
            return mark
        attempt += 1
