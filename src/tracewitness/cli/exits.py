"""Exit codes, the same for every verb."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a verb's exit code says."""

    CLEAR = 0
    INTERNAL = 1
    USAGE = 2
    NOTHING_AUDITED = 3
    FLAGGED = 10
    TO_REVIEW = 11
    INTERRUPTED = 130
    BROKEN_PIPE = 141
