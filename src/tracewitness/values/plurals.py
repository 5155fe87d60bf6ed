"""Numbers with their noun, as they are told to people."""


def plural(count: int, noun: str) -> str:
    """Return ``1 file``, ``2 files``; only for nouns whose plural is an added s."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
