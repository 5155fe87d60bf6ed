"""Writing logs of spans in other words, in every layout that :mod:`tracewitness.intake.spans.log` reads."""

import json
from collections.abc import Iterator
from pathlib import Path

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadJsonError
from tracewitness.intake.reading_files import decode, read_bytes
from tracewitness.intake.retelling import copy_files
from tracewitness.intake.retelling_files import Retold, write_retold
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.spans.log import pieces_of


def retell_log(candidate: Candidate, folder: Path, retold: Retold) -> Path:
    """Write a log in other words, and return the file.

    Raises:
        IntakeError: The log cannot be read.
        OSError: Something cannot be written.
    """
    if candidate.shape is not Shape.JSON_LINES:
        try:
            _ = candidate.document
        except BadJsonError:
            return _retell_series(candidate, folder, retold)
    return write_retold(candidate, folder, retold)


def _retell_series(candidate: Candidate, folder: Path, retold: Retold) -> Path:
    folder.mkdir(parents=True)
    copy_files(candidate.path.parent, folder, sidecar_names(candidate.path))
    path = folder / candidate.path.name.removesuffix(".gz")
    path.write_text("".join(_told(candidate, retold)), encoding="utf-8")
    return path


def _told(candidate: Candidate, retold: Retold) -> Iterator[str]:
    """Yield the text piece by piece; objects go over several lines, so that the log is none of one value a line."""
    text = decode(read_bytes(candidate.path, candidate.limits.document), candidate.name).text
    at = 0
    for begin, end, value in pieces_of(text):
        if end > begin:
            yield text[at:begin] + json.dumps(retold(value), indent=4)
            at = end
    yield text[at:]
