"""The model port over a GGUF file on this machine. No key, no network; the runtime comes with the extra ``local``."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.port import Answer, Question, Unavailable
from tracewitness.backends.local_engine import (
    Engine,
    LocalModelError,
    ModelFile,
    Order,
    Written,
    engine_of,
    find_model,
    runtime_version,
)
from tracewitness.backends.missing import MissingPackageError, needs_packages
from tracewitness.backends.schema_in_words import told_schema
from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import canonical_json

if TYPE_CHECKING:
    from tracewitness.backends.local_reading import Usable

CONTEXT_TOKENS = 4096
"""How many tokens a model is taken to read at once where its file does not say."""

_LEAST_ROOM = 64
"""A question that leaves fewer tokens for the answer does not fit."""


@dataclass(frozen=True, slots=True)
class LocalOptions:
    """How a local model is asked.

    Attributes:
        temperature: Sampling temperature; the runs of a vote are real repeats only above 0.
        thinking: True lets the model think aloud before it answers, which leaves its answer unconstrained; False tells
            its template not to; None leaves the template alone.
        thinking_tokens: Tokens allowed for thinking beside those of the answer, where it is on.
        context_tokens: How many tokens it reads at once; None to take what its file says.
        timeout: Most seconds for one answer. Waiting for another answer and loading the model do not count.
    """

    temperature: float = 0.7
    thinking: bool | None = None
    thinking_tokens: int = 4000
    context_tokens: int | None = None
    timeout: float = 600.0


class LocalAsker:
    """A model behind the port that runs on this machine's processor.

    The file is looked through at once and loaded when the first question comes. Two askers of the same file share one
    loaded model.

    Args:
        path: The GGUF file.
        options: How it is asked.

    Raises:
        LocalModelError: The file is missing, no GGUF file, damaged or cut off.
        MissingPackageError: A package of the extra is not installed.
    """

    def __init__(self, path: str | Path, options: LocalOptions | None = None) -> None:
        self._options = options or LocalOptions()
        self._file, stated = find_model(Path(path))
        self._runtime = runtime_version()
        _reading()
        self._context = self._options.context_tokens or stated or CONTEXT_TOKENS
        self._name = f"local:{Path(path).name}"

    @property
    def model(self) -> str:
        """Return ``local:`` and the name of the file."""
        return self._name

    @property
    def parameters(self) -> str:
        """Return the digest of the file and how the model is asked, as canonical JSON text.

        Raises:
            LocalModelError: The file can no longer be read.
        """
        options = self._options
        told = {
            "context_tokens": self._context,
            "file": _digest(self._file),
            "form": self.capabilities.form,
            "runtime": self._runtime,
            "temperature": options.temperature,
            "thinking": options.thinking,
            "thinking_tokens": options.thinking_tokens if options.thinking else 0,
        }
        return canonical_json(told)

    @property
    def capabilities(self) -> Capabilities:
        """Return what the model can do."""
        return local_capabilities(self._context, thinking=bool(self._options.thinking))

    def count(self, text: str) -> int:
        """Return the exact number of tokens of a text; loads the model where it is not yet."""
        return engine_of(self._file).count(text)

    async def ask(self, question: Question) -> Answer | Unavailable:
        """Answer one question, or say why there is no answer. Never raises for a model's failure."""
        stop = threading.Event()
        try:
            return await asyncio.to_thread(self._ask, question, stop)
        finally:
            stop.set()  # where the waiting was given up, so that nothing is written on for nobody

    def _ask(self, question: Question, stop: threading.Event) -> Answer | Unavailable:
        if question.pictures:
            return _none(UnavailableCause.INTERNAL, "a local model reads no pictures")
        try:
            engine = engine_of(self._file)
            order, tokens = _fitted(_order(question, self._options), engine)
            room = self._context - tokens
            if room < _LEAST_ROOM:
                told = f"the question takes {tokens} tokens, and the model reads {self._context} at once"
                return _none(UnavailableCause.CONTEXT_OVERFLOW, told)
            fitting = replace(order, most_tokens=min(order.most_tokens, room))
            return self._read(question, engine.write(fitting, self._options.timeout, stop))
        except MissingPackageError as error:
            return _none(UnavailableCause.INTERNAL, str(error))
        except Exception as error:
            # The kind alone: a message of the runtime may quote the question.
            return _none(UnavailableCause.INTERNAL, f"the local model failed: {type(error).__name__}")

    def _read(self, question: Question, written: Written) -> Answer | Unavailable:
        found = _reading()(written, question.schema)
        if isinstance(found, Unavailable):
            return found
        return Answer(
            raw=found.raw,
            value=found.value,
            model=self.model,
            input_tokens=written.input_tokens,
            output_tokens=written.output_tokens,
            parameters=self.parameters,
            microusd=0,
            seconds=written.seconds,
        )


def local_capabilities(context_tokens: int | None = None, *, thinking: bool = False) -> Capabilities:
    """Return what a local model can do.

    Args:
        context_tokens: How many tokens it reads at once.
        thinking: Whether it thinks aloud, in which case its answer is not held to the schema while it writes.
    """
    form = AnswerForm.PLAIN_TEXT if thinking else AnswerForm.JSON_SCHEMA
    return Capabilities(form, logprobs=False, images=False, context_tokens=context_tokens)


def _digest(file: ModelFile) -> str:
    try:
        return file.digest()
    except OSError as error:
        raise LocalModelError(f"{file.path}: the model file can no longer be read") from error


def _order(question: Question, options: LocalOptions) -> Order:
    thinks = bool(options.thinking)
    system = f"{question.system}\n\n{told_schema(question.schema)}" if thinks else question.system
    messages = (("system", system), ("user", question.user))
    return Order(
        messages=tuple(message for message in messages if message[1]),
        schema=None if thinks else question.schema,
        most_tokens=question.answer_tokens + (options.thinking_tokens if thinks else 0),
        temperature=options.temperature,
        seed=question.run_number,
        thinking=options.thinking,
    )


def _fitted(order: Order, engine: Engine) -> tuple[Order, int]:
    """Return an order as the model's template takes it, and its tokens: some templates know no system message."""
    try:
        return order, engine.count_messages(order)
    except RuntimeError:
        whole = "\n\n".join(words for _, words in order.messages)
        joined = replace(order, messages=(("user", whole),))
        return joined, engine.count_messages(joined)


def _reading() -> "Callable[[Written, str], Usable | Unavailable]":
    with needs_packages("local"):
        # Loaded here: it needs a package that a bare install does not have.
        from tracewitness.backends.local_reading import read_written  # noqa: PLC0415
    return read_written


def _none(cause: UnavailableCause, detail: str) -> Unavailable:
    return Unavailable(cause, detail, microusd=0)
