from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import ledger, step

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.effects import Effect, effect_of
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step, Trace

PAGE = "page 'Contacts'\n  row 'Orin Vale | 555-0199'"


@dataclass
class World:
    """The tiny model: a screen with two switches and a form field, seen or not seen after each action."""

    wifi: bool = False
    sound: bool = True
    name: str = ""

    def screen(self) -> str:
        state = {True: "[on]", False: "[off]"}
        switches = f"switch 'Wi-Fi' {state[self.wifi]}\n  switch 'Sound' {state[self.sound]}"
        return f"screen 'S'\n  {switches}\n  field Name '{self.name}'"

    def act(self, move: str) -> None:
        if move == "wifi":
            self.wifi = not self.wifi
        elif move == "sound":
            self.sound = not self.sound
        elif move in {"x", "y"}:
            self.name = move


_MOVES = st.lists(
    st.tuples(st.sampled_from(["wifi", "sound", "x", "y", "none"]), st.booleans()), min_size=1, max_size=12
)


def play(moves: list[tuple[str, bool]], by_before: bool) -> tuple[Trace, list[World]]:
    world = World()
    states = [World()]
    steps: list[Step] = []
    for index, (move, seen) in enumerate(moves):
        before = Observation(world.screen()) if by_before and (seen or index == 0) else None
        world.act(move)
        after = Observation(world.screen()) if not by_before and seen else None
        steps.append(Step(index, Action("click", move), before, after))
        states.append(World(world.wifi, world.sound, world.name))
    if by_before:
        steps.append(Step(len(moves), Action("finish"), Observation(world.screen())))
    return Trace(tuple(steps)), states


@given(_MOVES, st.booleans())
@settings(max_examples=120, deadline=None)
def test_the_ledger_tells_what_the_model_did(moves: list[tuple[str, bool]], by_before: bool) -> None:
    trace, states = play(moves, by_before)
    book = build_ledger(trace)
    assert len(book.steps) == len(trace.steps)
    for place, (_, seen) in enumerate(moves):
        entry = book.steps[place]
        shown_later = by_before and (place + 1 == len(moves) or moves[place + 1][1])
        assert entry.unobserved is not (shown_later if by_before else seen)
        if not entry.unobserved:
            told = {s.element.name: s.element for s in book.state_after(entry.index)}
            assert told["Wi-Fi"].on is states[place + 1].wifi
            assert told["Sound"].on is states[place + 1].sound
            assert told["Name"].value == states[place + 1].name
    seen_toggles = [s.element.on for s in book.toggles("wi-fi")]
    turned = [on for place, on in enumerate(seen_toggles) if place == 0 or seen_toggles[place - 1] is not on]
    assert [s.element.on for s in book.turns("Wi-Fi")] == turned


@given(_MOVES)
@settings(max_examples=60, deadline=None)
def test_no_change_is_said_only_where_nothing_changed(moves: list[tuple[str, bool]]) -> None:
    trace, states = play([(move, True) for move, _ in moves], by_before=True)
    book = build_ledger(trace)
    for place in range(len(moves)):
        assert book.steps[place].no_change == (states[place] == states[place + 1])


@given(_MOVES, st.integers(min_value=0, max_value=12))
@settings(max_examples=60, deadline=None)
def test_cutting_off_the_end_only_takes_knowledge_away(moves: list[tuple[str, bool]], kept: int) -> None:
    trace, _ = play(moves, by_before=False)
    cut = Trace(trace.steps[:kept])
    whole, part = build_ledger(trace), build_ledger(cut)
    assert part.steps == whole.steps[: len(part.steps)]
    assert set(part.occurrences("Wi-Fi")) <= set(whole.occurrences("Wi-Fi"))


@given(_MOVES)
@settings(max_examples=60, deadline=None)
def test_dropping_the_last_look_is_a_named_gap(moves: list[tuple[str, bool]]) -> None:
    trace, _ = play(moves, by_before=False)
    blind = Trace((*trace.steps[:-1], Step(trace.steps[-1].index, trace.steps[-1].action)))
    assert Gap.NO_FINAL_OBSERVATION in build_ledger(blind).gaps


def test_first_and_last_sights_with_their_places() -> None:
    book = ledger(step(1, "goto", PAGE), step(2, "click", "page 'Other'"), step(3, "back", PAGE))
    first, last = book.first_seen("ORIN  vale"), book.last_seen("Orin Vale")
    assert first is not None and last is not None
    assert ((first.step, first.part), (last.step, last.part)) == ((1, StepPart.AFTER), (3, StepPart.AFTER))
    assert book.occurrences("") == ()


def test_values_of_a_row_over_time() -> None:
    changed = PAGE.replace("0199", "0142")
    book = ledger(step(1, "goto", PAGE), step(2, "click", changed), step(3, "reload", PAGE))
    assert [(s.step, s.element.value) for s in book.values("row:orin vale")] == [
        (1, "Orin Vale | 555-0199"),
        (2, "Orin Vale | 555-0142"),
        (3, "Orin Vale | 555-0199"),
    ]


def test_a_field_read_back_is_added_to_the_page_it_stands_on() -> None:
    form = "form 'Apply'\n  field Name ''\n  field Email ''\n  button 'Send'"
    book = ledger(step(1, "goto", form), step(2, "fill", "field Name 'Ada'"), step(3, "fill", "field Email 'a@b.test'"))
    told = {s.element.name: (s.element.value, s.step) for s in book.final_state()}
    assert told == {"Apply": (None, 1), "Name": ("Ada", 2), "Email": ("a@b.test", 3), "Send": (None, 1)}
    assert [p.after.value for p in book.steps[2].changes.changed] == ["a@b.test"]


