"""The document on formats names what is read, and its commands exist."""

import re
from pathlib import Path
from typing import Any

from tracewitness.intake.authoring import Grammar
from tracewitness.intake.formats import built_in

PAGE = (Path(__file__).parents[1] / "docs" / "formats.md").read_text("utf-8")


def test_every_format_has_a_line() -> None:
    outside_of_examples = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `([a-z0-9_]+)` \|", outside_of_examples, re.MULTILINE)
    assert rows == sorted(one.name for one in built_in())


def test_the_grammar_of_the_document_reads_its_agent() -> None:
    (code,) = re.findall(r'^```python\n("""The actions of mytool.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
    made: dict[str, Any] = {}
    exec(compile(code, "my_package/actions.py", "exec"), made)
    grammar: Grammar = made["my_grammar"]()
    parsed, opened = grammar.parse("I look.\nDO click Save\n"), grammar.open("SEEN button Save")
    assert parsed is not None and opened is not None
    assert [(one.name, dict(one.arguments)) for one in parsed.calls] == [("click", {"target": "Save"})]
    assert (parsed.words, opened.seen) == ("I look.", "button Save")
    assert grammar.parse("I look.") is None
    assert grammar.open("Save it.") is None
