"""The runtime of local models: one pipeline for each file in the process, one generation at a time."""

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tracewitness.backends.errors import ModelError
from tracewitness.backends.gguf import GgufError, read_header
from tracewitness.backends.missing import needs_packages
from tracewitness.values.digests import Digest

_CHUNK = 4 * 1024 * 1024
_DEVICE = "CPU"


class LocalModelError(ModelError):
    """A model file cannot be used; the message is one line that names the file and says why."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file as it was when it was looked at: another content under the same name is another file.

    Attributes:
        path: The file.
        size: Its size in bytes.
        changed: When it was last changed, in nanoseconds.
    """

    path: Path
    size: int
    changed: int

    def digest(self) -> Digest:
        """Return the digest of its content, computed once in a process.

        Raises:
            OSError: It cannot be read.
        """
        return _digest(self)


def find_model(path: Path) -> tuple[ModelFile, int | None]:
    """Return a model file, looked through, and how many tokens the model reads at once where it says so.

    Raises:
        LocalModelError: The file is missing, no GGUF file, damaged or cut off.
    """
    try:
        real = path.resolve(strict=True)
        found = os.stat(real)
        header = read_header(real)
    except GgufError as error:
        raise LocalModelError(f"{path}: no usable GGUF file: {error}") from None
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "the path cannot be followed"
        raise LocalModelError(f"{path}: the model file cannot be opened ({reason.lower()})") from None
    return ModelFile(real, found.st_size, found.st_mtime_ns), header.context_tokens


@cache
def _digest(file: ModelFile) -> Digest:
    hasher = hashlib.sha256()
    with file.path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            hasher.update(chunk)
    return Digest("sha256:" + hasher.hexdigest())


@dataclass(frozen=True, slots=True)
class Order:
    """What a model is to write.

    Attributes:
        messages: Role and words of each message.
        schema: JSON Schema that the text has to match; None for free text.
        most_tokens: Most tokens of the text.
        temperature: Sampling temperature; 0 takes the likeliest token each time.
        seed: Seed of the sampling.
        thinking: Whether the model's template is told to think aloud or not; None leaves it alone.
    """

    messages: tuple[tuple[str, str], ...]
    schema: str | None
    most_tokens: int
    temperature: float
    seed: int
    thinking: bool | None


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote.

    Attributes:
        text: The text.
        input_tokens: Tokens that it read.
        output_tokens: Tokens that it wrote.
        cut: Whether it stopped because it had written the most that it may.
        stopped: Whether it was stopped before its end.
        seconds: How long it took.
    """

    text: str
    input_tokens: int
    output_tokens: int
    cut: bool
    stopped: bool
    seconds: float


class Engine:
    """The pipeline of one file, loaded when first used."""

    def __init__(self, file: ModelFile) -> None:
        self._file = file
        self._pipeline: Any = None
        self._loading = threading.Lock()
        self._generating = threading.Lock()

    def load(self) -> Any:
        """Return the pipeline.

        Raises:
            MissingPackageError: The runtime is not installed.
            RuntimeError: The runtime cannot load the file.
        """
        with self._loading:
            if self._pipeline is None:
                self._pipeline = _runtime().LLMPipeline(str(self._file.path), _DEVICE)
            return self._pipeline

    def count(self, text: str) -> int:
        """Return the exact number of tokens of a text."""
        return int(self.load().get_tokenizer().encode(text, add_special_tokens=False).input_ids.shape[1])

    def count_messages(self, order: Order) -> int:
        """Return the exact number of tokens that an order's messages take, with what the template puts around them."""
        history, extra = _history(order.messages), _extra(order)
        template = self.load().get_tokenizer().apply_chat_template
        return self.count(template(history, add_generation_prompt=True, extra_context=extra))

    def write(self, order: Order, seconds: float, stop: threading.Event) -> Written:
        """Write a text; waits until no other is being written, and that time does not count.

        Args:
            order: What to write.
            seconds: How long it may take.
            stop: Set from outside to stop it.
        """
        pipeline = self.load()
        with self._generating:
            started = time.monotonic()
            ended = threading.Event()

            def watch(_: str) -> Any:
                if stop.is_set() or time.monotonic() - started > seconds:
                    ended.set()
                    return _runtime().StreamingStatus.CANCEL
                return _runtime().StreamingStatus.RUNNING

            if stop.is_set():
                return Written("", 0, 0, False, True, 0.0)
            history = _history(order.messages)
            history.set_extra_context(_extra(order))
            found = pipeline.generate(history, _config(pipeline, order), watch)
            return _written(found, ended.is_set(), time.monotonic() - started)


def _written(found: Any, stopped: bool, seconds: float) -> Written:
    metrics = found.perf_metrics
    cut = _runtime().GenerationFinishReason.LENGTH in found.finish_reasons
    counts = (int(metrics.get_num_input_tokens()), int(metrics.get_num_generated_tokens()))
    return Written(str(found.texts[0]), *counts, cut, stopped, seconds)


def _history(messages: Sequence[tuple[str, str]]) -> Any:
    return _runtime().ChatHistory([{"role": role, "content": words} for role, words in messages])


def _extra(order: Order) -> dict[str, bool]:
    return {} if order.thinking is None else {"enable_thinking": order.thinking}


def _config(pipeline: Any, order: Order) -> Any:
    config = pipeline.get_generation_config()
    config.max_new_tokens = order.most_tokens
    config.do_sample = order.temperature > 0
    if config.do_sample:
        config.temperature = order.temperature
        config.rng_seed = order.seed
    if order.schema is not None:
        config.structured_output_config = _runtime().StructuredOutputConfig(json_schema=order.schema)
    return config


_engines: dict[ModelFile, Engine] = {}
_adding = threading.Lock()


def engine_of(file: ModelFile) -> Engine:
    """Return the one engine of a file in this process."""
    with _adding:
        return _engines.setdefault(file, Engine(file))


def runtime_version() -> str:
    """Return name and version of the runtime.

    Raises:
        MissingPackageError: It is not installed.
    """
    return f"openvino-genai {_runtime().__version__}"


def _runtime() -> Any:
    with needs_packages("local"):
        # Loaded here, so that an audit without a local model costs no start-up time.
        import openvino_genai  # noqa: PLC0415
    return openvino_genai
