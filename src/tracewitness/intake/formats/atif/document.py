"""An ATIF document: which version it says it is, and whether it is one that is read."""

import re
from typing import Any

from tracewitness.intake.errors import BadRunError
from tracewitness.intake.untyped import object_of, text_of

PREFIX = "ATIF-"
NEWEST = 8
VERSIONS = tuple(f"ATIF-v1.{minor}" for minor in range(NEWEST + 1))
WRITTEN_VERSION = VERSIONS[7]
"""The version that is written: the first whose results and calls may carry ``extra``."""

_VERSION = re.compile(r"ATIF-v1\.(\d{1,3})")
_SHOWN = 60


def is_atif(value: Any) -> bool:
    """Tell whether a value is an ATIF document, of whatever version."""
    return text_of(object_of(value).get("schema_version")).startswith(PREFIX)


def version_of(document: dict[str, Any]) -> tuple[str, str | None]:
    """Return the version of a document, and a notice where it is newer than those that are known.

    Raises:
        BadRunError: The version is of another generation, or none at all.
    """
    version = text_of(document.get("schema_version"))
    found = _VERSION.fullmatch(version)
    if found is None:
        known = f"ATIF-v1.0 to {VERSIONS[-1]}"
        raise BadRunError(
            f"schema_version {version[:_SHOWN]!r} is not known, expected {known}",
            "write the trajectory in one of these versions",
            where="key schema_version",
        )
    if int(found.group(1)) <= NEWEST:
        return version, None
    return version, f"{version} is newer than {VERSIONS[-1]}, the newest that is known: fields may be left out"