def test_unchanged_leaves_the_last_screen_standing() -> None:
    book = ledger(step(1, "goto", PAGE), step(2, "finish", "page 'Contacts' (unchanged)"))
    assert book.steps[1].after is book.steps[0].after
    assert book.steps[1].no_change
    final = book.final_scene()
    assert final is not None and final.step == 1


def test_an_acknowledgement_is_no_observation() -> None:
    book = ledger(step(1, "goto", PAGE), step(2, "click", "Click action completed successfully"))
    assert book.steps[1].unobserved
    assert Gap.NO_FINAL_OBSERVATION in book.gaps


def test_loops_dialogs_and_runner_lines() -> None:
    menu = Action("menu", raw="menu('Insert > Chart')")
    again = "dialog 'Insert chart' (already open)"
    book = ledger(
        step(1, "open_file", "window 'budget'"),
        step(2, menu, "dialog 'Insert chart'\n  button 'OK'"),
        step(3, menu, again),
        step(4, menu, again + "\nrunner: repetition guard hit"),
    )
    assert [(s.index, s.repeats) for s in book.loops()] == [(4, 2)]
    dialog = book.open_dialog_at(4)
    assert dialog is not None and dialog.element.name == "Insert chart"
    assert book.open_dialog_at(1) is None
    assert [s.element.name for s in book.runner_lines()] == ["repetition guard hit"]


def test_a_dialog_stays_open_while_only_its_fields_are_read_back() -> None:
    dialog = "dialog 'New tag'\n  field Name ''\n  button 'OK'"
    filled = ledger(step(1, "click", dialog), step(2, "fill", "field Name 'red'"))
    closed = ledger(step(1, "click", dialog), step(2, "click", "toast 'Tag added'"))
    assert filled.open_dialog_at(2) is not None
    assert closed.open_dialog_at(2) is None


def test_server_errors_errors_and_messages() -> None:
    book = ledger(
        step(1, "goto", "page 'Form'"),
        step(
            2,
            "click",
            "toast 'Export failed'\nnetwork\n  GET /api/a -> 404 {}\n  PUT /api/b -> 503 {}\n  POST /api/c -> 201 {}",
        ),
        step(3, "click", "page 'Form'\n  error 'Enter a valid date'", error="HTTP 500"),
    )
    assert [s.element.name for s in book.network_failures()] == ["PUT /api/b"]
    assert [s.element.name for s in book.network_writes()] == ["PUT /api/b", "POST /api/c"]
    assert [(s.step, s.element.name) for s in book.errors()] == [(2, "Export failed"), (3, "Enter a valid date")]
    assert [s.element.name for s in book.toasts()] == ["Export failed"]
    assert [s.index for s in book.failed_steps()] == [3]


@pytest.mark.parametrize(
    ("steps", "gap"),
    [
        ((step(1, "click"), step(2, "finish")), Gap.NO_OBSERVATIONS),
        ((step(1, "click", PAGE), step(4, "finish", PAGE)), Gap.MISSING_STEPS),
        ((step(3, "click", PAGE), step(4, "finish", PAGE)), Gap.MISSING_STEPS),
        ((Step(1, Action("click"), after=Observation(screenshot=Screenshot("1.png"))),), Gap.SCREENSHOT_ONLY),
        ((Step(1, Action("click"), after=Observation(ui_tree="<hierarchy><node")),), Gap.UNREADABLE_OBSERVATION),
        ((step(1, "click", "Clicked. {'type': 'image', 'source': {}}"),), Gap.SCREENSHOT_ONLY),
    ],
)
def test_what_is_missing_is_named(steps: tuple[Step, ...], gap: Gap) -> None:
    assert gap in build_ledger(Trace(steps)).gaps


def test_a_whole_record_has_no_gap_and_known_gaps_stay() -> None:
    steps = (step(0, "goto", PAGE), step(1, "click", PAGE), step(2, "finish"))
    assert build_ledger(Trace(steps)).gaps == ()
    assert build_ledger(Trace(steps, (Gap.LOG_CUT_OFF,))).gaps == (Gap.LOG_CUT_OFF,)


@pytest.mark.parametrize(
    ("action", "effect"),
    [
        (Action("click"), Effect.ACTIVATE),
        (Action("browser_click"), Effect.ACTIVATE),
        (Action("leftClick"), Effect.ACTIVATE),
        (Action("browser_navigate"), Effect.MOVE),
        (Action("scroll"), Effect.MOVE),
        (Action("input_text"), Effect.ENTER),
        (Action("fill_secret"), Effect.ENTER),
        (Action("wait"), Effect.NONE),
        (Action("call_user"), Effect.ASK),
        (Action("finish"), Effect.FINISH),
        (Action("tool", raw='invoices.get({"id":2209})'), Effect.NONE),
        (Action("tool", raw='invoices.send({"id":2209})'), Effect.CALL),
        (Action("tool", raw='{"name": "list_dir", "arguments": {}}'), Effect.NONE),
        (Action("frobnicate"), Effect.CALL),
    ],
)
def test_effect_of_an_action_by_its_name(action: Action, effect: Effect) -> None:
    assert effect_of(action) is effect
