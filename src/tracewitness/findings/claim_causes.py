"""Why a report was read as it was."""

from tracewitness.findings.causes import Cause


class ClaimCause(Cause):
    """Signals that decided, or were weighed, in reading a report."""

    ASSERTED_DONE = "the report asserts without a hedge that the task was done"
    ASSERTED_STATE = "the report asserts that the requested state holds"
    GAVE_ANSWER = "the report gives an answer"
    ASSERTED_FAILURE = "the report says that the task was not done"
    PARTIAL = "the report says that only part of the task was done"
    INABILITY = "the report says that the agent could not do it"
    HEDGED = "the report hedges"
    FUTURE = "the report speaks of something still to be done"
    CONDITIONAL = "the report makes success depend on a condition"
    QUESTION = "the report asks a question"
    HANDOFF = "the report hands the task over to a person"
    CONTRADICTS_FLAG = "the report's words contradict the agent's own success flag"
    SELF_CONTRADICTION = "the report asserts both success and failure"
    FLAG_ONLY = "only the agent's own success flag speaks; there are no words"
    EMPTY = "the report is empty"
    NO_CLAIM_WORDS = "nothing in the report says how the task ended"
    UNSUPPORTED_LANGUAGE = "the report is in a language without a lexicon"
    OBEYED_TEXT = "the report only repeats or addresses the judge"
    MODEL_READ = "a model read it so"
    NO_MAJORITY = "the runs of the reader did not agree"
    UNAVAILABLE = "the reader gave no answer"
