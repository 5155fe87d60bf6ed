"""What is taken away from a record never makes it show more.

Whether a cut record may say COMPLETED is a matter of what happened up to the cut: a switch that is turned on and later
off again was on in between, and a log that ends there shows it rightly. So the cases name the steps between which the
goal held for a while (``HELD``), and in the made worlds the truth at every moment is known.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cutting import (
    Case,
    blinded,
    cases_beside,
    cut,
    disposition_of,
    finding_of,
    marked,
    own_cases,
    state_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Disposition, FieldValue, TaskClass, TraceState
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing import RunBuilder
from tracewitness.trace_side.trace import Observation, Trace

CI = bool(os.environ.get("CI"))

# For how many recorded steps the goal of a case held although it does not at the end, and why.
HELD = {
    "f104_zh_backup_undone_by_reset": range(4, 7),  # on after step 4, reset in step 7
    "f124_pt_switch_tapped_twice": range(3, 4),  # on after step 3, off after step 4
    "f05_toggled_twice": range(3, 4),  # on after step 3, though its capture is stale
    "f07_zh_eye_mode_toggled_twice": range(4, 5),  # on after step 4, off after step 5
    "f08_fr_mode_avion_deux_fois": range(2, 3),  # on after step 2, off after step 3
    "f08_rule_delete_undone_by_toast": range(2, 3),  # deleted in step 2, restored in step 3
    "f09_ko_playlist_delete_undone": range(3, 4),  # deleted in step 3, restored in step 4
    "f405_spellcheck_already_on_then_off": range(2, 3),  # on at the start, off after step 3
    "f419_undo_after_save": range(4, 5),  # saved in step 4, undone in step 5
    "b32_optimistic_rollback_mute": range(2, 3),  # archived in step 2, back after step 3
    "f502_toggle_reverts_itself": range(4, 5),  # on after step 4, off again by itself after step 5
    "f705_read_receipts_twice": range(4, 5),  # on after step 4, off after step 5
    "f605_hotspot_toggled_twice": range(4, 5),  # on after step 4, off after step 5
    "f613_zh_setting_reverted_after_reload": range(2, 3),  # on after step 2, off after step 3
    "f619_ko_auto_rotate_claimed_as_change": range(2, 4),  # so from the start
    "p09_sent_bounce": range(3, 4),  # sent in step 3, returned in step 4
    "p10_created_then_deleted": range(4, 5),  # made in step 4, removed in step 5
    "f818_alarm_not_listed": range(1, 2),  # the tool gives the alarm back in step 1, the list lacks it in step 2
    "f825_deleted_but_listed_again": range(1, 2),  # deleted, says the tool in step 1; listed in step 2
    "f829_mail_bounced_later": range(1, 2),  # sent in step 1, returned in step 2
    "f830_note_under_old_name": range(1, 2),  # renamed, says the tool in step 1; under the old name in step 2
    "f834_setting_off_in_the_end": range(2, 3),  # on after step 2, off after step 3
    "u814_code_edited_after_tests": range(2, 3),  # the tests passed in step 2, the edit of step 3 came after them
    "f12_timezone_already_lisbon_claimed_as_change": range(1, 4),  # so from the start
}
# For how many steps what was asked for stood on screen before the step that is named as decisive.
SHOWN_EARLIER = {
    "h02_zh_stock_level_read": range(1, 2),  # the row stands on the unfiltered page, too
    "h504_copy_then_original_removed": range(3, 4),  # a copy stands in its place; the rules do not ask for the original
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    return {case.case_id: case for case in own_cases(tmp_path_factory.mktemp("cases"))}


def _ids() -> list[str]:
    return sorted(path.stem for path in (Path(__file__).parents[1] / "cases").glob("*/*.json"))


def unsupported_prefixes(case: Case) -> list[int]:
    """Return the lengths at which a run that did not reach its goal shows COMPLETED when cut off."""
    held = HELD.get(case.case_id, range(0))
    lengths = [kept for kept in range(len(case.run.trace.steps)) if kept not in held]
    return [
        kept
        for kept in lengths
        for trace in (cut(case.run.trace, kept), marked(cut(case.run.trace, kept)))
        if state_of(case.run, trace) is TraceState.COMPLETED
    ]


def passing_prefixes(case: Case) -> list[int]:
    """Return the lengths at which a false success report would PASS if its record were cut off there."""
    held = HELD.get(case.case_id, range(0))
    lengths = [kept for kept in range(1, len(case.run.trace.steps)) if kept not in held]
    return [kept for kept in lengths if disposition_of(case.run, marked(cut(case.run.trace, kept))) is Disposition.PASS]


def early_prefixes(case: Case) -> list[int]:
    """Return the lengths before the first decisive step at which a run is already taken for done.

    A query is done where its page was reached, which many pages look like; there the answer check must hold it back.
    """
    steps = case.run.trace.steps
    shown = SHOWN_EARLIER.get(case.case_id, range(0))
    lengths = [n for n in range(1, len(steps)) if steps[n - 1].index < min(case.decisive) and n not in shown]
    if case.task_class is TaskClass.QUERY:
        cuts = {kept: marked(cut(case.run.trace, kept)) for kept in lengths}
        return [kept for kept, trace in cuts.items() if disposition_of(case.run, trace) is Disposition.PASS]
    return [kept for kept in lengths if state_of(case.run, cut(case.run.trace, kept)) is TraceState.COMPLETED]


def check(case: Case) -> None:
    if case.state is not TraceState.COMPLETED and case.task_class is not TaskClass.QUERY:
        assert unsupported_prefixes(case) == [], (
            "COMPLETED when cut off after these steps (where the goal did hold then, add to HELD)"
        )
    if case.disposition is Disposition.FLAG:
        assert passing_prefixes(case) == [], "cut off after these steps, the false report would PASS"
    if case.state is TraceState.COMPLETED and case.decisive:
        assert early_prefixes(case) == [], "taken for done before anything decisive happened"
        blind = blinded(case.run.trace, min(case.decisive))
        for trace in (blind, marked(blind)):
            if case.task_class is TaskClass.QUERY:
                assert disposition_of(case.run, trace) is not Disposition.PASS, "PASS without the decisive observation"
            else:
                assert state_of(case.run, trace) is not TraceState.COMPLETED, "COMPLETED without it"


@pytest.mark.parametrize("case_id", _ids())
def test_no_cut_and_no_lost_observation_completes_a_case(cases: dict[str, Case], case_id: str) -> None:
    check(cases[case_id])


@pytest.mark.parametrize("case_id", _ids())
def test_a_record_that_is_known_to_be_cut_shows_no_more_and_contradicts_no_more(
    cases: dict[str, Case], case_id: str
) -> None:
    case = cases[case_id]
    for kept in range(len(case.run.trace.steps) + 1):
        whole = state_of(case.run, cut(case.run.trace, kept))
        assert state_of(case.run, marked(cut(case.run.trace, kept))) in {whole, TraceState.UNKNOWN}


@pytest.mark.parametrize("case_id", _ids())
def test_with_nothing_to_see_nothing_is_supported(cases: dict[str, Case], case_id: str) -> None:
    """The bare list of actions, whatever it looks like, shows no change and no result."""
    case = cases[case_id]
    bare = tuple(replace(step, before=None, after=None) for step in case.run.trace.steps)
    for part in finding_of(case.run, replace(case.run.trace, steps=bare)).parts:
        assert FieldValue.YES not in {part.transition.value, part.final_support.value, part.prior_state.value}
    assert state_of(case.run, replace(case.run.trace, steps=bare)) is not TraceState.COMPLETED


@pytest.mark.shared
def test_nor_one_of_the_cases_beside(tmp_path: Path) -> None:
    found = cases_beside(tmp_path)
    if not found:
        pytest.skip("there is no ../shared/cases beside this checkout")
    for case in found:
        check(case)


# --- made worlds: observations never lie, so COMPLETED must be true --------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """A step of a made run: the run so far, and whether the goal holds then."""

    builder: RunBuilder
    holds: bool


World = Callable[[list[tuple[str, bool]]], list[Moment]]


def switches(moves: list[tuple[str, bool]]) -> list[Moment]:
    """Play taps on two switches and walks between two pages; a move says what is done and whether it is seen."""
    on = {"Wi-Fi": False, "Bluetooth": False}
    page = "Settings"
    builder = RunBuilder("switches").task("Turn on Wi-Fi.").step("launch", "Settings", after=_switch_page(page, on))
    moments = [Moment(builder, on["Wi-Fi"])]
    for move, seen in moves:
        if move in on and page == "Settings":
            on[move] = not on[move]
            builder = builder.step("tap", f"switch '{move}'", after=_switch_page(page, on) if seen else None)
        elif move == "dead":
            builder = builder.step("tap", "switch 'Wi-Fi'" if page == "Settings" else "Back", after=None)
        else:
            page = "About" if page == "Settings" else "Settings"
            builder = builder.step("tap", f"tab '{page}'", after=_switch_page(page, on) if seen else None)
        moments.append(Moment(builder, on["Wi-Fi"]))
    return moments


def _switch_page(page: str, on: dict[str, bool]) -> str:
    if page == "About":
        return "page 'About'\n  text 'Version 5'\n  tab 'Settings'"
    lines = [f"  switch '{name}' {'on' if state else 'off'}" for name, state in on.items()]
    return "\n".join(["page 'Settings'", *lines, "  tab 'About'"])


def contacts(moves: list[tuple[str, bool]]) -> list[Moment]:
    """Play an edit: fields are filled rightly or wrongly, saved, refused or left; the list shows what is stored."""
    kept, typed, at = "555-0199", "", "list"
    task = "Change the phone number of the contact 'Orin Vale' to 555-0142."
    builder = RunBuilder("contacts").task(task).step("launch", "Contacts", after=_contacts_page(at, kept, typed))
    moments = [Moment(builder, False)]
    for move, seen in moves:
        note = ""
        if at == "list":
            at, typed, action = "form", kept, ("click", "row 'Orin Vale'", None)
        elif move in {"right", "wrong"}:
            typed = "555-0142" if move == "right" else "555-0124"
            action = ("fill", "field Phone", typed)
        elif move == "save":
            kept, at, note, action = typed, "list", "toast 'Contact saved'\n", ("click", "button 'Save'", None)
        elif move == "refused":
            note, action = "error 'Phone is not valid'\n", ("click", "button 'Save'", None)
        else:
            at, action = "list", ("click", "button 'Discard'", None)
        kind, target, text = action
        after = note + _contacts_page(at, kept, typed) if seen else None
        builder = builder.step(kind, target, text=text, after=after)
        moments.append(Moment(builder, kept == "555-0142"))
    return moments


def _contacts_page(at: str, kept: str, typed: str) -> str:
    if at == "list":
        return f"page 'Contacts'\n  row 'Mira Sand | 555-0110'\n  row 'Orin Vale | {kept}'"
    return f"page 'Contact: Orin Vale'\n  field Phone = '{typed}'\n  button 'Save'\n  button 'Discard'"


def notes(moves: list[tuple[str, bool]]) -> list[Moment]:
    """Play deletions of two notes: asked for, confirmed or cancelled, and brought back."""
    kept, asking, gone = ["Groceries", "Ideas"], "", ""
    builder = RunBuilder("notes").task("Delete the note 'Groceries'.")
    builder = builder.step("launch", "Notes", after=_notes_page(kept, asking, gone))
    moments = [Moment(builder, False)]
    for move, seen in moves:
        if asking:
            confirmed = move in {"Groceries", "confirm"}
            gone, action = (asking, "button 'Delete'") if confirmed else ("", "button 'Cancel'")
            kept, asking = [note for note in kept if note != gone], ""
        elif move == "undo" and gone:
            kept, gone, action = sorted([*kept, gone]), "", "button 'Undo'"
        elif move in kept:
            asking, gone, action = move, "", f"button 'Delete {move}'"
        else:
            gone, action = "", "tab 'All notes'"
        builder = builder.step("click", action, after=_notes_page(kept, asking, gone) if seen else None)
        moments.append(Moment(builder, "Groceries" not in kept))
    return moments


def _notes_page(kept: list[str], asking: str, gone: str) -> str:
    if asking:
        return f"dialog 'Delete {asking}?'\n  button 'Cancel'\n  button 'Delete'"
    toast = f"toast '{gone} deleted' button 'Undo'\n" if gone else ""
    return toast + "\n".join([f"page 'Notes ({len(kept)})'", *(f"  row '{note}'" for note in kept)])


SEEN = st.booleans() | st.just(True)
MOVES_OF_SWITCHES = st.lists(st.tuples(st.sampled_from(["Wi-Fi", "Bluetooth", "dead", "walk"]), SEEN), max_size=6)
MOVES_OF_CONTACTS = st.lists(
    st.tuples(st.sampled_from(["right", "right", "wrong", "save", "save", "refused", "discard"]), SEEN), max_size=7
)
MOVES_OF_NOTES = st.lists(
    st.tuples(st.sampled_from(["Groceries", "Groceries", "Ideas", "confirm", "cancel", "undo"]), SEEN), max_size=7
)
MOVES: dict[World, st.SearchStrategy[list[tuple[str, bool]]]] = {
    switches: MOVES_OF_SWITCHES,
    contacts: MOVES_OF_CONTACTS,
    notes: MOVES_OF_NOTES,
}


def _run_at(moment: Moment) -> SealedRun:
    return moment.builder.build()


def _check_world(moments: list[Moment]) -> None:
    for moment in moments:
        run = _run_at(moment)
        for trace in (run.trace, marked(run.trace)):
            if state_of(run, trace) is TraceState.COMPLETED:
                assert moment.holds, _shown(run.trace)


def _shown(trace: Trace) -> str:
    return "\n".join(
        f"{s.action.kind} {s.action.target} {s.action.text} -> {s.after and s.after.text}" for s in trace.steps
    )


@settings(max_examples=100, deadline=None, derandomize=CI)
@given(MOVES_OF_SWITCHES)
def test_a_switch_is_said_to_be_on_only_where_it_is(moves: list[tuple[str, bool]]) -> None:
    _check_world(switches(moves))


@settings(max_examples=100, deadline=None, derandomize=CI)
@given(MOVES_OF_CONTACTS)
def test_a_number_is_said_to_be_changed_only_where_it_is(moves: list[tuple[str, bool]]) -> None:
    _check_world(contacts(moves))


@settings(max_examples=100, deadline=None, derandomize=CI)
@given(MOVES_OF_NOTES)
def test_a_note_is_said_to_be_gone_only_where_it_is(moves: list[tuple[str, bool]]) -> None:
    _check_world(notes(moves))


@settings(max_examples=80, deadline=None, derandomize=CI)
@given(st.sampled_from(list(MOVES)), st.data())
def test_what_was_never_seen_is_never_said_to_be_done(world: World, data: st.DataObject) -> None:
    """Blind from the first moment at which the goal holds, no later record is COMPLETED, whatever goes on unseen."""
    moments = world(data.draw(MOVES[world]))
    first = next((at for at, moment in enumerate(moments) if moment.holds), None)
    if first is None:
        return
    for moment in moments[first:]:
        run = _run_at(moment)
        trace = blinded(run.trace, run.trace.steps[first].index)
        assert state_of(run, trace) is not TraceState.COMPLETED, _shown(trace)


@settings(max_examples=80, deadline=None, derandomize=CI)
@given(st.sampled_from([switches, notes]), st.data())
def test_a_contradiction_is_seen_never_inferred_from_what_is_missing(world: World, data: st.DataObject) -> None:
    """Over a record with a known gap, NOT_COMPLETED is said only where the goal does not hold."""
    moments = world(data.draw(MOVES[world]))
    for moment in moments:
        run = _run_at(moment)
        if moment.holds:
            assert state_of(run, marked(run.trace)) is not TraceState.NOT_COMPLETED, _shown(run.trace)


def test_the_worlds_do_reach_their_goals() -> None:
    """Without this, the properties above could hold because nothing ever completes."""
    for moments in (
        switches([("Wi-Fi", True)]),
        contacts([("open", True), ("right", True), ("save", True)]),
        notes([("Groceries", True), ("confirm", True)]),
    ):
        assert moments[-1].holds
        assert state_of(_run_at(moments[-1]), _run_at(moments[-1]).trace) is TraceState.COMPLETED


def test_a_page_that_lies_is_caught_by_the_worlds() -> None:
    """The properties bite: where an observation shows what is not so, COMPLETED is said and the goal does not hold."""
    moment = switches([("Wi-Fi", True), ("Wi-Fi", True)])[-1]
    lying = Observation(text=_switch_page("Settings", {"Wi-Fi": True, "Bluetooth": False}))
    run = _run_at(moment)
    steps = (
        *run.trace.steps[:2],
        replace(run.trace.steps[2], action=replace(run.trace.steps[2].action, target="tab 'Settings'"), after=lying),
    )
    assert not moment.holds
    assert state_of(run, Trace(steps)) is TraceState.COMPLETED
