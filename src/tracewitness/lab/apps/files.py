"""Files in folders, and a trash."""

from tracewitness.lab.apps.spec import App, Collection, Deed, Field, FieldKind, Submit, View

FOLDERS = ("documents", "pictures", "projects", "archive")

FILES = App(
    name="files",
    collections=(
        Collection(
            name="file",
            title="name",
            fields=(
                Field("name", FieldKind.TEXT, required=True),
                Field("folder", FieldKind.CHOICE, required=True, choices=FOLDERS),
                Field("size", FieldKind.SIZE, in_form=False),
                Field("changed", FieldKind.STAMP, in_form=False),
            ),
            states=("kept", "trash"),
            views=(
                View("all_files", ("kept",), filters=("folder",), order="name"),
                View("recent", ("kept",), order="-changed"),
                View("trash", ("trash",), order="name"),
            ),
            submits=(Submit("save", None),),
            editable=("kept",),
            deeds=(
                Deed("delete", ("kept",), "trash", bulk=True, undoable=True),
                Deed("restore", ("trash",), "kept", bulk=True),
                Deed("delete_for_good", ("trash",), None, confirmed=True, bulk=True),
            ),
            folders="folder",
            creatable=False,
        ),
    ),
)
"""Renaming and moving are edits of the name and of the folder; the form of an edit shows only these two."""
