"""Finds out by a few tiny questions what a model can do."""

import struct
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.port import Answer, Picture, Question, Side, Unavailable
from tracewitness.backends.endpoints import Endpoint
from tracewitness.backends.keys import Key
from tracewitness.backends.listing import ProbeError, context_tokens
from tracewitness.backends.models import model_of
from tracewitness.backends.naming import ModelName, Provider
from tracewitness.backends.options import RemoteOptions
from tracewitness.backends.remote import RemoteAsker
from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import canonical_json, digest_bytes

_OTHER_PROTOCOL = frozenset({Provider.ANTHROPIC, Provider.GOOGLE})
_ENDPOINT_FAILED = frozenset(
    {
        UnavailableCause.TRANSPORT,
        UnavailableCause.TIMEOUT,
        UnavailableCause.RATE_LIMITED,
        UnavailableCause.REJECTED,
    }
)

_COLOURS = {
    "red": (255, 0, 0),
    "green": (0, 160, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 230, 0),
    "black": (0, 0, 0),
    "white": (255, 255, 255),
}
_SHOWN = ("blue", "yellow")
_SIDE = 32
_ANSWER_TOKENS = 200


def known_capabilities(name: ModelName, key: Key, endpoint: Endpoint) -> Capabilities | None:
    """Return what is known of the models of a provider without asking; None where that has to be asked."""
    if name.provider not in {Provider.OPENAI, *_OTHER_PROTOCOL}:
        return None
    model = model_of(name, key, endpoint.http)
    profile = cast("Mapping[str, Any]", model.profile)
    native = bool(profile.get("supports_json_schema_output", False))
    return Capabilities(
        AnswerForm.JSON_SCHEMA if native else AnswerForm.TOOL_CALL,
        logprobs=name.provider is Provider.OPENAI and not profile.get("openai_supports_reasoning", False),
        images=True,
        context_tokens=model.context_window,
    )


async def probe(name: ModelName, options: RemoteOptions, endpoint: Endpoint, key: Key) -> Capabilities:
    """Ask a model a few tiny questions, and return what it can do.

    An answer of the wrong form counts as a form not taken.

    Raises:
        ProbeError: The endpoint could not be reached, or no form brought an answer.
    """
    refused: list[tuple[AnswerForm, str]] = []
    for form in _forms(name):
        capabilities = Capabilities(form, refused=tuple(refused))
        reply = await _ask(name, capabilities, options, endpoint, key, _form_question())
        if isinstance(reply, Answer):
            return await _complete(name, capabilities, options, endpoint, key)
        refused.append((form, f"{reply.cause.id}: {reply.detail}"))
    told = "; ".join(f"{form}: {why}" for form, why in refused)
    raise ProbeError(f"{name.text} answers in no form ({told})")


async def _complete(
    name: ModelName, found: Capabilities, options: RemoteOptions, endpoint: Endpoint, key: Key
) -> Capabilities:
    """Return the capabilities with logprobs, images and the size of the context."""
    logprobs = False
    if name.provider not in _OTHER_PROTOCOL and found.form is not AnswerForm.TOOL_CALL:
        able = replace(found, logprobs=True)
        reply = await _ask(name, able, options, endpoint, key, replace(_form_question(), logprobs=True))
        logprobs = isinstance(reply, Answer) and bool(reply.tokens)
    reply = await _ask(name, found, options, endpoint, key, _picture_question())
    images = isinstance(reply, Answer) and (reply.value["first"], reply.value["second"]) == _SHOWN
    told = None if name.provider in _OTHER_PROTOCOL else await context_tokens(name, key, endpoint)
    return replace(
        found,
        logprobs=logprobs,
        images=images,
        context_tokens=told or model_of(name, key, endpoint.http).context_window,
    )


async def _ask(
    name: ModelName,
    capabilities: Capabilities,
    options: RemoteOptions,
    endpoint: Endpoint,
    key: Key,
    question: Question,
) -> Answer | Unavailable:
    steady = replace(options, temperature=0.0)
    reply = await RemoteAsker(name, capabilities, steady, endpoint, key).ask(question)
    if isinstance(reply, Unavailable) and reply.cause in _ENDPOINT_FAILED:
        raise ProbeError(f"{name.text}: {reply.cause.sentence} ({reply.detail})")
    return reply


def _forms(name: ModelName) -> tuple[AnswerForm, ...]:
    if name.provider is Provider.ANTHROPIC:
        return (AnswerForm.JSON_SCHEMA, AnswerForm.TOOL_CALL, AnswerForm.PLAIN_TEXT)
    return tuple(AnswerForm)


def _form_question() -> Question:
    # Only a model that is held to the schema answers with an object: the words do not ask for one.
    schema = _schema(mood=("calm", "busy"), sure=("yes", "no"))
    return Question(Side.REPORT, "probe/1", "You are friendly.", "Greet me.", schema, answer_tokens=_ANSWER_TOKENS)


def _picture_question() -> Question:
    colours = tuple(_COLOURS)
    user = "Which colour has the first picture, and which the second? Answer as a JSON object: first, second."
    pictures = tuple(_picture(colour, label) for colour, label in zip(_SHOWN, ("first", "second"), strict=True))
    schema = _schema(first=colours, second=colours)
    return Question(
        Side.TRACE, "probe/1", "You look at pictures.", user, schema, 0, pictures, answer_tokens=_ANSWER_TOKENS
    )


def _schema(**choices: tuple[str, ...]) -> str:
    properties = {name: {"type": "string", "enum": list(values)} for name, values in choices.items()}
    whole = {"type": "object", "properties": properties, "required": list(choices), "additionalProperties": False}
    return canonical_json(whole)


def _picture(colour: str, label: str) -> Picture:
    data = _png(_COLOURS[colour])
    return Picture(digest_bytes(data), "image/png", data, label)


def _png(colour: tuple[int, int, int]) -> bytes:
    """Return a small PNG picture of one colour."""
    row = b"\x00" + bytes(colour) * _SIDE
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(row * _SIDE)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
