"""The pictures of a trace: by name and digest, each read once."""

from tracewitness.intake.formats.playwright.members import Members
from tracewitness.trace_side.trace import Screenshot


class Pictures:
    """Finds the pictures that a recording names.

    Args:
        members: The files of the trace.
        in_archive: They lie in a zip file; their names then begin with the mark of a place in the log itself.
        prefix: The name of that zip file, where it is not the log.
    """

    def __init__(self, members: Members, *, in_archive: bool, prefix: str = "") -> None:
        self._members = members
        self._mark = f"{prefix}!" if in_archive else ""
        self._known: dict[str, Screenshot] = {}
        self.missing: list[str] = []

    def shoot(self, file: str) -> Screenshot:
        """Return the screenshot in a file; without digest where it is missing, which is remembered."""
        if file not in self._known:
            digest = self._members.digest_of_member(file) if _is_plain(file) else None
            if digest is None:
                self.missing.append(file[:200])
            self._known[file] = Screenshot(f"{self._mark}{file}", digest)
        return self._known[file]


def _is_plain(file: str) -> bool:
    return not file.startswith("/") and ".." not in file.split("/") and "\\" not in file and len(file) <= 1000
