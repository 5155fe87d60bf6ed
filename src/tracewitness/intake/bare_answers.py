"""What answered one call, without what agents said in it: for logs that are no conversations.

Conversations bring their answers to the calls themselves (``turn_answers``), by the same rules.
"""

from tracewitness.intake.calls import Call, own_arguments
from tracewitness.intake.code.arguments import spoken_by
from tracewitness.intake.code.printed import without_printed
from tracewitness.intake.finishing import FINISH_KINDS
from tracewitness.intake.histories import answer_in
from tracewitness.intake.own_words import asks
from tracewitness.intake.quoting import texts_in, without_quotes, without_refused_arguments, worth_quoting
from tracewitness.intake.roles import Role, role_of
from tracewitness.intake.turn_steps import said_by_user
from tracewitness.trace_side.trace import USER_SAYS

FAILED = "the log says that it failed"
"""The error of a call that failed, where nothing of its words is the environment's."""
RESULT = "result: "
"""What an observation says ahead of an answer of the environment."""
_HIDDEN = frozenset({Role.ENDS, Role.UNDECIDED, Role.DELEGATES})


def bare_answer(call: Call, text: str, *, failed: bool = False, kinds: frozenset[str] = FINISH_KINDS) -> str:
    """Return what of an answer is the environment's, or a person's; empty where all of it is an agent's.

    Args:
        call: The call that was answered, with all its arguments.
        text: The answer.
        failed: Whether the log says that the call failed, so that this is its error.
        kinds: The kinds by which agents end a run.
    """
    if is_all_said(call, failed=failed, kinds=kinds):
        return ""
    kept, lost = own_arguments(call, kinds)
    said = worth_quoting((words for _, value in lost for words in texts_in(value)), texts_in(kept))
    told = without_refused_arguments(answer_in(text), failed=failed)
    told = without_quotes(without_printed(told, spoken_by(call.name, call.arguments)), said).strip()
    return said_by_user(told) if role_of(call.name, call.arguments, kinds) is Role.NOTES else told


def is_all_said(call: Call, *, failed: bool = False, kinds: frozenset[str] = FINISH_KINDS) -> bool:
    """Tell whether nothing of what answers a call is the environment's or a person's, by what the call is one of."""
    role = role_of(call.name, call.arguments, kinds)
    return role in _HIDDEN or (role is Role.NOTES and (failed or not asks(call.name)))


def shown_answer(words: str) -> str:
    """Return what is shown of an answer: the environment's is told as a result, that of a person is marked already."""
    return words if words.startswith(USER_SAYS) or not words else f"{RESULT}{words}"
