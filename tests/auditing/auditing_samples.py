"""Runs for the tests of auditing."""

from typing import Any

from tracewitness.asking.port import Question, Side
from tracewitness.auditing.setup import Setup
from tracewitness.findings.labels import FieldName
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.testing import RunBuilder
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.policies import find_policy

CONTACTS = "page 'Contacts'\n  row 'Mira Sand | 555-0110'\n  row 'Orin Vale | {}'"
FORM = "page 'Contact: Orin Vale'\n  field Phone = '{}'\n  button 'Save changes'"


def rules(policy: str = "default", *, audit_all: bool = False) -> Setup:
    return rules_setup(find_policy(policy), audit_all)


def started(run_id: str = "run") -> RunBuilder:
    return (
        RunBuilder(run_id)
        .task("Change the phone number of the contact 'Orin Vale' to 555-0142.")
        .step("open_url", raw="open_url('https://app.test/contacts')", after=CONTACTS.format("555-0199"))
        .step("click", raw="click(row 'Orin Vale')", after=FORM.format("555-0199"), narration="I open the contact.")
        .step("fill", text="555-0142", raw="fill(field Phone, '555-0142')", after=FORM.format("555-0142"))
    )


def saved(run_id: str = "run") -> RunBuilder:
    return (
        started(run_id)
        .step("click", "Save changes", raw="click(button 'Save changes')", after=CONTACTS.format("555-0142"))
        .finish(after=CONTACTS.format("555-0142"))
        .report("Done. The phone number of Orin Vale is now 555-0142.", DeclaredStatus.SUCCESS)
    )


def unsaved(run_id: str = "run") -> RunBuilder:
    return (
        started(run_id)
        .step("click", "Back", raw="click(link 'Back')", after=CONTACTS.format("555-0199"))
        .finish(after=CONTACTS.format("555-0199"), narration="All saved, I am sure.")
        .report("Done. The phone number of Orin Vale is now 555-0142.", DeclaredStatus.SUCCESS)
    )


def all_yes(question: Question) -> dict[str, Any]:
    """A script for both sides: success is claimed and every field is YES."""
    if question.side is Side.REPORT:
        return {"claim": "SUCCESS"}
    return dict.fromkeys(FieldName, "YES")
