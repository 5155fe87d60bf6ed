"""Traces of spans (OpenTelemetry, LangSmith, Langfuse): one layer that sorts them the same way for every exporter.

A reader turns its records into :class:`tracewitness.intake.spans.span.Span` objects; from there on everything is
shared: :mod:`.tree` tells who called whom, :mod:`.sorting` makes turns of a conversation of them, :mod:`.sealing` makes
the run.
"""
