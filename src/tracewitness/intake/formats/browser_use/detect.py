"""Telling a browser-use history by its rounds, and a folder of conversations by its files."""

from typing import Any, cast

from tracewitness.intake.candidate import Candidate, Shape, names_in
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
    conversations = conversations_of(candidate.names)
    if not conversations:
        return Verdict(False, "a folder without conversation_<id>_<n>.txt")
    first = next(iter(conversations.values()))[0]
    try:
        exchange_of(decode(peek(candidate.path / first.name, _PROMPT), first.name).text.replace("\r\n", "\n"))
    except IntakeError:
        return Verdict(False, f"{first.name} holds no messages system and user")
    if any(_is_history(candidate, name) for name in sorted(names_in(candidate.path.parent, candidate.name))):
        return Verdict(False, "conversations of a run whose history lies beside their folder")
    return Verdict(True, "its conversation_<id>_<n>.txt hold the messages system and user")


def _is_history(candidate: Candidate, name: str) -> bool:
    """Tell whether a file beside a folder is a history, which tells more of the run than its conversations."""
    if name not in _HISTORIES:
        return False
    try:
        return detect(Candidate(candidate.path.parent / name, name, candidate.limits)).yes
    except IntakeError:
        return False
