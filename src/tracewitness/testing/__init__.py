"""Run builder, scripted asker, canaries and format conformance, for authors of formats, readers and back ends."""

from tracewitness.testing.builder import RunBuilder
from tracewitness.testing.canary import canary, sightings
from tracewitness.testing.scripted import ScriptedAsker

__all__ = ["RunBuilder", "ScriptedAsker", "canary", "sightings"]
