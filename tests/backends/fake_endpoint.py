"""A small HTTP server that speaks the OpenAI protocol, answers from a script, and misbehaves on demand.

It runs in a thread of its own on an ephemeral port of 127.0.0.1, so tests, threads and child processes can reach it.
"""

import asyncio
import json
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Any, cast

_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}
_TOKEN_LENGTH = 4


@dataclass(frozen=True)
class Call:
    """One request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All texts of the messages, one under the other."""
        return "\n".join(_texts(self.body.get("messages", [])))

    @property
    def form(self) -> str:
        """The form of answer that is asked for."""
        if self.body.get("tools"):
            return "tool_call"
        return self.body.get("response_format", {}).get("type", "plain_text")

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema that is asked for, other than in words."""
        if self.body.get("tools"):
            return self.body["tools"][0]["function"]["parameters"]
        wanted = self.body.get("response_format", {})
        return wanted.get("schema") or wanted.get("json_schema", {}).get("schema")


@dataclass(frozen=True)
class Reply:
    """What is sent back.

    Attributes:
        body: An object to be sent as JSON, or the bytes as they are.
        status: The HTTP status.
        headers: Further headers.
        half: Whether the connection is closed in the middle of the body.
        hang: Whether nothing is ever sent.
        tokens: Tokens billed: of the question, of the answer.
    """

    body: dict[str, Any] | bytes = field(default_factory=dict[str, Any])
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    half: bool = False
    hang: bool = False
    tokens: tuple[int, int] = (0, 0)


Script = Callable[[Call], Reply | str | dict[str, Any]]
"""Answers a call: with a reply, with the text of the message, or with the object of the message."""


class Fault(StrEnum):
    """How a call can go wrong."""

    RATE_LIMIT = "429"
    SERVER_ERROR = "500"
    OVERLOADED = "503"
    HANG = "hang"
    HALF = "half a response"
    NO_JSON = "a body that is no JSON"
    CHATTER = "an answer that is no JSON"
    WRONG_SCHEMA = "an answer of the wrong form"
    REFUSAL = "a refusal"


@dataclass(frozen=True)
class Faults:
    """Which calls go wrong: a share of them, chosen by a seed, each with one of the kinds."""

    rate: float
    kinds: tuple[Fault, ...]
    seed: int = 0
    retry_after: str = "0"

    def chooser(self) -> Callable[[], Fault | None]:
        """Return what chooses the fault of the next call."""
        chance = random.Random(self.seed)
        return lambda: chance.choice(self.kinds) if chance.random() < self.rate else None


def completion(content: str | dict[str, Any] | None, call: Call | None = None, **message: Any) -> Reply:
    """Return a chat completion.

    Args:
        content: The text of the message, or its object.
        call: The call that it answers, for its tokens.
        **message: Further fields of the message (``reasoning_content``, ``refusal``, ``tool_calls``), and
            ``finish_reason`` and ``logprobs`` of the choice.
    """
    text = json.dumps(content) if isinstance(content, dict) else content
    choice = {"index": 0, "finish_reason": message.pop("finish_reason", "stop")}
    if (logprobs := message.pop("logprobs", None)) is not None:
        choice["logprobs"] = {"content": logprobs}
    choice["message"] = {"role": "assistant", "content": text, **message}
    tokens = (len(call.text) // _TOKEN_LENGTH if call else 10, len(text or "") // _TOKEN_LENGTH + 1)
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    whole: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "fake", "provider": "fake"}
    whole |= {"choices": [choice], "usage": usage}
    return Reply(whole, tokens=tokens)


def tool_completion(arguments: dict[str, Any] | str, name: str = "answer") -> Reply:
    """Return a chat completion that calls a tool."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": text}}
    return completion(None, tool_calls=[call], finish_reason="tool_calls")


def failure(status: int, message: str = "no", headers: Mapping[str, str] | None = None, **fields: Any) -> Reply:
    """Return an error as the OpenAI protocol words it."""
    return Reply({"error": {"message": message, "type": "error", **fields}}, status, headers or {})


def token_entries(pieces: Sequence[str], others: Mapping[str, float] | None = None) -> list[dict[str, Any]]:
    """Return the probabilities of tokens: each piece at -0.1, with the given alternatives."""
    top = [{"token": text, "logprob": value, "bytes": None} for text, value in (others or {}).items()]
    return [
        {"token": p, "logprob": -0.1, "bytes": None, "top_logprobs": [{"token": p, "logprob": -0.1}, *top]}
        for p in pieces
    ]


