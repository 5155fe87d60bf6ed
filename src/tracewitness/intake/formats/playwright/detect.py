"""Telling a Playwright trace by what its recording begins with."""

from itertools import islice
from typing import Any, cast

from tracewitness.intake.archives import names_of_archive
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.playwright.members import Members, opened_members, trace_names
from tracewitness.intake.reading_files import decode, parse_json

_LINES = 3


def detect(candidate: Candidate) -> Verdict:
    """Say yes to a zip file or a folder with a recording that begins with its context.

    Raises:
        IntakeError: The zip file is damaged or unsafe.
    """
    names = candidate.files if candidate.shape is Shape.FOLDER else names_of_archive(candidate.path, candidate.limits)
    if not any(name.endswith(".trace") for name in names):
        return Verdict(False, "no zip file or folder with a .trace in it")
    with opened_members(candidate.path, candidate.limits) as members:
        return _detect_in(members)


def _detect_in(members: Members) -> Verdict:
    met: IntakeError | None = None
    for name in trace_names(members):
        try:
            if _begins_with_context(members, name):
                return Verdict(True, f"{name} begins with context-options")
        except IntakeError as error:
            met = error
    if met is not None:
        raise met  # it is not known to be another kind of file
    return Verdict(False, "no .trace in it begins with context-options")


def _begins_with_context(members: Members, name: str) -> bool:
    for line in islice(members.lines_of_member(name), _LINES):
        try:
            value: Any = parse_json(decode(line.content).text)
        except IntakeError:
            return False
        if isinstance(value, dict) and cast(dict[str, Any], value).get("type") == "context-options":
            return True
    return False
