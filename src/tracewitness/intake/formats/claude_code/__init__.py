"""Session files of Claude Code."""

from tracewitness.intake.formats.claude_code.detect import detect
from tracewitness.intake.log_format import Read, Retell, RetoldFormat, later


def _read() -> Read:
    from tracewitness.intake.formats.claude_code.read import read  # noqa: PLC0415  (loaded with the first log)

    return read


def _retell() -> Retell:
    from tracewitness.intake.formats.claude_code.retell import retell  # noqa: PLC0415  (loaded when a log is retold)

    return retell


FORMAT = RetoldFormat(
    name="claude_code",
    summary="Claude Code sessions (~/.claude/projects/<project>/<session>.jsonl)",
    versions=("2.0",),
    package="tracewitness.intake.formats.claude_code",
    detector=detect,
    reader=later(_read),
    reteller=later(_retell),
)

__all__ = ["FORMAT"]
