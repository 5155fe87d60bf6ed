"""All assignments by name."""

from tracewitness.lab.assignments.assignment import AssignmentKind
from tracewitness.lab.assignments.calendar import CALENDAR_KINDS
from tracewitness.lab.assignments.contacts import CONTACT_KINDS
from tracewitness.lab.assignments.files import FILE_KINDS
from tracewitness.lab.assignments.mail import MAIL_KINDS
from tracewitness.lab.assignments.settings import SETTINGS_KINDS
from tracewitness.lab.assignments.shop import SHOP_KINDS

ASSIGNMENTS: dict[str, AssignmentKind] = {
    kind.key: kind for kind in (*CONTACT_KINDS, *MAIL_KINDS, *SHOP_KINDS, *SETTINGS_KINDS, *CALENDAR_KINDS, *FILE_KINDS)
}
"""Every kind of assignment."""
