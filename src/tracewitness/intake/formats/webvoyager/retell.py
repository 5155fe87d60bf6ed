"""Retelling task folders of WebVoyager."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate, Shape, names_in
from tracewitness.intake.formats.webvoyager.detect import LOG
from tracewitness.intake.grammars.webvoyager import acting_part, parse, retold_observation
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.retelling_files import write_retold
from tracewitness.intake.untyped import list_of, object_of, text_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the folder with thoughts, the answer, and what a model wrote about a file, in other words."""
    whole = candidate.shape is Shape.FOLDER
    log = Candidate(candidate.path / LOG, LOG, candidate.limits) if whole else candidate
    last = max((at for at, one in enumerate(list_of(log.document)) if _is_agent(one)), default=-1)

    def retold(document: Any) -> Any:
        return [
            _message(object_of(one), say, at == last) if isinstance(one, dict) else one
            for at, one in enumerate(list_of(document))
        ]

    root = log.path.parent
    pictures = [name for name in names_in(root, root.name) if name.endswith(".png") and not (root / name).is_symlink()]
    told = write_retold(log, folder, retold, sorted(pictures))
    return folder if whole else told


def _is_agent(value: Any) -> bool:
    return object_of(value).get("role") == "assistant"


def _message(message: dict[str, Any], say: Say, last: bool) -> dict[str, Any]:
    if "content" not in message:
        return message
    if _is_agent(message):
        return {**message, "content": _with_texts(message.get("content"), lambda text: _said(text, say, last))}
    if message.get("role") == "user":
        words = say(Plane.NARRATION)
        return {**message, "content": _with_texts(message.get("content"), lambda text: retold_observation(text, words))}
    return message


def _with_texts(content: Any, told: Callable[[str], str]) -> Any:
    if isinstance(content, str):
        return told(content)
    if not isinstance(content, list):
        return content
    return [_part(one, told) for one in list_of(content)]


def _part(part: Any, told: Callable[[str], str]) -> Any:
    if isinstance(part, str):
        return told(part)
    keys = object_of(part)
    return {**keys, "text": told(text_of(keys["text"]))} if isinstance(keys.get("text"), str) else part


def _said(text: str, say: Say, last: bool) -> str:
    parsed, part = parse(text), acting_part(text)
    if parsed is None or part is None:
        return say(Plane.REPORT if last else Plane.NARRATION) if text.strip() else text
    if parsed.calls[0].name == "answer":
        part = f"ANSWER; [{say(Plane.REPORT)}]"
    return f"Thought: {say(Plane.NARRATION)}\n\nAction: {part}"
