"""Run builder, scripted asker, canaries and format conformance, for authors of formats, readers and back ends."""

from tracewitness.testing.builder import RunBuilder
from tracewitness.testing.canary import canary, sightings
from tracewitness.testing.formats import CHECKS, ConformanceError, assert_conforms
from tracewitness.testing.scripted import ScriptedAsker
from tracewitness.testing.words import Words

__all__ = [
    "CHECKS",
    "ConformanceError",
    "RunBuilder",
    "ScriptedAsker",
    "Words",
    "assert_conforms",
    "canary",
    "sightings",
]
