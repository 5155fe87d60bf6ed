"""Text of screenshots: where a screen is a picture without words, the words on it are read off the picture.

What was read is the environment's text, like a dump of the screen: the ledger, the rules, the window and the grounding
see it. It is written down as quoted elements, so that words on a screen never pose as a switch or a message of their
own; and secrets are taken out of it at once.
"""

import re
from dataclasses import dataclass, replace
from typing import Protocol

from tracewitness.findings.causes import Gap
from tracewitness.trace_side.exhibits import Pictures
from tracewitness.trace_side.trace import Observation, Screenshot, Step, Trace
from tracewitness.values.digests import Digest
from tracewitness.values.redaction import redact

_AROUND = re.compile(r"(?:page|tab) '[^\n]*")
_RESULT = "result: "
# How the plain notation opens and closes a quotation, then what else may not stand within.
_QUOTES = ('""\\', "“”„", "«»", "「」")
_MADE_PLAIN = str.maketrans({'"': "'", "\\": "/"})
_CELLS = " | "


class ScreenReader(Protocol):
    """Reads the text off pictures."""

    @property
    def name(self) -> str:
        """Return its name, as records carry it."""
        ...

    @property
    def version(self) -> str:
        """Return what tells two of the same name apart that may read the same picture differently."""
        ...

    def read(self, picture: bytes) -> str | None:
        """Return the text of a picture; None where it cannot be read, an empty text where it shows none.

        One line for each row on the screen, from top to bottom; tabs between what stands side by side.
        """
        ...


@dataclass(frozen=True, slots=True)
class WordedTrace:
    """A trace with the text of its screenshots.

    Attributes:
        trace: The trace. SCREENSHOT_ONLY is no longer among its gaps where every screen has words now.
        worded: How many observations were given text.
        wordless: How many still show nothing but a picture.
    """

    trace: Trace
    worded: int
    wordless: int


def with_screen_text(trace: Trace, pictures: Pictures, reader: ScreenReader) -> WordedTrace:
    """Return a trace in which every screen without words has those that are read off its screenshot.

    Args:
        trace: The trace.
        pictures: Gives the screenshots' bytes.
        reader: Reads them; each picture once.
    """
    wording = _Wording(pictures, reader)
    steps = tuple(wording.step(step) for step in trace.steps)
    if not wording.worded:
        return WordedTrace(trace, 0, wording.wordless)
    gaps = tuple(gap for gap in trace.gaps if wording.wordless or gap is not Gap.SCREENSHOT_ONLY)
    return WordedTrace(Trace(steps, gaps), wording.worded, wording.wordless)


class _Wording:
    """Goes through the observations of one trace."""

    def __init__(self, pictures: Pictures, reader: ScreenReader) -> None:
        self._pictures = pictures
        self._reader = reader
        self._texts: dict[Digest, str] = {}
        self.worded = 0
        self.wordless = 0

    def step(self, step: Step) -> Step:
        """Return a step with the text of its screens."""
        before, after = self._observation(step.before), self._observation(step.after)
        return step if before is step.before and after is step.after else replace(step, before=before, after=after)

    def _observation(self, seen: Observation | None) -> Observation | None:
        if seen is None or seen.screenshot is None or not is_picture_only(seen):
            return seen
        text = self._text(seen.screenshot)
        if not text:
            self.wordless += 1
            return seen
        self.worded += 1
        return replace(seen, text="\n".join(filter(None, (seen.text, text))))

    def _text(self, screenshot: Screenshot) -> str:
        if screenshot.digest is None:
            return ""
        if screenshot.digest not in self._texts:
            picture = self._pictures.read(screenshot)
            read = self._reader.read(picture) if picture is not None else None
            self._texts[screenshot.digest] = written(redact(read).text) if read else ""
        return self._texts[screenshot.digest]


def is_picture_only(seen: Observation) -> bool:
    """Tell whether the screen of an observation is known by its screenshot alone.

    The title of a page, its tabs and what a tool answered are not the screen.
    """
    if seen.screenshot is None or (seen.ui_tree or "").strip():
        return False
    text = (seen.text or "").strip()
    return text.startswith(_RESULT) or all(_AROUND.fullmatch(line.strip()) for line in text.splitlines())


def written(text: str) -> str:
    """Return text that was read off a screen as elements: a row where pieces stand side by side, else a text."""
    return "\n".join(_element(line) for line in text.splitlines() if line.strip())


def _element(line: str) -> str:
    cells = [cell.strip() for cell in line.split("\t") if cell.strip()]
    return f"row {_quoted(_CELLS.join(cells))}" if len(cells) > 1 else f"text {_quoted(cells[0])}"


def _quoted(text: str) -> str:
    """Return a text in quotation marks that it does not hold; where it holds them all, with its own made plain."""
    marks = next((marks for marks in _QUOTES if not set(marks) & set(text)), None)
    return f"{marks[0]}{text}{marks[1]}" if marks is not None else f'"{text.translate(_MADE_PLAIN)}"'
