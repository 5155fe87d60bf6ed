"""What code printed, without the texts that it was written to print, which are the agent's own words."""

import json
import re
from collections.abc import Iterator, Sequence

_BETWEEN = re.compile(r"\{[^{}\n]{0,60}\}|%[-+ #0-9.]{0,12}[sdrfixgc]|\\[ntr]|[\n\r\0]")
"""What stands in a text for a value, or ends its line."""
_LONG, _WORDS = 12, 2
_MOST = 400_000_000
"""Characters that are looked through for all the texts of one call together."""


def without_printed(output: str, words: Sequence[str]) -> str:
    """Return an output without the texts that the code says; nothing of it where these are too many to look for.

    A long text, or one of several words, is taken out wherever it stands; a single short word only where it is a whole
    line, for the environment uses it as well. Lines without anything on them go too, so that it cannot be told how many
    were taken out.

    Args:
        output: What the environment showed.
        words: The texts that stood in the code.
    """
    if not words or not output.strip():
        return output
    texts = sorted(set(_texts(words)), key=lambda one: (-len(one), one))
    forms = [form for one in texts if _is_long(one) for form in _forms(one)]
    if len(forms) * len(output) > _MOST:
        return ""
    kept = output
    for form in forms:
        kept = kept.replace(form, "")
    short = {form for one in texts if not _is_long(one) for form in _forms(one)}
    lines = (line for line in kept.split("\n") if line.strip() and line.strip() not in short)
    return "\n".join(lines)


def _texts(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        for part in _BETWEEN.split(word):
            bare = part.strip()
            if any(letter.isalnum() for letter in bare):
                yield bare


def _is_long(text: str) -> bool:
    return len(text) >= _LONG or len(text.split()) >= _WORDS


def _forms(text: str) -> Iterator[str]:
    """Yield a text as it may be printed: in other cases, and as JSON or Python write it."""
    for cased in dict.fromkeys((text, text.upper(), text.lower(), text.title(), text.capitalize())):
        yield from dict.fromkeys((cased, json.dumps(cased)[1:-1], json.dumps(cased, ensure_ascii=False)[1:-1]))
