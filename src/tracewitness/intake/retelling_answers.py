"""What answered one call, in other words of the agent: for logs that are no conversations.

An answer quotes what its call said, and the reader takes such quotes out. In a log that is retold the call says
something else, so its answer has to quote that; anything else in it is the environment's and stays.
"""

from tracewitness.intake.bare_answers import is_all_said
from tracewitness.intake.calls import Call, own_arguments
from tracewitness.intake.finishing import FINISH_KINDS
from tracewitness.intake.planes import Plane
from tracewitness.intake.quoting import requoted, texts_in, worth_quoting
from tracewitness.intake.retelling import Say


def retold_answer(called: Call, retold: Call, text: str, say: Say, *, failed: bool = False) -> str:
    """Return an answer with other words where it quotes those that the call says.

    Args:
        called: The call as the log has it.
        retold: The call in other words, of the same form.
        text: What answered it.
        say: Other words, for an answer of which nothing is the environment's.
        failed: Whether the log says that the call failed.
    """
    if not text.strip():
        return text
    if is_all_said(called, failed=failed):
        return say(Plane.NARRATION)
    kept, lost = own_arguments(called, FINISH_KINDS)
    said = [words for _, value in lost for words in texts_in(value)]
    others = [words for _, value in own_arguments(retold, FINISH_KINDS)[1] for words in texts_in(value)]
    instead = dict(zip(said, others, strict=False))
    for words in worth_quoting(said, texts_in(kept)):
        other = next((instead[one] for one in instead if one.strip() == words), None)
        text = text if other is None else requoted(text, words, other)
    return text
