"""The data that a report page embeds, each run in a script element of its own. Nothing of the page is run."""

import re
from collections.abc import Iterator

_SCRIPT = re.compile(r'<script\b[^>]{0,400}\btype="ui_tars_web_dump"[^>]{0,400}>')
_ENDS = ("\n</script>", "</script>")


def embedded(page: str) -> Iterator[str]:
    """Yield the JSON text of every run in a page.

    The app writes it unescaped and ends the line behind it. A string of JSON holds no line end, so that one tells the
    end of the data from an end tag in the words of a run.
    """
    for found in _SCRIPT.finditer(page):
        start = found.end()
        ends = (end for mark in _ENDS if (end := page.find(mark, start)) >= 0)
        content = page[start : next(ends, len(page))]
        if content.strip():
            yield content
