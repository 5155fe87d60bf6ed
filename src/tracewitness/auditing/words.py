"""Words for people on what stands in a record as a code: what a field lacks, and what a leak route is."""

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.intake.planes import LeakRoute

ROUTE_WORDS: dict[str, str] = {
    LeakRoute.FINAL_REPORT: "the final report itself",
    LeakRoute.FINISH_ARGUMENTS: "the arguments or the flag of the finishing action",
    LeakRoute.SELF_ASSESSMENT: "the agent's own verdict on a step",
    LeakRoute.CARRIED_MEMORY: "memory, plans or progress that the agent carries along",
    LeakRoute.THOUGHTS: "the agent's thoughts",
    LeakRoute.ECHO: "the agent's words pasted into a later prompt or observation",
    LeakRoute.GRADING_ECHO: "grading, or a name that gives it away",
}
"""What each leak route is, by its code."""

_NOT_SHOWN = {
    "action": "an action of the task that was carried out",
    "target": "which object was acted on",
    "transition": "what the action changed",
    "commitment": "that the change was saved, sent or confirmed",
    "final_support": "the requested state at the end",
    "prior_state": "the state before the first action of the task",
}
_SAYS_AS_MUCH = (
    EvidenceCause.ACTION_UNCERTAIN,
    EvidenceCause.TARGET_UNCERTAIN,
    EvidenceCause.CHANGE_UNOBSERVED,
    EvidenceCause.NOT_SHOWN,
    EvidenceCause.PRIOR_UNKNOWN,
)


def field_sentence(name: str, value: str, cause: EvidenceCause) -> str:
    """Return why a field has its value; for UNKNOWN what is missing, so that no part of it reads like a YES or NO.

    Args:
        name: The field's name.
        value: Its value as people are shown it.
        cause: Its cause.
    """
    if value != "UNKNOWN":
        return cause.sentence
    missing = f"not shown: {_NOT_SHOWN[name]}"
    return missing if cause in _SAYS_AS_MUCH else f"{missing} (all that is known: {cause.sentence})"
