"""Why a value is what it is: closed lists of causes, each with the sentence a person is shown."""

from enum import Enum


class Cause(Enum):
    """Base of all cause lists: the member's name is its id, its value the sentence shown to people."""

    @property
    def id(self) -> str:
        """Return the stable lower-case id written to records."""
        return self.name.lower()

    @property
    def sentence(self) -> str:
        """Return the sentence shown to people."""
        return str(self.value)


class Gap(Cause):
    """Parts of the record that are missing; any of them keeps the closed world closed off."""

    NO_FINAL_OBSERVATION = "no observation follows the last state-changing action"
    NO_OBSERVATIONS = "the record holds no observation at all"
    MISSING_STEPS = "steps are missing from the record"
    DECLARED_INCOMPLETE = "the log says that it is incomplete"
    LOG_CUT_OFF = "the log ends in the middle of a step"
    SCREENSHOT_ONLY = "some observations are screenshots without text"
    UNREADABLE_OBSERVATION = "an observation could not be read"
    WINDOW_ELIDED = "steps did not fit the window and were left out"
    QUARANTINED_TEXT = "evidence that repeats the report was quarantined"


class UnavailableCause(Cause):
    """Why a component gave no answer. A failure is never a verdict."""

    @property
    def passing(self) -> bool:
        """Return whether a later start may well get an answer, without anything being changed."""
        return self in _PASSING

    TIMEOUT = "no answer came in time"
    TRANSPORT = "the model endpoint could not be reached"
    REJECTED = "the model endpoint turned the question away: its key, or the name of the model"
    REFUSED = "the model refused to answer"
    UNPARSABLE = "the answer was no JSON object"
    SCHEMA_VIOLATION = "the answer did not have the asked-for form"
    CONTEXT_OVERFLOW = "the question is longer than the model can read"
    RATE_LIMITED = "the model endpoint asked to wait for longer than was allowed"
    ANSWER_CUT = "the answer was longer than the tokens allowed for it"
    BUDGET = "the budget was used up"
    INTERNAL = "the component failed"
    NO_PROBABILITIES = "the model gave no probabilities of its tokens"
    NOT_RECORDED = "no recorded answer for this question"


_PASSING = frozenset(
    {
        UnavailableCause.TIMEOUT,
        UnavailableCause.TRANSPORT,
        UnavailableCause.RATE_LIMITED,
        UnavailableCause.BUDGET,
        UnavailableCause.INTERNAL,
        UnavailableCause.NOT_RECORDED,
    }
)
