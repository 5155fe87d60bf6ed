"""Session files of Claude Code."""

from tracewitness.intake.formats.claude_code.detect import detect
from tracewitness.intake.formats.claude_code.read import read
from tracewitness.intake.log_format import LogFormat

FORMAT = LogFormat(
    name="claude_code",
    summary="Claude Code sessions (~/.claude/projects/<project>/<session>.jsonl)",
    versions=("2.0",),
    package="tracewitness.intake.formats.claude_code",
    detector=detect,
    reader=read,
)

__all__ = ["FORMAT"]
