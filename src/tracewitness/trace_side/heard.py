"""Words of users in observations: no evidence of anything, because a user repeats what the agent told them."""

from tracewitness.trace_side.trace import USER_SAYS, Trace


def without_words_of_users(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without the lines that a user said, and those lines."""
    if USER_SAYS not in text:
        return text, ()
    lines = text.split("\n")
    heard = tuple(line for line in lines if line.startswith(USER_SAYS))
    return "\n".join(line for line in lines if not line.startswith(USER_SAYS)), heard


def words_of_users(trace: Trace) -> str:
    """Return all that users said in the course of a run, one line each."""
    texts = (seen.text for step in trace.steps for seen in (step.before, step.after) if seen is not None and seen.text)
    heard = (line for text in texts for line in without_words_of_users(text)[1])
    return "\n".join(dict.fromkeys(line.removeprefix(USER_SAYS) for line in heard))
