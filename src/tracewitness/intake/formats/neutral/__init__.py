"""The neutral run format, ``tracewitness.run/1``: reader, writer and JSON Schema."""

from tracewitness.intake.formats.neutral.read import NeutralFormat
from tracewitness.intake.formats.neutral.schema import json_schema
from tracewitness.intake.formats.neutral.screenshots import ScreenshotPaths
from tracewitness.intake.formats.neutral.write import to_neutral

__all__ = ["NeutralFormat", "ScreenshotPaths", "json_schema", "to_neutral"]
