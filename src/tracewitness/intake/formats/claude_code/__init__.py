"""Session files of Claude Code."""

from tracewitness.intake.formats.claude_code.detect import detect
from tracewitness.intake.log_format import LogFormat, Read, later


def _read() -> Read:
    from tracewitness.intake.formats.claude_code.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


FORMAT = LogFormat(
    name="claude_code",
    summary="Claude Code sessions (~/.claude/projects/<project>/<session>.jsonl)",
    versions=("2.0",),
    package="tracewitness.intake.formats.claude_code",
    detector=detect,
    reader=later(_read),
)

__all__ = ["FORMAT"]
