"""Plans in a real browser: what is done, with what, and what cannot be done."""

import pytest

from lab.stage import CHROMIUM, Played, Stage, world_of
from tracewitness.lab.driving.hands import PlanError
from tracewitness.lab.plans.operations import (
    Answer,
    ChangeAccount,
    Enter,
    Flip,
    Leave,
    New,
    Open,
    OpenRow,
    Operation,
    Press,
    ReadAll,
    RowDeed,
    Search,
    Undo,
)
from tracewitness.lab.recording.recording import Act
from tracewitness.lab.site.look import ListStyle, Look, Navigation, Place, Saving
from tracewitness.lab.truth.goals import Goal, RowIsMade, RowsAreMoved
from tracewitness.lab.truth.outcomes import Outcome
from tracewitness.lab.world.faults import Circumstances, Fault, FaultKind
from tracewitness.lab.world.world import World

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

NOTE = RowIsMade("note", (("text", "abc"), ("title", "ABC 1")), "kept", "member")
WRITE = (Open("note_list"), New("note"), Enter("title", "ABC 1"), Enter("text", "abc"))


def contacts(seed: int = 3) -> World:
    return world_of("contacts", "en", seed)[0]


def acts(played: Played) -> list[Act]:
    return [action.act for action in played.recorder.actions]


@pytest.mark.parametrize("form", [Place.PAGE, Place.OVERLAY])
@pytest.mark.parametrize("saving", list(Saving))
@pytest.mark.parametrize("navigation", [Navigation.SIDE, Navigation.MENU])
def test_a_form_is_filled_in_wherever_it_appears(stage: Stage, form: Place, saving: Saving, navigation: Navigation):
    look = Look(form=form, saving=saving, navigation=navigation)
    played = stage.play(contacts(), look, (*WRITE, Press("save")), NOTE)
    assert played.truth.outcome is Outcome.ACCOMPLISHED
    opening = 2 if navigation is Navigation.MENU else 1
    assert acts(played) == [Act.CLICK] * (opening + 1) + [Act.TYPE, Act.TYPE, Act.CLICK]
    assert played.ends == (opening, *(opening + n for n in range(1, 5)))


@pytest.mark.parametrize("form", [Place.PAGE, Place.OVERLAY])
def test_a_form_that_is_left_keeps_nothing(stage: Stage, form: Place):
    played = stage.play(contacts(), Look(form=form), (*WRITE, Leave(), Open("contact_list")), NOTE)
    assert played.truth.outcome is Outcome.NOT_ACCOMPLISHED


def test_who_has_no_mouse_presses_keys_alone(stage: Stage):
    played = stage.play(contacts(), Look(form=Place.OVERLAY), (*WRITE, Press("save")), NOTE, keyboard=True)
    assert played.truth.outcome is Outcome.ACCOMPLISHED
    assert set(acts(played)) == {Act.PRESS, Act.TYPE}


@pytest.mark.parametrize("question", list(Place))
@pytest.mark.parametrize("saving", list(Saving))
@pytest.mark.parametrize("yes", [True, False])
def test_a_question_is_answered_wherever_it_appears(stage: Stage, question: Place, saving: Saving, yes: bool):
    world = contacts()
    title = world.rows("contact")[0].values["name"]
    goal: Goal = RowsAreMoved("contact", (("name", title),), ("kept",), None, "member")
    plan: tuple[Operation, ...] = (Open("contact_list"), RowDeed(title, "delete"), Answer(yes))
    played = stage.play(world, Look(question=question, saving=saving, page_size=50), plan, goal)
    assert played.truth.outcome is (Outcome.ACCOMPLISHED if yes else Outcome.NOT_ACCOMPLISHED)
    noted = [line for seen in played.recorder.seen for line in seen.console if line.startswith("dialog: ")]
    assert len(noted) == (question is Place.BROWSER)
    assert len(acts(played)) == (2 if question is Place.BROWSER else 3)


@pytest.mark.parametrize("style", list(ListStyle))
def test_the_pages_of_a_list_are_turned_until_the_row_is_there(stage: Stage, style: ListStyle):
    world = contacts()
    title = max(world.rows("contact"), key=lambda row: row.values["name"].casefold()).values["name"]
    played = stage.play(world, Look(rows=style, page_size=3), (Open("contact_list"), OpenRow(title)), NOTE)
    pages = -(-len(world.rows("contact")) // 3)
    assert len(played.recorder.actions) == pages + 1
    assert title in played.recorder.seen[-1].text


def test_a_list_is_read_to_its_end(stage: Stage):
    world = contacts()
    played = stage.play(world, Look(page_size=4), (Open("contact_list"), ReadAll()), NOTE)
    shown = "\n".join(seen.text for seen in played.recorder.seen)
    assert all(row.values["name"] in shown for row in world.rows("contact"))


def test_what_was_done_can_be_undone(stage: Stage):
    world, _, _ = world_of("files", "en", 2)
    name = next(row.values["name"] for row in world.rows("file") if row.state == "kept")
    goal = RowsAreMoved("file", (("name", name),), ("kept",), "trash", "member")
    delete: tuple[Operation, ...] = (Open("all_files"), Search(name), RowDeed(name, "delete"))
    assert stage.play(world, Look(), (*delete, Undo()), goal).truth.outcome is Outcome.NOT_ACCOMPLISHED
    assert stage.play(world, Look(), delete, goal).truth.outcome is Outcome.ACCOMPLISHED


@pytest.mark.parametrize("kind", [FaultKind.DISABLED, FaultKind.COVERED])
def test_a_button_that_cannot_be_pressed_does_nothing(stage: Stage, kind: FaultKind):
    world = contacts()
    world.circumstances = Circumstances((Fault(kind, on="save"),))
    played = stage.play(world, Look(), (*WRITE, Press("save", expects_nothing=True)), NOTE)
    assert played.truth.outcome is Outcome.NOT_ACCOMPLISHED
    with pytest.raises(PlanError, match="Press"):
        stage.play(world, Look(), (*WRITE, Press("save")), NOTE)


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (OpenRow("Nobody at all"), "Nobody at all"),
        (RowDeed("Nobody at all", "delete"), "Nobody at all"),
        (Open("inbox"), "nav:inbox|menu"),
        (Enter("phone", "1"), "field:phone"),
        (Press("save"), "submit:save"),
        (Flip("sound"), "field:sound"),
        (ChangeAccount("second_member"), "account-menu"),
        (Answer(), "yes"),
        (Undo(), "undo"),
    ],
)
def test_what_is_not_possible_is_an_error_that_names_it(stage: Stage, operation: Operation, said: str):
    with pytest.raises(PlanError, match=said) as caught:
        stage.play(contacts(), Look(), (Open("contact_list"), operation), NOTE)
    assert type(operation).__name__ in str(caught.value)
