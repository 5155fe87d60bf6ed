"""A question as the client library takes it: messages, parameters for the form of answer, settings."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from tracewitness.asking.capabilities import AnswerForm
from tracewitness.asking.port import Question
from tracewitness.backends.naming import ModelName, Provider
from tracewitness.backends.options import RemoteOptions
from tracewitness.backends.schema_in_words import told_schema

_SELF_SERVED = frozenset({Provider.ENDPOINT, Provider.VLLM, Provider.SGLANG, Provider.LLAMACPP})
_OTHER_PROTOCOL = frozenset({Provider.ANTHROPIC, Provider.GOOGLE})
_TOLD_IN_WORDS = frozenset({AnswerForm.JSON_OBJECT, AnswerForm.PLAIN_TEXT})
_LEAST_BUDGET = 1024
_QWEN_TOP = 5

ANSWER_NAME = "answer"
"""The name under which the answer's schema is sent."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How one model is asked.

    Attributes:
        name: The model.
        form: The form of answer.
        options: The options.
        logprobs: Whether the model gives the probabilities of its tokens.
    """

    name: ModelName
    form: AnswerForm
    options: RemoteOptions
    logprobs: bool = False


def messages_of(question: Question, form: AnswerForm) -> list[ModelMessage]:
    """Return the messages of a question: system, user, and each picture behind its label."""
    system = question.system
    if form in _TOLD_IN_WORDS:
        # Nothing else shows the schema to the model in these forms.
        system = f"{system}\n\n{told_schema(question.schema)}"
    content: list[UserContent] = [question.user]
    for picture in question.pictures:
        if picture.label:
            content.append(picture.label)
        content.append(BinaryContent(data=picture.data, media_type=picture.media_type))
    user = UserPromptPart(question.user if len(content) == 1 else content)
    return [ModelRequest(parts=[SystemPromptPart(system), user])]


def repair_of(messages: Sequence[ModelMessage], answer: str, reason: str) -> list[ModelMessage]:
    """Return the messages that send an answer back once with what was wrong with it."""
    wish = f"That is no usable answer: {reason}. Write the whole JSON object again, put right, and nothing else."
    return [
        *messages,
        ModelResponse(parts=[TextPart(answer or "(nothing)")]),
        ModelRequest(parts=[UserPromptPart(wish)]),
    ]


def parameters_of(question: Question, manner: Manner) -> ModelRequestParameters:
    """Return the parameters that bring a model to answer in a form."""
    match manner.form:
        case AnswerForm.JSON_SCHEMA if manner.name.provider in _SELF_SERVED:
            # Sent as it is (see settings_of): the library would go through it anew for every call, at a fifth of its
            # cost, to fit it to one provider's dialect that these servers do not speak.
            return ModelRequestParameters()
        case AnswerForm.JSON_SCHEMA:
            wanted = OutputObjectDefinition(typed_schema(question.schema), name=ANSWER_NAME)
            return ModelRequestParameters(output_mode="native", output_object=wanted)
        case AnswerForm.TOOL_CALL:
            schema = typed_schema(question.schema)
            tool = ToolDefinition(
                name=ANSWER_NAME, parameters_json_schema=schema, description="Gives the answer.", kind="output"
            )
            return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
        case AnswerForm.JSON_OBJECT if manner.name.provider in _OTHER_PROTOCOL:
            wanted = OutputObjectDefinition(typed_schema(question.schema), name=ANSWER_NAME)
            return ModelRequestParameters(output_mode="prompted", output_object=wanted, prompted_output_template=False)
        case _:
            return ModelRequestParameters()


def settings_of(question: Question, manner: Manner, model: Model) -> ModelSettings:
    """Return the settings of a request."""
    options, provider = manner.options, manner.name.provider
    settings: dict[str, Any] = {"max_tokens": question.answer_tokens + thinking_room(options, model)}
    temperature = temperature_of(options, model)
    if temperature is not None:
        settings["temperature"] = temperature
    if provider is not Provider.ANTHROPIC:
        settings["seed"] = question.run_number
    body: dict[str, Any] = {}
    _set_thinking(settings, body, manner, model)
    if provider not in _OTHER_PROTOCOL:
        if manner.form is AnswerForm.JSON_OBJECT:
            body["response_format"] = _json_object(question, provider)
        if manner.form is AnswerForm.JSON_SCHEMA and provider in _SELF_SERVED:
            body["response_format"] = _json_schema(question.schema)
        # A model that takes no temperature gives no probabilities either: it is thinking.
        if question.logprobs and manner.logprobs and temperature is not None:
            settings["openai_logprobs"] = True
            settings["openai_top_logprobs"] = _top(options, provider)
    if body:
        settings["extra_body"] = body
    return cast(ModelSettings, settings)


def temperature_of(options: RemoteOptions, model: Model) -> float | None:
    """Return the temperature that is sent; None where the model takes none."""
    profile = cast("Mapping[str, Any]", model.profile)
    if profile.get("anthropic_disallows_sampling_settings", False):
        return None
    thinks = options.thinking
    if thinks is None:
        thinks = bool(profile.get("thinking_enabled_by_default", False))
    thinks = thinks or bool(profile.get("thinking_always_enabled", False))
    takes_none = profile.get("openai_supports_reasoning", False) or "anthropic_supports_adaptive_thinking" in profile
    return None if thinks and takes_none else options.temperature


def thinking_room(options: RemoteOptions, model: Model) -> int:
    """Return how many tokens are allowed for thinking, beside those of the answer."""
    always = model.profile.get("thinking_always_enabled", False)
    return options.thinking_tokens if options.thinking is not False or always else 0


def typed_schema(schema: str) -> dict[str, Any]:
    """Return a schema in which every enumeration of texts says that it is one: some providers insist on it."""
    return _typed(json.loads(schema))


def _typed(node: Any) -> Any:
    if isinstance(node, list):
        return [_typed(each) for each in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    fields = {key: _typed(value) for key, value in cast("dict[str, Any]", node).items()}
    values: Any = fields.get("enum")
    if "type" not in fields and isinstance(values, list) and all(isinstance(v, str) for v in cast("list[Any]", values)):
        fields["type"] = "string"
    return fields


def _set_thinking(settings: dict[str, Any], body: dict[str, Any], manner: Manner, model: Model) -> None:
    thinking, provider = manner.options.thinking, manner.name.provider
    if thinking is None:
        return
    reasons = bool(cast("Mapping[str, Any]", model.profile).get("openai_supports_reasoning", False))
    if provider in _SELF_SERVED and not reasons:
        body["chat_template_kwargs"] = {"enable_thinking": thinking}
    elif provider is Provider.QWEN:
        body["enable_thinking"] = thinking
    elif provider is Provider.OLLAMA:
        settings["openai_reasoning_effort"] = "medium" if thinking else "none"
    elif provider is Provider.ANTHROPIC and thinking and _by_budget(model):
        budget = max(_LEAST_BUDGET, manner.options.thinking_tokens)
        settings["anthropic_thinking"] = {"type": "enabled", "budget_tokens": budget}
    else:
        settings["thinking"] = thinking


def _by_budget(model: Model) -> bool:
    """Return whether a model of Anthropic is given its thinking as a number of tokens."""
    profile = cast("Mapping[str, Any]", model.profile)
    return bool(profile.get("supports_thinking")) and not profile.get("anthropic_supports_adaptive_thinking", False)


@lru_cache(maxsize=16)
def _json_schema(schema: str) -> dict[str, Any]:
    wanted = {"name": ANSWER_NAME, "schema": typed_schema(schema), "strict": True}
    return {"type": "json_schema", "json_schema": wanted}


def _json_object(question: Question, provider: Provider) -> dict[str, Any]:
    # Servers that people run themselves take the schema beside; providers may refuse a field they do not know.
    beside = {"schema": typed_schema(question.schema)} if provider in _SELF_SERVED else {}
    return {"type": "json_object", **beside}


def _top(options: RemoteOptions, provider: Provider) -> int:
    return min(options.top_logprobs, _QWEN_TOP) if provider is Provider.QWEN else options.top_logprobs
