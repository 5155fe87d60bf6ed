"""What a single clause of a report does: the closed list of signals."""

from dataclasses import dataclass
from enum import StrEnum

from tracewitness.findings.claim_causes import ClaimCause


class Signal(StrEnum):
    """The part a clause plays in the claim.

    The first group speaks for success, the second against it, the third leaves it open, the last says nothing.
    """

    FINISHED = "finished"
    DONE = "done"
    STATE = "state"
    ALREADY = "already"
    NOTHING = "nothing"
    NONE = "none"
    ANSWER = "answer"

    FAILED = "failed"
    UNABLE = "unable"
    PARTIAL = "partial"
    OBSTACLE = "obstacle"
    PAST_TROUBLE = "past_trouble"
    UNTOUCHED = "untouched"

    HEDGED = "hedged"
    SEEMING = "seeming"
    UNVERIFIED = "unverified"
    FUTURE = "future"
    PROGRESS = "progress"
    CONDITION = "condition"
    QUESTION = "question"
    HANDOFF = "handoff"

    PLAIN = "plain"
    EFFECT = "effect"
    STEP = "step"
    ACK = "ack"
    LABEL = "label"
    SILENT = "silent"
    JUDGE = "judge"


SUCCESS_SIGNALS = frozenset(
    {
        Signal.FINISHED,
        Signal.DONE,
        Signal.STATE,
        Signal.ALREADY,
        Signal.NOTHING,
        Signal.NONE,
        Signal.ANSWER,
    }
)
FAILURE_SIGNALS = frozenset(
    {Signal.FAILED, Signal.UNABLE, Signal.PARTIAL, Signal.OBSTACLE, Signal.PAST_TROUBLE, Signal.UNTOUCHED}
)
OPEN_SIGNALS = frozenset(
    {
        Signal.HEDGED,
        Signal.SEEMING,
        Signal.UNVERIFIED,
        Signal.FUTURE,
        Signal.PROGRESS,
        Signal.CONDITION,
        Signal.QUESTION,
        Signal.HANDOFF,
    }
)

CAUSES = {
    Signal.FINISHED: ClaimCause.ASSERTED_DONE,
    Signal.DONE: ClaimCause.ASSERTED_DONE,
    Signal.STATE: ClaimCause.ASSERTED_STATE,
    Signal.ALREADY: ClaimCause.ASSERTED_STATE,
    Signal.NOTHING: ClaimCause.ASSERTED_STATE,
    Signal.NONE: ClaimCause.GAVE_ANSWER,
    Signal.ANSWER: ClaimCause.GAVE_ANSWER,
    Signal.PLAIN: ClaimCause.GAVE_ANSWER,
    Signal.FAILED: ClaimCause.ASSERTED_FAILURE,
    Signal.UNABLE: ClaimCause.INABILITY,
    Signal.PARTIAL: ClaimCause.PARTIAL,
    Signal.OBSTACLE: ClaimCause.ASSERTED_FAILURE,
    Signal.PAST_TROUBLE: ClaimCause.ASSERTED_FAILURE,
    Signal.UNTOUCHED: ClaimCause.ASSERTED_FAILURE,
    Signal.HEDGED: ClaimCause.HEDGED,
    Signal.SEEMING: ClaimCause.HEDGED,
    Signal.UNVERIFIED: ClaimCause.HEDGED,
    Signal.FUTURE: ClaimCause.FUTURE,
    Signal.PROGRESS: ClaimCause.FUTURE,
    Signal.CONDITION: ClaimCause.CONDITIONAL,
    Signal.QUESTION: ClaimCause.QUESTION,
    Signal.HANDOFF: ClaimCause.HANDOFF,
    Signal.JUDGE: ClaimCause.OBEYED_TEXT,
}
"""The cause a deciding clause gives; signals that say nothing have none."""


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """How one clause was read.

    Attributes:
        text: The clause as it stands.
        start: Position of its first character in ``ClaimReading.text``.
        end: Position after its last character there.
        signal: What it does.
        sentence: Number of the sentence it belongs to, from 0.
        contrast: It stands against what came before ("but ...").
        recovery: It tells of another attempt or of the end of trouble.
        conceded: It grants trouble that the rest of the sentence overcomes ("although ...").
        asks: It holds a verb of asking or checking, so that an "if" after it opens an indirect question.
        wish: It says, and hardly more, that what is told was asked for ("as requested").
        static: It denies a present state, which after a plain "no" is the answer itself.
        no: It is a plain "no".
        exception: It excepts something ("except the last one").
        content: It speaks of a result (a verb of completion, a state or a value), whatever its signal.
        mark: The punctuation that ends it.
        leads_no: It begins with a plain "no".
        purpose: It names what was looked for in order to be acted on ("drafts to discard").
        notfound: It says that nothing came to light.
        agent: It tells what the agent itself did.
        whole: The number it names as a whole ("of the five ..."); 0 where it names none.
        part: The number it counts out of a whole, or its first number; 0 where there is none.
        denies: It is short, holds a negator and says nothing else ("Denise not").
        reason: It gives the reason of the clause before it ("because ...").
        offer: It names what a person may want later ("should you want to undo it").
        restricts: It restricts what the clause before it tells and says nothing else ("but only two").
        thing: It names a thing with a state of its own (an order).
        follows: It follows from the clause before it ("so there is no file").
        decided: It decided the claim.
    """

    text: str
    start: int
    end: int
    signal: Signal
    sentence: int = 0
    contrast: bool = False
    recovery: bool = False
    conceded: bool = False
    asks: bool = False
    wish: bool = False
    static: bool = False
    no: bool = False
    exception: bool = False
    content: bool = False
    mark: str = ""
    leads_no: bool = False
    purpose: bool = False
    notfound: bool = False
    agent: bool = False
    whole: int = 0
    part: int = 0
    denies: bool = False
    reason: bool = False
    offer: bool = False
    follows: bool = False
    thing: bool = False
    restricts: bool = False
    decided: bool = False

    @property
    def cause(self) -> ClaimCause | None:
        """The cause this clause speaks for; None where it says nothing about the outcome."""
        return CAUSES.get(self.signal)
