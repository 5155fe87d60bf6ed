"""Files of converted runs: all in one, a line each, or one file a run in a folder."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop

Put = Callable[[str, Mapping[str, Any]], None]
"""Takes the id of a run and what is to be written of it."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 120


def as_lines(sink: TextIO) -> Put:
    """Return what writes each run as a line."""

    def put(_: str, document: Mapping[str, Any]) -> None:
        sink.write(json.dumps(document, allow_nan=False) + "\n")

    return put


def as_files(folder: Path) -> Put:
    """Return what writes each run as a file of its own, named by its id; a name that is taken gets a number."""

    def put(run_id: str, document: Mapping[str, Any]) -> None:
        stem = _UNSAFE.sub("_", run_id).lstrip(".")[:_LONGEST] or "run"
        path, number = folder / f"{stem}.json", 1
        try:
            while True:
                try:
                    with path.open("x", encoding="utf-8", newline="\n") as sink:
                        sink.write(json.dumps(document, allow_nan=False, indent=1) + "\n")
                    return
                except FileExistsError:
                    number += 1
                    path = folder / f"{stem}-{number}.json"
        except OSError as error:
            raise Stop(f"{path}: cannot be written ({error.strerror})", ExitCode.INTERNAL) from error

    return put
