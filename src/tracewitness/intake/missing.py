"""One notice a run for the files that its log names and that are not there."""

from collections.abc import Iterable

from tracewitness.values.plurals import plural

_ENDING = "missing or cannot be read"


def missing_notice(noun: str, names: Iterable[str]) -> str | None:
    """Return the notice for files of one kind, with their count and the first of them; None where there are none.

    Args:
        noun: The kind, such as ``screenshot``; its plural is an added s.
        names: Their names as the log gives them; one that stands at several steps counts once.
    """
    distinct = list(dict.fromkeys(names))
    if not distinct:
        return None
    verb = "is" if len(distinct) == 1 else "are"
    first = f" ({distinct[0]})" if len(distinct) == 1 else f" (the first: {distinct[0]})"
    return f"{plural(len(distinct), noun)}{first} {verb} {_ENDING}"


def tells_missing_files(notice: str) -> bool:
    """Tell whether a notice is one of these."""
    return notice.endswith(_ENDING)
