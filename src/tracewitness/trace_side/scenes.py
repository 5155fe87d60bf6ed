"""From observations to scenes, whatever notation they are written in."""

from dataclasses import dataclass, replace
from functools import lru_cache

from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.addressed import without_lines_to_judges
from tracewitness.trace_side.heard import without_words_of_users
from tracewitness.trace_side.reading_data import looks_like_html, read_html, read_json
from tracewitness.trace_side.reading_elements import TextReading, finish_elements
from tracewitness.trace_side.reading_text import read_lines
from tracewitness.trace_side.reading_xml import looks_like_xml, read_xml
from tracewitness.trace_side.scene import Element, Scene
from tracewitness.trace_side.trace import Observation, Step, Trace
from tracewitness.values.folding import fold

TEXT_LIMIT = 2_000_000
"""Largest observation read as lines, in characters; what is longer is cut there and marked as unreadable."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A text, read once; the same text gives the same elements object."""

    elements: tuple[Element, ...]
    title: str
    stale: bool
    partial: bool
    unchanged: bool
    acknowledgement: bool
    unreadable: bool
    wordless: bool


def read_scene(step: Step, part: StepPart) -> Scene | None:
    """Return the scene that a step's observation shows.

    Args:
        step: The step.
        part: BEFORE or AFTER.

    Returns:
        None where there is no observation or only a screenshot. An observation with a URL and no text gives a scene
        without elements that is partial.
    """
    observation = step.before if part is StepPart.BEFORE else step.after
    return None if observation is None else _scene_of(observation, step.index, part)


def read_scenes(trace: Trace) -> tuple[Scene, ...]:
    """Return every scene of a trace in time order: each step's ``before``, then its ``after``."""
    found = (read_scene(step, part) for step in trace.steps for part in (StepPart.BEFORE, StepPart.AFTER))
    return tuple(scene for scene in found if scene is not None)


def has_words(observation: Observation) -> bool:
    """Return whether an observation holds anything but a screenshot and the words of a user."""
    text, _ = without_words_of_users(observation.text or "")
    return bool(text.strip() or (observation.ui_tree or "").strip() or observation.url)


def _scene_of(observation: Observation, index: int, part: StepPart) -> Scene | None:
    text, heard = without_words_of_users(observation.text or "")
    shown = (
        observation.ui_tree and without_lines_to_judges(observation.ui_tree),
        text and without_lines_to_judges(text),
    )
    sources = [text for text in shown if text and text.strip()]
    if not sources:
        if not heard and not observation.url:
            return None
        return Scene(
            index, part, (), url=observation.url, partial=True, acknowledgement=not observation.url, heard=heard
        )
    read = _read(sources[0])
    more = _beyond(read, sources[1]) if len(sources) > 1 else ""
    read = _join(read, _read(more)) if more.strip() else read
    return Scene(
        step=index,
        part=part,
        elements=read.elements,
        title=read.title,
        url=observation.url,
        stale=read.stale,
        partial=read.partial or bool(heard),
        unchanged=read.unchanged,
        acknowledgement=read.acknowledgement,
        unreadable=read.unreadable,
        wordless=read.wordless,
        heard=heard,
    )


def _beyond(tree: _Read, text: str) -> str:
    """Return the lines of a text that say more than the UI tree beside it, whose elements have their roles."""
    told = _words_of(tree.elements)
    return "\n".join(line for line in text.split("\n") if fold(line.strip()) not in told)


@lru_cache(maxsize=2048)
def _words_of(elements: tuple[Element, ...]) -> frozenset[str]:
    return frozenset(fold(word) for element in elements for word in (element.name, element.value) if word)


def _join(tree: _Read, text: _Read) -> _Read:
    """Return the elements of a UI tree and of the text beside it as one."""
    shift = len(tree.elements)
    return _Read(
        elements=tree.elements + tuple(_shifted(element, shift) for element in text.elements),
        title=tree.title or text.title,
        stale=tree.stale or text.stale,
        partial=tree.partial and text.partial,
        unchanged=False,
        acknowledgement=tree.acknowledgement and text.acknowledgement,
        unreadable=tree.unreadable or text.unreadable,
        wordless=tree.wordless and text.wordless,
    )


def _shifted(element: Element, by: int) -> Element:
    return element if element.parent is None else replace(element, parent=element.parent + by)


@lru_cache(maxsize=2048)
def _read(text: str) -> _Read:
    """Read one text; logs repeat the same screen at every step, so the last ones are kept."""
    reading = _reading_of(text)
    return _Read(
        elements=finish_elements(reading.drafts),
        title=reading.title,
        stale=reading.stale,
        partial=reading.partial,
        unchanged=reading.unchanged,
        acknowledgement=reading.acknowledgement,
        unreadable=reading.unreadable,
        wordless=reading.wordless,
    )


def _reading_of(text: str) -> TextReading:
    if looks_like_xml(text):
        return read_xml(text)
    data = read_json(text)
    if data is not None:
        return data
    if looks_like_html(text):
        return read_html(text)
    reading = read_lines(text[:TEXT_LIMIT])
    reading.unreadable = reading.unreadable or len(text) > TEXT_LIMIT
    return reading
