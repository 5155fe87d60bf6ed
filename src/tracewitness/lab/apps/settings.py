"""Settings of several users, and the users themselves with their roles."""

from tracewitness.lab.apps.spec import App, Collection, Field, FieldKind, Panel, Submit, View

ZONES = (
    "Europe/Berlin",
    "Europe/Lisbon",
    "Europe/London",
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Tokyo",
    "Asia/Seoul",
    "Asia/Shanghai",
    "Australia/Sydney",
)

SETTINGS = App(
    name="settings",
    collections=(
        Collection(
            name="user",
            title="name",
            fields=(
                Field("name", FieldKind.TEXT, in_form=False),
                Field("email", FieldKind.EMAIL, in_form=False),
                Field("role", FieldKind.CHOICE, required=True, choices=("viewer", "editor", "admin", "billing")),
            ),
            states=("active",),
            views=(View("users", ("active",), filters=("role",), order="name"),),
            submits=(Submit("save", None),),
            editable=("active",),
            shared=True,
            creatable=False,
        ),
    ),
    panels=(
        Panel(
            name="notifications",
            fields=(
                Field("push_messages", FieldKind.SWITCH),
                Field("email_digest", FieldKind.SWITCH),
                Field("sound", FieldKind.SWITCH),
                Field("do_not_disturb", FieldKind.SWITCH),
            ),
            saved=False,
        ),
        Panel(
            name="display",
            fields=(
                Field("dark_mode", FieldKind.SWITCH),
                Field("auto_rotate", FieldKind.SWITCH),
                Field("brightness", FieldKind.LEVEL),
                Field("volume", FieldKind.LEVEL),
            ),
            saved=True,
        ),
        Panel(
            name="region",
            fields=(
                Field("time_zone", FieldKind.CHOICE, choices=ZONES),
                Field("first_day", FieldKind.CHOICE, choices=("monday", "sunday")),
            ),
            saved=True,
        ),
    ),
    accounts=("member", "second_member"),
)
