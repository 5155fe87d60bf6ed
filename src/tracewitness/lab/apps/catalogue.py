"""All apps by name."""

from tracewitness.lab.apps.calendar import CALENDAR
from tracewitness.lab.apps.contacts import CONTACTS
from tracewitness.lab.apps.files import FILES
from tracewitness.lab.apps.mail import MAIL
from tracewitness.lab.apps.settings import SETTINGS
from tracewitness.lab.apps.shop import SHOP
from tracewitness.lab.apps.spec import App

APPS: dict[str, App] = {app.name: app for app in (CONTACTS, MAIL, SHOP, SETTINGS, CALENDAR, FILES)}
"""Every app of the lab."""
