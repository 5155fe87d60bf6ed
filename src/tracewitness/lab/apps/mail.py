"""Mail: an inbox, drafts, sent and planned messages, an outbox and a bin."""

from tracewitness.lab.apps.spec import App, Collection, Deed, Field, FieldKind, Submit, View

MAIL = App(
    name="mail",
    collections=(
        Collection(
            name="message",
            title="subject",
            fields=(
                Field("sender", FieldKind.TEXT, in_form=False),
                Field("to", FieldKind.TEXT, required=True),
                Field("subject", FieldKind.TEXT, required=True),
                Field("body", FieldKind.LONG_TEXT, in_list=False),
                Field("at", FieldKind.STAMP, in_form=False),
                Field("send_date", FieldKind.DATE, in_list=False),
                Field("send_time", FieldKind.TIME, in_list=False),
            ),
            states=("inbox", "sent", "draft", "scheduled", "outbox", "bin"),
            views=(
                View("inbox", ("inbox",), filters=("sender",), order="-at"),
                View("drafts", ("draft",), order="-at"),
                View("sent", ("sent",), order="-at"),
                View("scheduled", ("scheduled",), order="-at"),
                View("outbox", ("outbox",), order="-at"),
                View("bin", ("bin",), order="-at"),
            ),
            submits=(
                Submit("send", "sent"),
                Submit("keep_draft", "draft"),
                Submit("schedule", "scheduled", needs=("send_date", "send_time")),
            ),
            editable=("draft", "scheduled"),
            deeds=(
                Deed("delete", ("inbox", "sent", "draft", "scheduled"), "bin", bulk=True, undoable=True),
                Deed("restore", ("bin",), "inbox"),
                Deed("delete_for_good", ("bin",), None, confirmed=True, bulk=True),
            ),
        ),
    ),
    accounts=("member", "second_member"),
)
