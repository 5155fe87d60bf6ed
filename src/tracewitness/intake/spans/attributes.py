"""What the attributes of a span mean, in the conventions of the tracers: names, old and new, by what they hold.

OpenTelemetry GenAI (with its older names), OpenInference, Vercel AI SDK, OpenLLMetry (Traceloop), Logfire, Google ADK,
MLflow. Whatever is not named here is not read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tracewitness.intake.own_words import size_of
from tracewitness.intake.spans.called import parsed
from tracewitness.intake.spans.dotted import Attributes, flat, unflattened
from tracewitness.intake.spans.span import SpanKind
from tracewitness.intake.stop_reasons import is_cut
from tracewitness.intake.untyped import list_of, objects_of, text_of

_KIND_KEYS = (
    "openinference.span.kind",
    "gen_ai.operation.name",
    "traceloop.span.kind",
    "langfuse.observation.type",
    "langsmith.span.kind",
    "mlflow.spanType",
)
_KINDS: Mapping[str, SpanKind] = {
    **dict.fromkeys(
        "agent chain workflow task invoke_agent create_agent invoke_workflow span unknown".split(), SpanKind.AGENT
    ),
    **dict.fromkeys(
        "llm chat_model chat text_completion generate_content generation completion".split(), SpanKind.MODEL
    ),
    **dict.fromkeys("tool execute_tool retriever retrieval".split(), SpanKind.TOOL),
    **dict.fromkeys("evaluator evaluation".split(), SpanKind.GRADER),
    **dict.fromkeys("embedding embeddings embed guardrail reranker rerank parser prompt event".split(), SpanKind.OTHER),
}
_AI_SDK: Mapping[str, SpanKind] = {
    "ai.toolCall": SpanKind.TOOL,
    "ai.embed": SpanKind.OTHER,
    "ai.embedMany": SpanKind.OTHER,
}
_TOOL_NAMES = ("gen_ai.tool.name", "tool.name", "tool_name", "ai.toolCall.name", "traceloop.entity.name")
_TOOL_INPUT = (
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "tool_arguments",
    "gcp.vertex.agent.tool_call_args",
    "input.value",
    "traceloop.entity.input",
    "mlflow.spanInputs",
    "langfuse.observation.input",
    "gen_ai.prompt",
    "tool.parameters",
)
_TOOL_OUTPUT = (
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "ai.toolCall.output",
    "tool_response",
    "gcp.vertex.agent.tool_response",
    "output.value",
    "traceloop.entity.output",
    "mlflow.spanOutputs",
    "langfuse.observation.output",
    "gen_ai.completion",
)
_CALL_IDS = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id")
_INPUT = (
    "gen_ai.input.messages",
    "ai.prompt.messages",
    "ai.prompt",
    "gcp.vertex.agent.llm_request",
    "input.value",
    "traceloop.entity.input",
    "mlflow.spanInputs",
    "langfuse.observation.input",
    "langfuse.trace.input",
    "gen_ai.prompt",
)
_OUTPUT = (
    "gen_ai.output.messages",
    "gcp.vertex.agent.llm_response",
    "final_result",
    "output.value",
    "traceloop.entity.output",
    "mlflow.spanOutputs",
    "langfuse.observation.output",
    "langfuse.trace.output",
    "gen_ai.completion",
)
_LISTED_INPUT = ("llm.input_messages", "gen_ai.prompt")
_LISTED_OUTPUT = ("llm.output_messages", "gen_ai.completion")
_REASONS = (
    "gen_ai.response.finish_reasons",
    "gen_ai.response.finish_reasons.0",
    "gen_ai.completion.0.finish_reason",
    "ai.response.finishReason",
    "llm.response.finish_reason",
    "llm.response.stop_reason",
)
_DOCUMENTS = "retrieval.documents"
_GRADES = ("annotation.", "evaluation.", "eval.", "gen_ai.evaluation.", "langfuse.score", "score.")
GIVEN = frozenset((*_INPUT, *_LISTED_INPUT))
"""Attributes that hold what a model or an agent was given."""
GAVE = frozenset(
    (
        *_OUTPUT,
        *_LISTED_OUTPUT,
        "ai.response.text",
        "ai.response.object",
        "ai.response.toolCalls",
        "ai.response.reasoning",
    )
)
"""Attributes that hold what a model or an agent gave back."""
ARGUMENTS = frozenset(_TOOL_INPUT)
"""Attributes that hold the arguments of a call of a tool."""
RESULTS = frozenset(_TOOL_OUTPUT)
"""Attributes that hold what a tool gave back."""
LISTED = (*_LISTED_INPUT, *_LISTED_OUTPUT)
"""Attributes that may be written down part by part, under dotted names."""
GRADES = _GRADES
"""How the names of attributes begin that hold scores and evaluations."""
_NAMED_TOOL = re.compile(r"^(?:execute_tool|running tool\b:?|tool[.:]|tool call\b:?)\s*(?=\S)", re.IGNORECASE)
_MOMENT = re.compile(r"^tool\.(.+)\.(start|success|finish|error|retry)$")
"""BeeAI writes a span for every moment of a call; the result stands in one of them."""
_ASKING = ("llm.input_messages", "gen_ai.prompt", "gen_ai.input", "gcp.vertex.agent.llm_request")


def kind_of_span(name: str, attributes: Attributes) -> SpanKind:
    """Return what a span is one of, by its attributes; by its name where no convention says so."""
    moment = _MOMENT.match(text_of(attributes.get("target")))
    if moment is not None:
        return SpanKind.TOOL if moment.group(2) in ("success", "error") else SpanKind.OTHER
    for key in _KIND_KEYS:
        kind = _KINDS.get(text_of(attributes.get(key)).casefold())
        if kind is not None:
            return kind
    operation = text_of(attributes.get("ai.operationId"))
    if operation:
        return _kind_of_operation(operation)
    if any(text_of(attributes.get(key)) for key in _TOOL_NAMES[:3]) or _NAMED_TOOL.match(name):
        return SpanKind.TOOL
    holds_messages = any(key.startswith(_ASKING) for key in attributes)
    return SpanKind.MODEL if holds_messages else SpanKind.OTHER


def _kind_of_operation(operation: str) -> SpanKind:
    base, _, inner = operation.removeprefix("ai.").partition(".")
    known = _AI_SDK.get(f"ai.{base}")
    return known if known is not None else SpanKind.MODEL if inner.startswith("do") else SpanKind.AGENT


def tool_name(name: str, attributes: Attributes) -> str:
    """Return the name of the tool that a span is a call of."""
    moment = _MOMENT.match(text_of(attributes.get("target")))
    if moment is not None:
        return moment.group(1)
    given = next((found for key in _TOOL_NAMES if (found := text_of(attributes.get(key)))), "")
    return given or _NAMED_TOOL.sub("", name).strip() or "tool"


def mentioned_tool(kind: SpanKind, attributes: Attributes) -> str:
    """Return the tool that a span of another kind says was called; empty where it says nothing of the kind."""
    return "" if kind in (SpanKind.TOOL, SpanKind.OTHER) else text_of(attributes.get("tool.name"))


def call_id_of(attributes: Attributes) -> str | None:
    """Return the id of the call that a tool's span answers."""
    return next((found for key in _CALL_IDS if (found := text_of(attributes.get(key)))), None)


