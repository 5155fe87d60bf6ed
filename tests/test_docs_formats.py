"""The document on formats names what is read, and its commands exist."""

import re
from pathlib import Path

from tracewitness.intake.formats import built_in

PAGE = (Path(__file__).parents[1] / "docs" / "formats.md").read_text("utf-8")


def test_every_format_has_a_line() -> None:
    rows = re.findall(r"^\| `([a-z0-9_]+)` \|", PAGE, re.MULTILINE)
    assert rows == sorted(one.name for one in built_in())
