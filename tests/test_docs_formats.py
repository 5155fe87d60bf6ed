"""The document on formats names what is read, and its commands exist."""

import re
from pathlib import Path

from tracewitness.intake.formats import built_in

PAGE = (Path(__file__).parents[1] / "docs" / "formats.md").read_text("utf-8")


def test_every_format_has_a_line() -> None:
    outside_of_examples = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `([a-z0-9_]+)` \|", outside_of_examples, re.MULTILINE)
    assert rows == sorted(one.name for one in built_in())
