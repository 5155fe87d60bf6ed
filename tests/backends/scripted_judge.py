"""A judge behind the fake endpoint: it answers the questions of both readers, with citations that hold."""

import re
from typing import Any

from fake_endpoint import Call, Reply, obedient

FIELDS = ("action", "target", "transition", "commitment", "final_support")
_ACTION = re.compile(r"^step (\d+): (.+)$", re.MULTILINE)


def asks_for_claim(call: Call) -> bool:
    """Tell whether a call is the report side's."""
    return "Success flag:" in call.text


def is_question(call: Call) -> bool:
    """Tell whether a call is a reader's; the others find out what the endpoint can do."""
    return asks_for_claim(call) or "Task class:" in call.text


def answer(call: Call, value: str = "YES", claim: str = "SUCCESS") -> dict[str, Any] | Reply:
    """Answer a question: the claim, or every field with the same value, citing the last action; a probe obediently."""
    if not is_question(call):
        return obedient(call)
    if asks_for_claim(call):
        causes = {"SUCCESS": "asserted_done", "FAILURE_OR_INCOMPLETE": "asserted_failure", "UNCLEAR": "hedged"}
        told: dict[str, Any] = {"claim": claim, "basis": "performed", "cause": causes[claim], "answers": []}
        return {"rationale": "It says so.", **told}
    step, action = _ACTION.findall(call.text)[-1]
    cited = [{"step": int(step), "part": "action", "quote": action}]
    found = {"citations": cited, "value": value, "rationale": "It stands there."}
    fields: dict[str, Any] = {name: found for name in FIELDS}
    fields["prior_state"] = {"citations": [], "value": "UNKNOWN", "rationale": "Not shown."}
    if "answer" in (call.schema or {}).get("properties", {}):
        fields["answer"] = {"citations": [], "values": []}
    return {**fields, "instructions_in_data": False}
