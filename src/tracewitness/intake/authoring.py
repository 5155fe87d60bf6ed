"""All that an author of a format needs to import; see "Adding a format" in ``docs/formats.md``.

What stands here stays where it is: plug-ins import these names from here, and the conformance suite from
:mod:`tracewitness.testing`.
"""

from tracewitness.findings.causes import Gap
from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure, NoTaskError
from tracewitness.intake.format import Format, Verdict
from tracewitness.intake.grammars.grammar import Grammar
from tracewitness.intake.grammars.opening import Opening
from tracewitness.intake.grammars.parsed import Parsed
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.log_format import LogFormat, RetoldFormat
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.reading_files import Line, decode, lines_of, parse_json
from tracewitness.intake.retelling import Retelling, Say
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.turn_split import Conversation, split_turns
from tracewitness.intake.turns import Result, Speaker, Turn, without_closing_words
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step, Trace

__all__ = [
    "Action",
    "BadRunError",
    "Call",
    "Candidate",
    "Conversation",
    "DeclaredStatus",
    "Format",
    "Gap",
    "Grammar",
    "HarnessStatus",
    "IntakeError",
    "IntakeFailure",
    "LeakRoute",
    "Limits",
    "Line",
    "LogFormat",
    "NoTaskError",
    "Observation",
    "Opening",
    "Origin",
    "Parsed",
    "Plane",
    "ReadOptions",
    "Report",
    "Result",
    "Retelling",
    "RetoldFormat",
    "RunFolder",
    "Say",
    "Screenshot",
    "SealedRun",
    "Shape",
    "Speaker",
    "Step",
    "Stripped",
    "Task",
    "Trace",
    "Turn",
    "Verdict",
    "call_of",
    "decode",
    "lines_of",
    "list_of",
    "object_of",
    "objects_of",
    "parse_json",
    "seal_conversation",
    "split_turns",
    "task_beside",
    "text_of",
    "without_closing_words",
]