def input_of(kind: SpanKind, attributes: Attributes) -> Any:
    """Return the input of a span; None where the log does not hold it."""
    if kind is SpanKind.TOOL:
        return _first(attributes, _TOOL_INPUT)
    found = _listed(attributes, _LISTED_INPUT)
    return found if found is not None else _first(attributes, _INPUT)


def output_of(kind: SpanKind, attributes: Attributes) -> Any:
    """Return the output of a span; None where the log does not hold it."""
    if kind is SpanKind.TOOL:
        found = _first(attributes, _TOOL_OUTPUT)
        return found if found is not None else _documents(attributes)
    found = _listed(attributes, _LISTED_OUTPUT)
    if found is None:
        found = _first(attributes, _OUTPUT)
    if found is None:
        found = _ai_sdk_output(attributes)
    # An answer without words is one: whether there is an answer must not depend on what it says.
    return "" if found is None and any(attributes.get(key) == "" for key in _OUTPUT) else found


def cut_of(attributes: Attributes) -> bool:
    """Tell whether the attributes say that the model was stopped in the midst of its answer."""
    told = (attributes.get(key) for key in _REASONS)
    opened = (parsed(one) if isinstance(one, str) else one for one in told)
    return any(is_cut(one) for one in opened)


def graded_characters(attributes: Attributes) -> int:
    """Return how many characters of scores and evaluations stand in the attributes."""
    return sum(size_of(_plain(value)) for key, value in attributes.items() if key.startswith(_GRADES))


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _first(attributes: Attributes, keys: Iterable[str]) -> Any:
    found = (attributes[key] for key in keys if key in attributes)
    return next((value for value in found if value not in (None, "")), None)


def _ai_sdk_output(attributes: Attributes) -> Any:
    """Return a message of what the AI SDK writes down of a response."""
    text = attributes.get("ai.response.text", attributes.get("ai.response.object"))
    calls = attributes.get("ai.response.toolCalls")
    listed = parsed(calls) if isinstance(calls, str) else calls
    thoughts = attributes.get("ai.response.reasoning")
    if text is None and listed is None:
        return None
    message = {"role": "assistant", "content": text or "", "reasoning": thoughts}
    return {**message, "tool_calls": list_of(listed)}


def _documents(attributes: Attributes) -> Any:
    """Return the documents that a retriever found, without their scores."""
    found = unflattened(attributes, _DOCUMENTS)
    if found is None:
        return None
    documents = [flat(one) for one in objects_of(found)]
    held = [one.get(f"document.{key}") for one in documents for key in ("content", "metadata")]
    return [text for text in held if text not in (None, "", {})]


def _listed(attributes: Attributes, names: Sequence[str]) -> Any:
    for name in names:
        found = unflattened(attributes, name)
        if found is not None:
            return found
    return None
