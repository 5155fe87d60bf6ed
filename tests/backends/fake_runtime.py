"""A stand-in for the runtime of local models: says what it is told to, and notes what it was asked."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import Any


class Finish(Enum):
    STOP = 1
    LENGTH = 2
    NONE = 0


class Streaming(Enum):
    RUNNING = 0
    CANCEL = 1


class History:
    def __init__(self, messages: list[dict[str, str]]) -> None:
        self.messages = messages
        self.extra: dict[str, Any] = {}

    def set_extra_context(self, extra: dict[str, Any]) -> None:
        self.extra = extra


@dataclass
class Runtime:
    """What the runtime does.

    Attributes:
        say: Returns the text for a question, or raises.
        finish: How the generation ends.
        seconds: How long a piece of the text takes.
        system: Whether the template knows system messages.
        loadable: Whether the file can be loaded.
        loaded: The files that were loaded.
        asked: Each generation's messages, extra context and settings.
        together: The most generations at once.
    """

    say: Callable[[History], str] = lambda _: '{"claim": "SUCCESS"}'
    finish: Finish = Finish.STOP
    seconds: float = 0.0
    system: bool = True
    loadable: bool = True
    loaded: list[str] = field(default_factory=list[str])
    asked: list[SimpleNamespace] = field(default_factory=list[SimpleNamespace])
    together: int = 0
    now: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def module(self) -> ModuleType:
        """Return the module that takes the runtime's place."""
        made = ModuleType("openvino_genai")
        parts: dict[str, Any] = {
            "__version__": "2026.4.test",
            "ChatHistory": History,
            "GenerationFinishReason": Finish,
            "StreamingStatus": Streaming,
            "StructuredOutputConfig": lambda json_schema: json_schema,  # pyright: ignore[reportUnknownLambdaType]
            "LLMPipeline": lambda path, device: Pipeline(self, path, device),  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
        }
        for name, part in parts.items():
            setattr(made, name, part)
        return made


class Pipeline:
    def __init__(self, runtime: Runtime, path: str, device: str) -> None:
        runtime.loaded.append(path)
        if not runtime.loadable:
            raise RuntimeError("Exception from src/gguf.cpp: unsupported architecture")
        assert device == "CPU"
        self._runtime = runtime

    def get_tokenizer(self) -> "Pipeline":
        return self

    def get_generation_config(self) -> SimpleNamespace:
        return SimpleNamespace(
            max_new_tokens=None, do_sample=None, temperature=None, rng_seed=None, structured_output_config=None
        )

    def encode(self, text: str, add_special_tokens: bool = True) -> SimpleNamespace:
        assert not add_special_tokens
        return SimpleNamespace(input_ids=SimpleNamespace(shape=[1, len(text.split())]))

    def apply_chat_template(self, history: History, add_generation_prompt: bool, extra_context: dict[str, Any]) -> str:
        assert add_generation_prompt
        if not self._runtime.system and any(one["role"] == "system" for one in history.messages):
            raise RuntimeError("System role not supported")
        return " ".join(["<start>", *(one["content"] for one in history.messages), *extra_context])

    def generate(self, history: History, config: SimpleNamespace, watch: Callable[[str], Streaming]) -> SimpleNamespace:
        runtime = self._runtime
        with runtime.lock:
            runtime.now += 1
            runtime.together = max(runtime.together, runtime.now)
        try:
            runtime.asked.append(SimpleNamespace(messages=history.messages, extra=history.extra, **vars(config)))
            text, finish = self._streamed(runtime.say(history), watch)
        finally:
            with runtime.lock:
                runtime.now -= 1
        counts = SimpleNamespace(get_num_input_tokens=lambda: 11, get_num_generated_tokens=lambda: 7)
        return SimpleNamespace(texts=[text], finish_reasons=[finish], perf_metrics=counts)

    def _streamed(self, text: str, watch: Callable[[str], Streaming]) -> tuple[str, Finish]:
        pieces: Iterable[str] = text.split(" ")
        told: list[str] = []
        for piece in pieces:
            time.sleep(self._runtime.seconds)
            told.append(piece)
            if watch(piece) is Streaming.CANCEL:
                return " ".join(told), Finish.NONE
        return text, self._runtime.finish
