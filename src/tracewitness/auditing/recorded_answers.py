"""Answers of models in a file: kept while an audit runs, and played back later with no model at hand.

The file is JSON Lines: first a line that names the form, then one line for each question asked, with what came back.
Failures are in it too, so that a rerun comes out as the audit did. Secrets are redacted before they are written.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.port import Answer, Asker, AskerAround, Question, Side, Unavailable
from tracewitness.auditing.kept_answers import answer_of, kept_of, without_secrets
from tracewitness.findings.causes import UnavailableCause
from tracewitness.store.codec import CodecError, decode, encode
from tracewitness.store.record import KeptAnswer
from tracewitness.values.digests import Digest

FORM = "tracewitness.answers/1"
_HEADER = json.dumps({"form": FORM}).encode()


class RecordedAnswersError(ValueError):
    """A file of recorded answers cannot be used; the message is one line that names the file and the line."""


class AnswersFile:
    """Takes the questions of an audit and what came back. Use it as a context manager.

    Args:
        path: The file; one that is there already is added to.

    Raises:
        RecordedAnswersError: The file is there and is no file of recorded answers, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._written = _taken_up(path)
            self._stream: IO[str] = path.open("a", encoding="utf-8")
        except OSError as error:
            raise _unwritable(path, error) from error
        if not self._stream.tell():
            try:
                self._line({"form": FORM})
            except RecordedAnswersError:
                self.__exit__()
                raise

    def __enter__(self) -> "AnswersFile":
        """Return the file itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        with suppress(OSError):  # what could not be written was told when it was to be written
            self._stream.close()

    def introduce(self, side: Side, asker: Asker, capabilities: Capabilities) -> None:
        """Write down who answers a side, so that a rerun asks the very same questions."""
        self._line(
            {
                "side": side,
                "model": asker.model,
                "parameters": asker.parameters,
                "images": capabilities.images,
                "context_tokens": capabilities.context_tokens,
            }
        )

    def add(self, asker: Asker, question: Question, reply: Answer | Unavailable) -> None:
        """Write down what came back to a question; the first reply to a question stays."""
        key = question.cache_key(asker.model, asker.parameters)
        if key in self._written:
            return
        self._written.add(key)
        if isinstance(reply, Answer):
            self._line({"answer": encode(kept_of(key, question, without_secrets(reply)))})
        else:
            self._line({"key": key, "unavailable": reply.cause.id})

    def _line(self, content: dict[str, Any]) -> None:
        try:
            self._stream.write(json.dumps(content, ensure_ascii=True) + "\n")
            self._stream.flush()
        except OSError as error:
            raise _unwritable(self._path, error) from error


class RecordingAsker(AskerAround):
    """A model whose answers go into a file as well.

    Args:
        asker: The model.
        file: The file.
    """

    def __init__(self, asker: Asker, file: AnswersFile) -> None:
        super().__init__(asker)
        self._file = file

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Ask, and write down what came back."""
        reply = await self._asker.ask(question)
        self._file.add(self, question, reply)
        return reply


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who answered a side: its model, the parameters and what it can do."""

    model: str = "none"
    parameters: str = "{}"
    capabilities: Capabilities = Capabilities(AnswerForm.JSON_SCHEMA)


@dataclass(slots=True)
class RecordedAnswers:
    """What a file of recorded answers holds.

    Attributes:
        replies: What came back, by cache key.
        speakers: Who answered each side.
    """

    replies: dict[Digest, KeptAnswer | UnavailableCause] = field(
        default_factory=dict[Digest, "KeptAnswer | UnavailableCause"]
    )
    speakers: dict[Side, Speaker] = field(default_factory=dict[Side, Speaker])

    def asker(self, side: Side) -> "ReplayedAsker":
        """Return the model of a side, as far as its answers are recorded."""
        return ReplayedAsker(self.speaker(side), self.replies)

    def speaker(self, side: Side) -> Speaker:
        """Return who answered a side."""
        return self.speakers.get(side, Speaker())


class ReplayedAsker:
    """A model that answers what it was recorded to answer, and nothing else."""

    def __init__(self, speaker: Speaker, replies: dict[Digest, KeptAnswer | UnavailableCause]) -> None:
        self._model = speaker.model
        self._parameters = speaker.parameters
        self._replies = replies

    @property
    def model(self) -> str:
        """Return the name of the recorded model."""
        return self._model

    @property
    def parameters(self) -> str:
        """Return its parameters."""
        return self._parameters

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Return the recorded reply."""
        reply = self._replies.get(question.cache_key(self._model, self._parameters), UnavailableCause.NOT_RECORDED)
        if isinstance(reply, UnavailableCause):
            return Unavailable(reply, "recorded", microusd=0)
        return answer_of(reply, self._parameters)


def read_answers(path: Path) -> RecordedAnswers:
    """Read a file of recorded answers.

    Raises:
        RecordedAnswersError: The file is missing or not in order; the message names the line.
    """
    if not path.is_file():
        raise RecordedAnswersError(f"{path}: there is no such file")
    try:
        return _read(path)
    except OSError as error:
        raise RecordedAnswersError(f"{path}: it cannot be read ({error.strerror})") from error


def _unwritable(path: Path, error: OSError) -> RecordedAnswersError:
    return RecordedAnswersError(f"{path}: it cannot be written ({error.strerror})")


def _taken_up(path: Path) -> set[Digest]:
    """Return the questions whose replies a file holds already.

    The half line of an audit that was cut off is taken off, so that what is added begins on a line of its own.
    """
    if not path.exists() or not path.stat().st_size:
        return set()
    _read(path)  # nothing is taken off a file of another kind
    if path.is_file():
        with path.open("rb+") as file:
            file.truncate(sum(len(line) for line in file if line.endswith(b"\n")))
    return set(_read(path).replies) if path.stat().st_size else set()


def _read(path: Path) -> RecordedAnswers:
    found = RecordedAnswers()
    for number, entry in _entries(path):
        if number == 1:
            if entry.get("form") != FORM:
                raise RecordedAnswersError(f"{path}, line 1: not a file of recorded answers ({FORM})")
            continue
        try:
            _take(entry, found)
        except (KeyError, TypeError, ValueError, CodecError) as error:
            raise RecordedAnswersError(f"{path}, line {number}: not a recorded answer ({error})") from error
    if not found.replies and not path.stat().st_size:
        raise RecordedAnswersError(f"{path}: the file is empty")
    return found


def _entries(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry: object = json.loads(line)
            except (ValueError, RecursionError) as error:
                cut = not line.endswith(b"\n")  # as by an audit that was stopped while it wrote this line
                if cut and (number > 1 or _HEADER.startswith(line)):
                    return
                raise RecordedAnswersError(f"{path}, line {number}: not JSON") from error
            if not isinstance(entry, dict):
                raise RecordedAnswersError(f"{path}, line {number}: not a JSON object")
            yield number, cast(dict[str, Any], entry)


def _take(entry: dict[str, Any], found: RecordedAnswers) -> None:
    if "side" in entry:
        context = entry["context_tokens"]
        able = Capabilities(AnswerForm.JSON_SCHEMA, False, entry["images"] is True, context and int(context))
        found.speakers[Side(entry["side"])] = Speaker(str(entry["model"]), str(entry["parameters"]), able)
    elif "answer" in entry:
        kept = decode(KeptAnswer, entry["answer"])
        found.replies[kept.key] = kept
    else:
        found.replies[Digest(entry["key"])] = UnavailableCause[str(entry["unavailable"]).upper()]
