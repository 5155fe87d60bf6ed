"""Why a model stopped, in the words of the providers: whether it came to the end of what it wanted to say."""

from collections.abc import Mapping
from typing import Any

from tracewitness.intake.finishing import bare
from tracewitness.intake.untyped import list_of, object_of

_CUT = frozenset(
    map(
        bare,
        (
            "length max_tokens max_output_tokens max_length max_new_tokens token_limit model_length content_filter "
            "model_context_window_exceeded pause_turn incomplete recitation safety error malformed_function_call"
        ).split(),
    )
)
_KEYS = ("finish_reason", "finishReason", "stop_reason", "stopReason", "finish_reasons", "done_reason")
_HOLDERS = ("response_metadata", "generation_info", "incomplete_details")


def is_cut(reason: Any) -> bool:
    """Tell whether a reason says that the model was stopped in the midst of its answer."""
    if isinstance(reason, list):
        return any(is_cut(one) for one in list_of(reason)[:10])
    return isinstance(reason, str) and bare(reason.rsplit(".", 1)[-1]) in _CUT


def says_cut(keys: Mapping[str, Any]) -> bool:
    """Tell whether a message, or what it stands in, says that the model was stopped in the midst of it."""
    held = [keys, *(object_of(keys.get(name)) for name in _HOLDERS)]
    return any(is_cut(one.get(key)) for one in held for key in _KEYS) or is_cut(
        object_of(keys.get("incomplete_details")).get("reason")
    )
