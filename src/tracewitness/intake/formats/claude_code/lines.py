"""The lines of a session file, in the order in which they were written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.claude_code.detect import is_line
from tracewitness.intake.limits import Limits
from tracewitness.intake.machine_words import is_retold_past, without_machine_words
from tracewitness.intake.reading_files import decode, lines_of, parse_json
from tracewitness.intake.untyped import object_of, objects_of, text_of

CLEAR = "<command-name>/clear</command-name>"
_TAGS = re.compile(
    r"<(command-name|command-message|command-args|command-contents|local-command-stdout|local-command-stderr|"
    r"bash-input|bash-stdout|bash-stderr)>.*?</\1>",
    re.DOTALL,
)
_RAN = re.compile(r"<bash-(?:input|stdout|stderr)>([^<]*)</bash-(?:input|stdout|stderr)>")
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_COMMAND = "<command-name>"
_LONGEST_ID = 80
_INTERRUPTED = "[Request interrupted"


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A line with its place."""

    where: str
    value: dict[str, Any]

    @property
    def message(self) -> dict[str, Any]:
        """Its message."""
        return object_of(self.value.get("message"))

    @property
    def speaks(self) -> bool:
        """Whether it holds a message that somebody wrote; what the program itself put in does not count."""
        return is_line(self.value) and self.value.get("isMeta") is not True

    @property
    def clears(self) -> bool:
        """Whether the user began anew here."""
        return is_line(self.value) and CLEAR in words_of(self.message)


@dataclass(slots=True)
class Session:
    """What was read of a session file."""

    lines: list[SessionLine] = field(default_factory=list[SessionLine])
    gaps: list[Gap] = field(default_factory=list[Gap])
    encodings: set[str] = field(default_factory=set[str])


def read_lines(path: Path, name: str, limits: Limits) -> Session:
    """Return the lines of a session file; one that cannot be read leaves a gap, one that stands twice counts once.

    Raises:
        IntakeError: The file cannot be opened.
    """
    session, met = Session(), set[str]()
    for line in lines_of(path, limits):
        where = f"line {line.number}"
        try:
            text = decode(line.content, name)
            value = object_of(parse_json(text.text, line.number))
        except IntakeError:
            session.gaps.append(Gap.MISSING_STEPS if line.ended else Gap.LOG_CUT_OFF)
            continue
        session.encodings.add(text.encoding)
        uuid = text_of(value.get("uuid"))
        if uuid and uuid in met:
            continue
        met.add(uuid)
        session.lines.append(SessionLine(where, value))
    return session


def segments(lines: list[SessionLine]) -> Iterator[list[SessionLine]]:
    """Yield the lines between the places where the user began anew."""
    segment: list[SessionLine] = []
    for line in lines:
        if line.clears:
            yield segment
            segment = []
        else:
            segment.append(line)
    yield segment


def words_of(message: dict[str, Any]) -> str:
    """Return the texts of a message."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(text_of(one.get("text")) for one in objects_of(content) if one.get("type") == "text")


def asked(text: str) -> str:
    """Return what a person wrote, without what the program put around it."""
    if is_retold_past(text):
        return ""
    told = without_machine_words(text)
    bare = _TAGS.sub("", told).strip() if "<" in told else told.strip()
    return "" if bare.startswith(_INTERRUPTED) else bare


def ran_by_user(text: str) -> str:
    """Return a command that the user ran beside the agent, or what answered it: what the environment showed."""
    return "\n".join(filter(None, (one.strip() for one in _RAN.findall(text)))) if "<bash-" in text else ""


def ordered(text: str) -> str | None:
    """Return what the user gave a command of theirs that stands for a prompt; None where a text is no such command."""
    if _COMMAND not in text:
        return None
    return "\n".join(filter(None, (one.strip() for one in _ARGUMENTS.findall(text))))


def subagent_names(session: Path, agent_id: str) -> tuple[str, ...]:
    """Return the names of the files in which a subagent's lines may stand, relative to the folder of its session."""
    if len(agent_id) > _LONGEST_ID or not agent_id.replace("-", "").replace("_", "").isalnum():
        return ()
    stem = session.name.split(".", 1)[0]
    return f"agent-{agent_id}.jsonl", f"{stem}/subagents/agent-{agent_id}.jsonl"
