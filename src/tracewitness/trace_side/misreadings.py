"""Absence that may be a misreading: text read off a picture is now and then a letter off.

A name that is read right on one screen and wrong on the next looks as if it had gone. Where something was to go, and
the last screen shows new words that are nearly its name, that screen does not show that it is gone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.findings.labels import FieldValue, StepPart
from tracewitness.findings.records import Evidence, FieldFinding, TraceFinding
from tracewitness.task_side.goal import Goal, Wanted
from tracewitness.trace_side.scene import Scene
from tracewitness.trace_side.scenes import read_scenes
from tracewitness.trace_side.trace import Trace
from tracewitness.values.folding import fold

_ALIKE = 0.5
_LENGTH_SLACK = 5
_LONGEST_NAME = 200
_CELLS = "|"


def doubt_absence(finding: TraceFinding, goals: Sequence[Goal], trace: Trace) -> TraceFinding:
    """Return a finding in which no absence is supported by a screen that may only have been misread.

    Args:
        finding: What was found in the trace.
        goals: The parts of the task, in the order of the finding's parts.
        trace: The trace, with the text of its screenshots.
    """
    if len(goals) != len(finding.parts) or not any(goal.wanted is Wanted.ABSENT for goal in goals):
        return finding
    scenes = read_scenes(trace)
    pairs = zip(finding.parts, goals, strict=True)
    return replace(finding, parts=tuple(_doubted(part, goal, scenes) for part, goal in pairs))


def _doubted(part: Evidence, goal: Goal, scenes: Sequence[Scene]) -> Evidence:
    support = part.final_support
    if goal.wanted is not Wanted.ABSENT or support.value is not FieldValue.YES:
        return part
    names = [fold(name) for name in (*goal.targets, *goal.values) if len(name) <= _LONGEST_NAME]
    places = {(citation.step, citation.part) for citation in support.citations}
    if not any(_nearly_shows(scenes, place, names) for place in places):
        return part
    doubt = FieldFinding(FieldValue.UNKNOWN, EvidenceCause.UNVERIFIED_CHANGE, support.citations, support.rationale)
    return replace(part, final_support=doubt)


def _nearly_shows(scenes: Sequence[Scene], place: tuple[int, StepPart], names: Sequence[str]) -> bool:
    """Tell whether the scene at a place shows words that no scene before it shows and that are nearly a name."""
    at = next((at for at, scene in enumerate(scenes) if (scene.step, scene.part) == place), None)
    if at is None:
        return False
    known = {words for scene in scenes[:at] for words in _words(scene)}
    fresh = {words for words in _words(scenes[at]) if words not in known}
    return any(_alike(words, name) for words in fresh for name in names)


def _words(scene: Scene) -> Iterator[str]:
    for element in scene.elements:
        for cell in (element.value or element.name).split(_CELLS):
            yield fold(cell.strip())


def _alike(words: str, name: str) -> bool:
    """Tell whether words may be a misreading of a name: about as long, and half of it the same."""
    if not words or not name or name in words or abs(len(words) - len(name)) > 1 + len(name) // _LENGTH_SLACK:
        return False
    return SequenceMatcher(None, words, name, autojunk=False).ratio() >= _ALIKE
