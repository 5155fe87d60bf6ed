"""Retelling trace folders of mobile-use."""

import json
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.minitap.detect import LOG
from tracewitness.intake.formats.minitap.outcomes import outcome_of
from tracewitness.intake.formats.minitap.read import read
from tracewitness.intake.formats.minitap.records import SPEAKER, content_of, thoughts_of
from tracewitness.intake.formats.minitap.split import ON_THE_WAY, THOUGHT
from tracewitness.intake.planes import Plane
from tracewitness.intake.reading_files import parse_json
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_files import reports_of, write_list
from tracewitness.intake.sidecar import sidecar_names
from tracewitness.intake.spans.retelling import SpanWords
from tracewitness.intake.untyped import object_of, objects_of, text_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the trace with the agents' thoughts, and the last of them, in other words; the tools' sentences stay."""
    whole = candidate.shape is Shape.FOLDER
    source = candidate.path / LOG if whole else candidate.path
    words = SpanWords(say, flag, reports_of(read, candidate))
    copy_files(source.parent, folder, sidecar_names(source))
    write_list(source, folder / source.name, candidate.limits, lambda one: _record(one, words))
    return folder if whole else folder / source.name


def _record(value: Any, words: SpanWords) -> Any:
    record = object_of(value)
    try:
        message = object_of(parse_json(text_of(record.get("data"))))
    except IntakeError:
        return value
    if not message:
        return value
    told = dict(message)
    if message.get("type") != "tool":
        told["content"] = _content(content_of(message.get("content")), words)
    if message.get("tool_calls"):
        told["tool_calls"] = [_call(one, words) for one in objects_of(message["tool_calls"])]
    return {**record, "data": json.dumps(told)}


def _content(content: str, words: SpanWords) -> str:
    given = thoughts_of(content)
    kept = outcome_of(tuple(SPEAKER.sub("", one, count=1) for one in given)) is not None
    told = [one if kept and at == len(given) - 1 else _thought(one, words) for at, one in enumerate(given)]
    return str(told) if given and given != (content.strip(),) else "".join(told)


def _thought(thought: str, words: SpanWords) -> str:
    """Return a thought in other words, behind what tells whose it is and whether the run goes on."""
    speaker = found.group() if (found := SPEAKER.match(thought)) else ""
    bare = thought.removeprefix(speaker)
    plane = Plane.REPORT if bare.strip() and bare.strip() == words.reports else Plane.NARRATION
    opening = next((one for one in ON_THE_WAY if bare.startswith(one)), "")
    return f"{speaker}{opening}{words.say(plane)}"


def _call(call: dict[str, Any], words: SpanWords) -> dict[str, Any]:
    given = words.done(text_of(call.get("name")), call.get("args"))
    if isinstance(given, dict) and isinstance(object_of(given).get(THOUGHT), str):
        given = {**object_of(given), THOUGHT: words.say(Plane.NARRATION)}
    return {**call, "args": given}