def obedient(call: Call) -> Reply:
    """Answer with the smallest object that the asked-for schema takes; with a greeting where none is asked for."""
    if call.schema is None:
        return completion("Hello!", call)
    value = smallest(call.schema)
    return tool_completion(value) if call.form == "tool_call" else completion(value, call)


def smallest(schema: Mapping[str, Any]) -> Any:
    """Return the smallest value that a schema takes; enough for the schemas of this project."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return smallest(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: smallest(properties[name]) for name in schema.get("required", [])}
        case "array":
            return [smallest(schema["items"])] * schema.get("minItems", 0)
        case "boolean":
            return False
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "null":
            return None
        case _:
            return ""


class FakeEndpoint:
    """The server. Use it as a context manager.

    Attributes:
        calls: Every call for a completion, in order.
        faults: The fault of each of those calls; None for one that went well.
        billed: Tokens billed so far: of questions, of answers.
        running: How many calls are under way.
        most_at_once: Most calls under way together.
        connections: How many connections were opened.
    """

    def __init__(
        self,
        script: Script = obedient,
        faults: Faults | None = None,
        models: Sequence[Mapping[str, Any]] = ({"id": "fake"},),
        latency: float = 0.0,
        props: Mapping[str, Any] | None = None,
    ) -> None:
        self._script = script
        self._choose = faults.chooser() if faults else lambda: None
        self._retry_after = faults.retry_after if faults else "0"
        self._models = models
        self._latency = latency
        self._props = props
        self.running = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.calls: list[Call] = []
        self.faults: list[Fault | None] = []
        self.billed = (0, 0)
        self.most_at_once = 0
        self.connections = 0
        self.port = 0

    @property
    def root(self) -> str:
        """The URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The base URL of its OpenAI protocol."""
        return f"{self.root}/v1"

    def __enter__(self) -> "FakeEndpoint":
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._main())
        self._loop.close()

    async def _main(self) -> None:
        self._stop = asyncio.Event()
        self._open: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._open.add(task)
        self.connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        call = Call(method, path, headers, json.loads(body) if body else {})
        reply = await self._answer(call)
        if reply.hang:
            await asyncio.sleep(3600)
        data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        fields = {"Content-Type": "application/json", "Content-Length": str(len(data)), **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} {_REASONS.get(reply.status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        writer.write(data[: len(data) // 2] if reply.half else data)
        await writer.drain()
        return not reply.half

    async def _answer(self, call: Call) -> Reply:
        if call.method == "GET":
            return self._told(call.path)
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        try:
            self.calls.append(call)
            fault = self._choose()
            self.faults.append(fault)
            if self._latency:
                await asyncio.sleep(self._latency)
            reply = self._spoilt(fault, call) if fault else self._scripted(call)
        finally:
            self.running -= 1
        self.billed = (self.billed[0] + reply.tokens[0], self.billed[1] + reply.tokens[1])
        return reply

    def _scripted(self, call: Call) -> Reply:
        reply = self._script(call)
        return reply if isinstance(reply, Reply) else completion(reply, call)

    def _told(self, path: str) -> Reply:
        if path.endswith("/models"):
            return Reply({"object": "list", "data": [{"object": "model", **model} for model in self._models]})
        if path.endswith("/props") and self._props is not None:
            return Reply(dict(self._props))
        return failure(404, "not found")

    def _spoilt(self, fault: Fault, call: Call) -> Reply:
        match fault:
            case Fault.RATE_LIMIT:
                return failure(429, "slow down", {"Retry-After": self._retry_after})
            case Fault.SERVER_ERROR:
                return failure(500, "broken")
            case Fault.OVERLOADED:
                return failure(503, "overloaded", {"Retry-After": self._retry_after})
            case Fault.HANG:
                return Reply(hang=True)
            case Fault.HALF:
                return Reply(self._scripted(call).body, half=True)
            case Fault.NO_JSON:
                return Reply(b"<html>bad gateway</html>")
            case Fault.CHATTER:
                return completion("I would rather talk about the weather.", call)
            case Fault.WRONG_SCHEMA:
                return completion({"weather": "fine"}, call)
            case Fault.REFUSAL:
                return completion(None, call, refusal="I cannot help with that.")


def _texts(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    texts: list[str] = []
    for message in messages:
        content = message.get("content")
        if isinstance(content, str):
            texts.append(content)
        else:
            parts = cast("list[dict[str, Any]]", content or [])
            texts += [part["text"] for part in parts if part.get("type") == "text"]
    return texts
