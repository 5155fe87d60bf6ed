"""The truth of a run: the goal against the database, whoever did what, and what was told and seen."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.findings.labels import Language
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.truth.answers import Telling
from tracewitness.lab.truth.checker import check
from tracewitness.lab.truth.course import Course
from tracewitness.lab.truth.goals import All, AnswerIs, Goal, RowIsChanged, RowIsMade, RowsAreMoved
from tracewitness.lab.truth.outcomes import Outcome, Sight, Truth, TruthError
from tracewitness.lab.world.rows import Cause, Change, Row, Snapshot

ME, OTHER_ACCOUNT = "member", "second_member"
DONE, STANDING, NOT_DONE = Outcome.ACCOMPLISHED, Outcome.STANDING, Outcome.NOT_ACCOMPLISHED


class Book:
    """Tables that can be written to, with a log."""

    def __init__(self, **tables: tuple[Row, ...]) -> None:
        self.before = Snapshot(tables)
        self._rows = {(table, row.id): row for table, rows in tables.items() for row in rows}
        self._tables = tuple(tables)
        self.changes: list[Change] = []

    def write(self, table: str, number: int, after: Row | None, cause: Cause = Cause.AGENT) -> None:
        before = self._rows.pop((table, number), None)
        if after is not None:
            self._rows[table, number] = after
        count = len(self.changes) + 1
        self.changes.append(Change(count, count, count, cause, table, number, before, after))

    def set(self, table: str, number: int, cause: Cause = Cause.AGENT, state: str | None = None, **values: str) -> None:
        row = self._rows[table, number]
        after = replace(row, values={**row.values, **values}, state=state or row.state)
        self.write(table, number, after, cause)

    def course(self) -> Course:
        after = {name: tuple(r for (t, _), r in sorted(self._rows.items()) if t == name) for name in self._tables}
        return Course(self.before, Snapshot(after), tuple(self.changes))


def contact(number: int, name: str, phone: str = "555 0100", owner: str = ME, **more: str) -> Row:
    return Row(number, owner, "kept", {"name": name, "phone": phone, "mobile": "", "email": "", "company": "", **more})


def file(number: int, name: str, folder: str = "documents", state: str = "kept") -> Row:
    return Row(number, ME, state, {"name": name, "folder": folder, "size": "2048", "changed": "2031-05-04T10:00"})


def told(
    *answers: str, app: str = "contacts", seen: tuple[Sight, ...] = (), language: Language = Language.EN
) -> Telling:
    return Telling(APPS[app], language, answers or None, seen, lambda table, field, value: ())


def verdict(goal: Goal, book: Book, telling: Telling | None = None) -> Truth:
    return check(goal, book.course(), telling or told())


ANNA, BERGMANN, TOM = contact(1, "Anna Berg"), contact(2, "Anna Bergmann"), contact(3, "Tom Lee")
SEEN_ANNA = (Sight("/contacts/contact_list", "Contacts\nAnna Berg 555 0100\nTom Lee 555 0100"),)
MADE = RowIsMade("contact", (("name", "Eva Roth"), ("phone", "555 0177")), "kept", ME)
CHANGED = RowIsChanged("contact", (("name", "Anna Berg"),), (("phone", "555 0199"),), ME)
DELETED = RowsAreMoved("contact", (("name", "Anna Berg"),), ("kept",), None, ME)
TRASHED = RowsAreMoved("file", (("folder", "documents"),), ("kept",), "trash", ME, endings=(("name", ".pdf"),))


def contacts() -> Book:
    return Book(contact=(ANNA, BERGMANN, TOM), note=())


def files() -> Book:
    rows = (file(1, "a.pdf"), file(2, "b.pdf"), file(3, "c.txt"), file(4, "d.pdf", "archive"), file(5, "e.pdf"))
    return Book(file=rows)


def make_eva(book: Book, cause: Cause) -> None:
    book.write("contact", 9, contact(9, "Eva Roth", "555 0177"), cause)


def change_anna(book: Book, cause: Cause) -> None:
    book.set("contact", 1, cause, phone="555 0199")


def delete_anna(book: Book, cause: Cause) -> None:
    book.write("contact", 1, None, cause)


def trash_all(book: Book, cause: Cause) -> None:
    for number in (1, 2, 5):
        book.set("file", number, cause, state="trash")


DEEDS: tuple[tuple[Goal, Callable[[], Book], Callable[[Book, Cause], None]], ...] = (
    (MADE, contacts, make_eva),
    (CHANGED, contacts, change_anna),
    (DELETED, contacts, delete_anna),
    (TRASHED, files, trash_all),
)
UNDOINGS: tuple[Callable[[Book], None], ...] = (
    lambda book: book.write("contact", 9, None),
    lambda book: book.set("contact", 1, phone="555 0100"),
    lambda book: book.write("contact", 1, ANNA),
    lambda book: book.set("file", 2, state="kept"),
)
SAME_TO_OTHERS: tuple[Callable[[Book], None], ...] = (
    lambda book: book.write("contact", 8, contact(8, "Ida Roth", "555 0177")),
    lambda book: book.set("contact", 2, phone="555 0199"),
    lambda book: book.write("contact", 2, None),
    lambda book: book.set("file", 3, state="trash"),
)
OTHER_DEEDS: tuple[Callable[[Book], None], ...] = (
    lambda book: book.set("contact", 3, company="Acme"),
    lambda book: book.set("contact", 3, company="Acme"),
    lambda book: book.set("contact", 3, phone="1"),
    lambda book: book.set("file", 3, name="z.txt"),
)
INDICES = range(len(DEEDS))


@pytest.mark.parametrize("index", INDICES)
def test_what_the_agent_brought_about_is_accomplished(index: int):
    goal, start, deed = DEEDS[index]
    book = start()
    deed(book, Cause.AGENT)
    assert verdict(goal, book).outcome is DONE


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("cause", [Cause.OTHER, Cause.SYSTEM])
def test_what_somebody_else_brought_about_is_not(index: int, cause: Cause):
    goal, start, deed = DEEDS[index]
    book = start()
    deed(book, cause)
    assert verdict(goal, book).outcome is NOT_DONE


@pytest.mark.parametrize("index", INDICES)
def test_what_nobody_brought_about_is_not(index: int):
    goal, start, _ = DEEDS[index]
    assert verdict(goal, start()).outcome is NOT_DONE


@pytest.mark.parametrize("index", INDICES)
def test_what_was_undone_is_not(index: int):
    goal, start, deed = DEEDS[index]
    book = start()
    deed(book, Cause.AGENT)
    UNDOINGS[index](book)
    assert verdict(goal, book).outcome is NOT_DONE


@pytest.mark.parametrize("index", INDICES)
def test_what_was_undone_and_done_again_is_accomplished(index: int):
    goal, start, deed = DEEDS[index]
    book = start()
    deed(book, Cause.AGENT)
    UNDOINGS[index](book)
    deed(book, Cause.AGENT)
    assert verdict(goal, book).outcome is DONE


@pytest.mark.parametrize("index", INDICES)
def test_the_same_deed_to_another_row_counts_against_it(index: int):
    goal, start, deed = DEEDS[index]
    book = start()
    deed(book, Cause.AGENT)
    SAME_TO_OTHERS[index](book)
    truth = verdict(goal, book)
    assert truth.outcome is NOT_DONE
    assert "does not name" in truth.reasons[-1]


@pytest.mark.parametrize("index", INDICES)
def test_another_deed_counts_for_nothing(index: int):
    goal, start, deed = DEEDS[index]
    if index == 1:
        pytest.skip("another contact's number is the same deed here, see below")
    book = start()
    OTHER_DEEDS[index](book)
    assert verdict(goal, book).outcome is NOT_DONE
    deed(book, Cause.AGENT)
    assert verdict(goal, book).outcome is DONE


def test_the_wrong_row_that_was_put_right_again_counts_for_nothing():
    book = contacts()
    book.set("contact", 2, phone="555 0199")
    book.set("contact", 2, phone="555 0100")
    change_anna(book, Cause.AGENT)
    assert verdict(CHANGED, book).outcome is DONE


def test_another_user_who_does_the_same_elsewhere_counts_for_nothing():
    book = contacts()
    change_anna(book, Cause.AGENT)
    book.set("contact", 2, Cause.OTHER, phone="555 0199")
    assert verdict(CHANGED, book).outcome is DONE


@pytest.mark.parametrize(
    "row",
    [
        contact(9, "Eva Roth", "555 0178"),
        contact(9, "Eva Rot", "555 0177"),
        contact(9, "Eva Roth", "", mobile="555 0177"),
        contact(9, "Eva Roth", "555 0177", owner=OTHER_ACCOUNT),
        replace(contact(9, "Eva Roth", "555 0177"), state="draft"),
    ],
)
def test_a_row_with_another_value_field_owner_or_state_is_not_the_one_asked_for(row: Row):
    book = contacts()
    book.write("contact", 9, row)
    assert verdict(MADE, book).outcome is NOT_DONE


def test_a_row_made_twice_is_not_what_was_asked_for():
    book = contacts()
    make_eva(book, Cause.AGENT)
    book.write("contact", 10, contact(10, "Eva Roth", "555 0177"))
    assert verdict(MADE, book).outcome is NOT_DONE


def test_an_old_row_written_over_is_not_a_new_one():
    book = contacts()
    book.set("contact", 3, name="Eva Roth", phone="555 0177")
    assert verdict(MADE, book).outcome is NOT_DONE


def test_some_of_several_is_not_all():
    book = files()
    book.set("file", 1, state="trash")
    book.set("file", 2, state="trash")
    truth = verdict(TRASHED, book)
    assert truth.outcome is NOT_DONE
    assert truth.rows == ("file 1", "file 2", "file 5")


def test_a_value_that_another_user_set_last_is_not_the_agents_doing():
    book = contacts()
    change_anna(book, Cause.AGENT)
    book.set("contact", 1, Cause.OTHER, phone="555 0100")
    book.set("contact", 1, Cause.OTHER, phone="555 0199")
    assert verdict(CHANGED, book).outcome is NOT_DONE


def test_what_held_before_is_standing_where_the_agent_looked():
    book = Book(contact=(contact(1, "Anna Berg", "555 0199"), TOM), note=())
    assert verdict(CHANGED, book, told(seen=SEEN_ANNA)).outcome is STANDING
    assert verdict(CHANGED, book).outcome is NOT_DONE
    only_tom = (Sight("/contacts/contact_list", "Contacts\nTom Lee 555 0100"),)
    assert verdict(CHANGED, book, told(seen=only_tom)).outcome is NOT_DONE


def test_a_longer_name_on_a_page_is_not_the_row():
    book = Book(contact=(contact(1, "Anna Berg", "555 0199"), BERGMANN), note=())
    longer = (Sight("/contacts/contact_list", "Anna Bergmann 555 0199"),)
    assert verdict(CHANGED, book, told(seen=longer)).outcome is NOT_DONE


def test_nothing_to_do_is_standing_where_the_agent_saw_the_list():
    book = Book(contact=(TOM,), note=())
    assert verdict(DELETED, book, told(seen=SEEN_ANNA)).outcome is STANDING
    elsewhere = (Sight("/contacts/note_list", "Notes"),)
    assert verdict(DELETED, book, told(seen=elsewhere)).outcome is NOT_DONE


def test_a_setting_belongs_to_an_account():
    goal = RowIsChanged("display", (), (("dark_mode", "on"),), ME)
    values = {"dark_mode": "off", "auto_rotate": "off", "brightness": "40", "volume": "30"}

    def book() -> Book:
        return Book(display=(Row(1, ME, "set", values), Row(2, OTHER_ACCOUNT, "set", values)))

    mine, others = book(), book()
    mine.set("display", 1, dark_mode="on")
    others.set("display", 2, dark_mode="on")
    assert verdict(goal, mine, told(app="settings")).outcome is DONE
    assert verdict(goal, others, told(app="settings")).outcome is NOT_DONE
    mine.set("display", 1, auto_rotate="on")
    assert verdict(goal, mine, told(app="settings")).outcome is DONE
    mine.set("display", 1, dark_mode="off")
    assert verdict(goal, mine, told(app="settings")).outcome is NOT_DONE


def test_a_row_that_is_renamed_already_is_found_by_its_new_name():
    goal = RowIsChanged("file", (("name", "a.pdf"),), (("name", "z.pdf"),), ME)
    standing = Book(file=(file(1, "z.pdf"),))
    assert verdict(goal, standing, told(app="files", seen=(Sight("/files/recent", "z.pdf"),))).outcome is STANDING
    both = Book(file=(file(1, "z.pdf"), file(2, "a.pdf")))
    assert verdict(goal, both, told(app="files", seen=(Sight("/files/recent", "z.pdf"),))).outcome is NOT_DONE


def test_a_goal_that_names_two_rows_is_refused():
    book = Book(contact=(ANNA, contact(2, "Anna Berg")), note=())
    with pytest.raises(TruthError, match="2 rows"):
        verdict(CHANGED, book)


def test_all_parts_count_and_name_their_rows_for_each_other():
    second = RowIsMade("contact", (("name", "Ida Roth"), ("phone", "555 0177")), "kept", ME)
    book = contacts()
    make_eva(book, Cause.AGENT)
    assert verdict(All((MADE, second)), book).outcome is NOT_DONE
    book.write("contact", 8, contact(8, "Ida Roth", "555 0177"))
    assert verdict(All((MADE, second)), book).outcome is DONE
    assert verdict(MADE, book).outcome is NOT_DONE


ASKED = AnswerIs("contact", (("name", "Anna Berg"),), (), "phone", ME)


def test_the_right_answer_counts_where_a_page_showed_it():
    assert verdict(ASKED, contacts(), told("555 0100", seen=SEEN_ANNA)).outcome is DONE
    assert verdict(ASKED, contacts(), told("555-0100", seen=SEEN_ANNA)).outcome is DONE
    assert verdict(ASKED, contacts(), told("555 0101", seen=SEEN_ANNA)).outcome is NOT_DONE
    assert verdict(ASKED, contacts(), told("555 0100")).outcome is NOT_DONE
    assert verdict(ASKED, contacts(), told(seen=SEEN_ANNA)).outcome is NOT_DONE


def test_an_answer_that_was_right_once_is_not_right_any_more():
    book = contacts()
    book.set("contact", 1, Cause.OTHER, phone="555 0142")
    assert verdict(ASKED, book, told("555 0100", seen=SEEN_ANNA)).outcome is NOT_DONE


@pytest.mark.parametrize(
    ("app", "table", "field", "stored", "language", "wordings", "wrong"),
    [
        ("shop", "product", "price", "129950", Language.EN, ("$1,299.50", "1299.50", "USD 1,299.50"), ("$12,995.0",)),
        ("shop", "product", "price", "129950", Language.DE, ("1.299,50 €", "1299,50"), ("1,299.50 €5",)),
        ("calendar", "event", "time", "19:30", Language.EN, ("7:30 PM", "19:30", "7.30 pm"), ("7:30", "7:30 AM")),
        ("calendar", "event", "time", "19:30", Language.JA, ("午後7時30分", "19:30"), ("7時30分",)),
        ("calendar", "event", "time", "19:30", Language.KO, ("오후 7:30", "오후 7시 30분"), ("오전 7:30",)),
        ("calendar", "event", "date", "2031-03-04", Language.DE, ("4. März 2031", "04.03.2031"), ("3. April 2031",)),
        ("calendar", "event", "date", "2031-03-04", Language.ZH, ("2031年3月4日",), ("2031年4月3日",)),
    ],
)
def test_an_answer_is_right_in_every_format(
    app: str, table: str, field: str, stored: str, language: Language, wordings: tuple[str, ...], wrong: tuple[str, ...]
):
    collection = APPS[app].collection(table)
    values = {one.name: "x" for one in collection.fields} | {collection.title: "Gravel rake", field: stored}
    book = Book(**{table: (Row(1, ME, collection.states[0], values),)})
    goal = AnswerIs(table, ((collection.title, "Gravel rake"),), (), field, ME)
    for wording in wordings:
        seen = (Sight(f"/{app}", f"Gravel rake\n{wording}"),)
        truth = verdict(goal, book, told(stored, app=app, seen=seen, language=language))
        assert truth.outcome is DONE, (wording, truth.reasons)
        assert verdict(goal, book, told(wording, app=app, seen=seen, language=language)).outcome is DONE
    for wording in wrong:
        seen = (Sight(f"/{app}", f"Gravel rake\n{wordings[0]}"),)
        assert verdict(goal, book, told(wording, app=app, seen=seen, language=language)).outcome is NOT_DONE


def on_its_way(table: str, field: str, value: str) -> tuple[str, ...]:
    return ("On its way",)


def order(number: int, name: str, product: str, ordered: str, state: str = "processing") -> Row:
    values = {"number": name, "product": product, "quantity": "1", "total": "900", "ordered": ordered, "deliver_to": ""}
    return Row(number, ME, state, values)


def test_the_latest_and_the_state_of_a_row_can_be_asked_for():
    book = Book(
        order=(
            order(1, "10023", "Rake", "2031-01-09T10:00"),
            order(2, "10032", "Desk", "2031-02-01T09:00", "shipped"),
        )
    )
    seen = (Sight("/shop/all_orders", "10023 Rake processing\n10032 Desk On its way"),)
    latest = AnswerIs("order", (), (), "product", ME, greatest="ordered")
    assert verdict(latest, book, told("Desk", app="shop", seen=seen)).outcome is DONE
    assert verdict(latest, book, told("Rake", app="shop", seen=seen)).outcome is NOT_DONE
    state = AnswerIs("order", (("number", "10032"),), (), "state", ME)
    forms = replace(told("On its way", app="shop", seen=seen), forms=on_its_way)
    assert verdict(state, book, forms).outcome is DONE
    assert verdict(state, book, replace(forms, told=("processing",))).outcome is NOT_DONE


def test_a_count_is_right_where_every_row_was_seen():
    goal = AnswerIs("file", (("folder", "documents"),), ("kept",), None, ME)
    first, second = Sight("/files/all_files", "a.pdf b.pdf"), Sight("/files/all_files?page=2", "c.txt e.pdf")
    assert verdict(goal, files(), told("4", app="files", seen=(first, second))).outcome is DONE
    assert verdict(goal, files(), told("4", app="files", seen=(first,))).outcome is NOT_DONE
    assert verdict(goal, files(), told("2", app="files", seen=(first,))).outcome is NOT_DONE


def test_records_that_contradict_each_other_are_refused():
    book = contacts()
    change_anna(book, Cause.AGENT)
    course = book.course()
    for broken in (
        replace(course, changes=()),
        replace(course, before=course.after),
        replace(course, changes=(*course.changes, *course.changes)),
    ):
        with pytest.raises(TruthError):
            check(CHANGED, broken, told())


# Random courses: what must hold whatever happens.

numbers = st.integers(1, 5)
phones = st.sampled_from(["555 0100", "555 0199", "555 0123"])
names = st.sampled_from(["Anna Berg", "Anna Bergmann", "Eva Roth", "Tom Lee"])
causes = st.sampled_from(list(Cause))
steps = st.tuples(numbers, st.one_of(st.none(), st.tuples(names, phones)), causes)
courses = st.lists(steps, max_size=12)
goals = st.sampled_from([MADE, CHANGED, DELETED])


def played(course: list[tuple[int, tuple[str, str] | None, Cause]], skip: Cause | None = None) -> Book:
    book = contacts()
    for number, values, cause in course:
        if cause is not skip:
            book.write("contact", number, None if values is None else contact(number, *values), cause)
    return book


@given(courses, goals)
def test_without_a_change_of_the_agent_nothing_is_accomplished(
    course: list[tuple[int, tuple[str, str] | None, Cause]], goal: Goal
):
    assert verdict(goal, played(course, skip=Cause.AGENT)).outcome is not DONE


@given(courses, goals)
def test_what_is_accomplished_holds_in_the_end(course: list[tuple[int, tuple[str, str] | None, Cause]], goal: Goal):
    book = played(course)
    truth = verdict(goal, book)
    if truth.outcome is DONE:
        after = book.course().after.rows("contact")
        anna = next((row for row in after if row.id == 1), None)
        if goal is DELETED:
            assert anna is None
        elif goal is CHANGED:
            assert anna is not None and anna.values["phone"] == "555 0199"
        else:
            assert len([row for row in after if row.has(MADE.values)]) == 1


@given(courses, goals)
def test_writing_the_same_again_changes_no_truth(course: list[tuple[int, tuple[str, str] | None, Cause]], goal: Goal):
    book = played(course)
    truth = verdict(goal, book)
    for table, rows in book.course().after.tables.items():
        for row in rows:
            book.write(table, row.id, row, Cause.AGENT)
    assert verdict(goal, book) == truth


@given(courses, goals)
def test_an_unrelated_note_changes_no_truth(course: list[tuple[int, tuple[str, str] | None, Cause]], goal: Goal):
    book = played(course)
    truth = verdict(goal, book)
    book.write("note", 1, Row(1, ME, "kept", {"title": "Milk", "text": "2 l"}))
    assert verdict(goal, book) == truth
