"""Telling a browser-use history by its rounds, and a folder of conversations by its files."""

from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.format import Verdict
from tracewitness.intake.formats.browser_use.conversation import conversations_of, exchange_of
from tracewitness.intake.limits import MEBIBYTE
from tracewitness.intake.reading_files import decode, peek

_PROMPT = MEBIBYTE
_HISTORIES = frozenset({"AgentHistory.json", "agent_history.json", "history.json"})
_KEYS = frozenset({"model_output", "result", "state"})


def detect(candidate: Candidate) -> Verdict:
    """Say yes to ``{"history": [{"model_output", "result", "state"}, ...]}``, and to a folder of conversations."""
    if candidate.shape is Shape.FOLDER:
        return _folder(candidate)
    if conversations_of([candidate.path.name]):
        return _conversation(candidate)
    sample: Any = candidate.sample
    history: Any = cast(dict[str, Any], sample).get("history") if isinstance(sample, dict) else None
    if not isinstance(history, list):
        return Verdict(False, "no list under a key history")
    rounds = cast(list[Any], history)
    if not rounds and set(cast(dict[str, Any], sample)) == {"history"}:
        return Verdict(True, "an empty history")
    if rounds and isinstance(rounds[0], dict) and set(cast(dict[str, Any], rounds[0])) >= _KEYS:
        return Verdict(True, "history[0] has the keys model_output, result, state")
    return Verdict(False, "history[0] lacks the keys model_output, result, state")


def _folder(candidate: Candidate) -> Verdict:
    conversations = conversations_of(candidate.files)
    if not conversations:
        return Verdict(False, "a folder without conversation_<id>_<n>.txt")
    first = next(iter(conversations.values()))[0]
    if not _holds_exchange(candidate.path / first.name):
        return Verdict(False, f"{first.name} holds no messages system and user")
    if _history_in(candidate.path, candidate) or _history_in(candidate.path.absolute().parent, candidate):
        return Verdict(False, "conversations of a run whose history lies beside them or their folder")
    return Verdict(True, "its conversation_<id>_<n>.txt hold the messages system and user")


def _holds_exchange(path: Path) -> bool:
    try:
        exchange_of(decode(peek(path, _PROMPT), path.name).text.replace("\r\n", "\n"))
    except IntakeError:
        return False
    return True


def _conversation(candidate: Candidate) -> Verdict:
    """Say no to one file of a conversation: its run is that of the history beside it, else that of its folder."""
    if not _holds_exchange(candidate.path):
        return Verdict(False, "no list under a key history")
    folder = candidate.path.absolute().parent
    whole = _history_in(folder, candidate) or _history_in(folder.parent, candidate) or f"the folder {folder.name}"
    return Verdict(False, "one file of a conversation, which is read as a folder", part_of=whole)


def _history_in(folder: Path, candidate: Candidate) -> str:
    """Return the name of a history in a folder, which tells more of the run than its conversations; empty for none."""
    return next((name for name in sorted(_HISTORIES) if _is_history(folder / name, candidate)), "")


def _is_history(path: Path, candidate: Candidate) -> bool:
    try:
        return path.is_file() and detect(Candidate(path, path.name, candidate.limits)).yes
    except (IntakeError, OSError):
        return False
