"""Tasks on files."""

import random

from tracewitness.findings.labels import TaskClass
from tracewitness.lab.apps.files import FOLDERS
from tracewitness.lab.assignments.assignment import Assignment, AssignmentKind, NoTarget, drawn_row
from tracewitness.lab.assignments.slots import Slot, SlotKind
from tracewitness.lab.plans.ways import Shape, Way
from tracewitness.lab.truth.goals import AnswerIs, RowIsChanged, RowsAreMoved
from tracewitness.lab.words.names import names_of
from tracewitness.lab.world.rows import Row
from tracewitness.lab.world.world import World

_APP = "files"
_KEPT = ("kept",)
_TRASH = ("trash",)


def fresh_file_name(world: World, ending: str, rng: random.Random) -> str:
    """Return a name that no file has."""
    there = {row.values["name"].rpartition(".")[0] for row in world.rows("file")}
    free = [stem for stem in names_of(world.language).lists["file_stems"] if stem not in there]
    return f"{rng.choice(free)}.{ending}"


def file_rename(world: World, rng: random.Random) -> Assignment:
    """Rename a file."""
    name = drawn_row(world, "file", _KEPT, rng).values["name"]
    new = fresh_file_name(world, name.rpartition(".")[2], rng)
    return Assignment(
        "file_rename",
        _APP,
        TaskClass.CREATE_EDIT,
        (("name", Slot(name)), ("new", Slot(new))),
        RowIsChanged("file", (("name", name),), (("name", new),), world.account),
        Way(Shape.EDIT, "all_files", "file", name, (("name", new),), "save", shown_in="all_files"),
    )


def file_move(world: World, rng: random.Random) -> Assignment:
    """Move a file to another folder."""
    row = drawn_row(world, "file", _KEPT, rng)
    name = row.values["name"]
    folder = rng.choice([folder for folder in FOLDERS if folder != row.values["folder"]])
    return Assignment(
        "file_move",
        _APP,
        TaskClass.OTHER,
        (("name", Slot(name)), ("folder", Slot(folder, SlotKind.CHOICE))),
        RowIsChanged("file", (("name", name),), (("folder", folder),), world.account),
        Way(Shape.EDIT, "all_files", "file", name, (("folder", folder),), "save", shown_in="all_files"),
    )


def file_delete(world: World, rng: random.Random) -> Assignment:
    """Put a file into the trash."""
    name = drawn_row(world, "file", _KEPT, rng).values["name"]
    return Assignment(
        "file_delete",
        _APP,
        TaskClass.DELETE,
        (("name", Slot(name)),),
        RowsAreMoved("file", (("name", name),), _KEPT, "trash", world.account),
        Way(Shape.DEED, "all_files", "file", name, end="delete", shown_in="all_files", on_page=rng.random() < 0.5),
    )


def _alike(world: World) -> dict[tuple[str, str], list[Row]]:
    """Return the files by folder and ending."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in world.rows("file"):
        if row.state == "kept":
            place = (row.values["folder"], f".{row.values['name'].rpartition('.')[2]}")
            groups.setdefault(place, []).append(row)
    return groups


def files_delete_all(world: World, rng: random.Random) -> Assignment:
    """Put all files with an ending that are in a folder into the trash."""
    several = sorted(place for place, rows in _alike(world).items() if len(rows) > 1)
    if not several:
        raise NoTarget("no folder has several files with one ending")
    folder, ending = rng.choice(several)
    return Assignment(
        "files_delete_all",
        _APP,
        TaskClass.DELETE,
        (("ending", Slot(ending)), ("folder", Slot(folder, SlotKind.CHOICE))),
        RowsAreMoved("file", (("folder", folder),), _KEPT, "trash", world.account, endings=(("name", ending),)),
        Way(
            Shape.CLEAR,
            "all_files",
            "file",
            end="delete",
            filters=(("folder", folder),),
            words=ending,
            shown_in="all_files",
        ),
    )


def trash_restore(world: World, rng: random.Random) -> Assignment:
    """Take a file out of the trash."""
    name = drawn_row(world, "file", _TRASH, rng).values["name"]
    return Assignment(
        "trash_restore",
        _APP,
        TaskClass.OTHER,
        (("name", Slot(name)),),
        RowsAreMoved("file", (("name", name),), _TRASH, "kept", world.account),
        Way(Shape.DEED, "trash", "file", name, end="restore", shown_in="all_files", on_page=rng.random() < 0.5),
    )


def trash_empty(world: World, rng: random.Random) -> Assignment:
    """Empty the trash."""
    return Assignment(
        "trash_empty",
        _APP,
        TaskClass.DELETE,
        (),
        RowsAreMoved("file", (), _TRASH, None, world.account),
        Way(Shape.CLEAR, "trash", "file", end="delete_for_good", shown_in="trash"),
    )


def file_ask_size(world: World, rng: random.Random) -> Assignment:
    """Say the size of a file."""
    row = drawn_row(world, "file", _KEPT, rng)
    name = row.values["name"]
    return Assignment(
        "file_ask_size",
        _APP,
        TaskClass.QUERY,
        (("name", Slot(name)),),
        AnswerIs("file", (("name", name),), _KEPT, "size", world.account),
        Way(Shape.LOOK_UP, "all_files", "file", name),
        Slot(row.values["size"], SlotKind.SIZE),
    )


def file_ask_count(world: World, rng: random.Random) -> Assignment:
    """Count the files of a folder."""
    folders = [row.values["folder"] for row in world.rows("file") if row.state == "kept"]
    folder = rng.choice(sorted(set(folders)))
    return Assignment(
        "file_ask_count",
        _APP,
        TaskClass.QUERY,
        (("folder", Slot(folder, SlotKind.CHOICE)),),
        AnswerIs("file", (("folder", folder),), _KEPT, None, world.account),
        Way(Shape.COUNT, "all_files", "file", filters=(("folder", folder),)),
        Slot(str(folders.count(folder)), SlotKind.NUMBER),
    )


FILE_KINDS = (
    AssignmentKind("file_rename", _APP, TaskClass.CREATE_EDIT, file_rename),
    AssignmentKind("file_move", _APP, TaskClass.OTHER, file_move),
    AssignmentKind("file_delete", _APP, TaskClass.DELETE, file_delete),
    AssignmentKind("files_delete_all", _APP, TaskClass.DELETE, files_delete_all),
    AssignmentKind("trash_restore", _APP, TaskClass.OTHER, trash_restore),
    AssignmentKind("trash_empty", _APP, TaskClass.DELETE, trash_empty),
    AssignmentKind("file_ask_size", _APP, TaskClass.QUERY, file_ask_size),
    AssignmentKind("file_ask_count", _APP, TaskClass.QUERY, file_ask_count),
)
"""All tasks on files."""
