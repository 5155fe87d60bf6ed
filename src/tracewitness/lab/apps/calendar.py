"""Alarms and events."""

from tracewitness.lab.apps.spec import App, Collection, Deed, Field, FieldKind, Submit, View

CALENDAR = App(
    name="calendar",
    collections=(
        Collection(
            name="alarm",
            title="time",
            fields=(
                Field("time", FieldKind.TIME, required=True),
                Field("days", FieldKind.DAYS),
                Field("label", FieldKind.TEXT),
                Field("ringing", FieldKind.SWITCH),
            ),
            states=("kept",),
            views=(View("alarms", ("kept",), order="time"),),
            submits=(Submit("save", None),),
            editable=("kept",),
            deeds=(Deed("delete", ("kept",), None, confirmed=True, bulk=True),),
        ),
        Collection(
            name="event",
            title="title",
            fields=(
                Field("title", FieldKind.TEXT, required=True),
                Field("date", FieldKind.DATE, required=True),
                Field("time", FieldKind.TIME, required=True),
                Field("place", FieldKind.TEXT),
            ),
            states=("planned",),
            views=(View("events", ("planned",), order="date"),),
            submits=(Submit("save", None),),
            editable=("planned",),
            deeds=(Deed("delete", ("planned",), None, confirmed=True, undoable=True),),
        ),
    ),
)
"""A time is entered as hour and minute, with a.m. and p.m. where the language of the run tells time so."""
