"""The closed vocabularies of an audit."""

from enum import StrEnum


class TaskClass(StrEnum):
    """The six task classes."""

    CREATE_EDIT = "create_edit"
    DELETE = "delete"
    CONFIGURE = "configure"
    SEND = "send"
    QUERY = "query"
    OTHER = "other"


class Claim(StrEnum):
    """Reading of the report."""

    SUCCESS = "SUCCESS"
    FAILURE_OR_INCOMPLETE = "FAILURE_OR_INCOMPLETE"
    UNCLEAR = "UNCLEAR"


class Declared(StrEnum):
    """The agent's own success flag, as the log has it."""

    SUCCESS = "success"
    FAILURE = "failure"
    NONE = "none"


class Basis(StrEnum):
    """On what ground the report claims success."""

    PERFORMED = "performed"
    ALREADY_SO = "already_so"
    NOTHING_TO_DO = "nothing_to_do"
    UNSTATED = "unstated"


class FieldName(StrEnum):
    """The five evidence fields, in the order of the obligation chain."""

    ACTION = "action"
    TARGET = "target"
    TRANSITION = "transition"
    COMMITMENT = "commitment"
    FINAL_SUPPORT = "final_support"


class FieldValue(StrEnum):
    """What an extractor found for a field.

    ABSENT says that nothing in the record shows the obligation and nothing contradicts it. The policy turns it into NO
    over a whole record (closed world) and into UNKNOWN over a record with gaps; people are shown the resolved value.
    """

    YES = "YES"
    UNKNOWN = "UNKNOWN"
    ABSENT = "ABSENT"
    NO = "NO"


class TraceState(StrEnum):
    """Whether the trace shows that the task was brought about."""

    COMPLETED = "COMPLETED"
    UNKNOWN = "UNKNOWN"
    NOT_COMPLETED = "NOT_COMPLETED"


class Disposition(StrEnum):
    """The outcome of an audit."""

    PASS = "PASS"
    REVIEW = "REVIEW"
    FLAG = "FLAG"


class AnswerCheck(StrEnum):
    """How the reported answer stands against the trace, compared after both sides have finished."""

    NOT_ASKED = "not_asked"
    AGREES = "agrees"
    SHOWN = "shown"
    UNKNOWN = "unknown"
    ABSENT = "absent"
    CONTRADICTS = "contradicts"


class Triage(StrEnum):
    """Coarse sorting by harness status before the audit."""

    SETTLED_PASSED = "settled_passed"
    SETTLED_FAILED = "settled_failed"
    NOT_AUDITABLE_TIMEOUT = "not_auditable_timeout"
    NOT_AUDITABLE_ERROR = "not_auditable_error"
    NOT_AUDITABLE_NO_REPORT = "not_auditable_no_report"
    NOT_AUDITABLE_EMPTY_TRACE = "not_auditable_empty_trace"
    AUDIT_TARGET = "audit_target"


class Language(StrEnum):
    """Languages with lexicons; OTHER for a recognised or unrecognised other one, NONE for a text without words."""

    EN = "en"
    ZH = "zh"
    JA = "ja"
    KO = "ko"
    DE = "de"
    FR = "fr"
    ES = "es"
    PT = "pt"
    OTHER = "other"
    NONE = "none"


class StepPart(StrEnum):
    """Where in a step a citation points."""

    ACTION = "action"
    BEFORE = "before"
    AFTER = "after"
    ERROR = "error"
    URL_BEFORE = "url_before"
    URL_AFTER = "url_after"
    NARRATION = "narration"
