"""Contacts and notes."""

from tracewitness.lab.apps.spec import App, Collection, Deed, Field, FieldKind, Submit, View

CONTACTS = App(
    name="contacts",
    collections=(
        Collection(
            name="contact",
            title="name",
            fields=(
                Field("name", FieldKind.TEXT, required=True),
                Field("phone", FieldKind.PHONE, required=True),
                Field("mobile", FieldKind.PHONE, in_list=False),
                Field("email", FieldKind.EMAIL, unique=True),
                Field("company", FieldKind.TEXT),
            ),
            states=("kept",),
            views=(View("contact_list", ("kept",), filters=("company",), order="name"),),
            submits=(Submit("save", None),),
            editable=("kept",),
            deeds=(Deed("delete", ("kept",), None, confirmed=True, bulk=True),),
        ),
        Collection(
            name="note",
            title="title",
            fields=(
                Field("title", FieldKind.TEXT, required=True, unique=True),
                Field("text", FieldKind.LONG_TEXT, required=True),
            ),
            states=("kept",),
            views=(View("note_list", ("kept",), order="-id"),),
            submits=(Submit("save", None),),
            editable=("kept",),
            deeds=(Deed("delete", ("kept",), None, confirmed=True),),
        ),
    ),
)
