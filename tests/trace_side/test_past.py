from hypothesis import given
from hypothesis import strategies as st

from tracewitness.findings.labels import Language, StepPart
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.course import moves_of
from tracewitness.trace_side.moves import Played
from tracewitness.trace_side.names import typed_values
from tracewitness.trace_side.past import Lines, Places, not_shown_before
from tracewitness.trace_side.scene import Scene
from tracewitness.trace_side.scenes import read_scene
from tracewitness.trace_side.trace import Action, Observation, Step, Trace
from tracewitness.trace_side.view import View

STEPS = [
    Step(n, Action("click", raw=f"click(button 'B{n}')"), after=Observation(text=f"page 'P{n}'")) for n in range(12)
]
PLAYED: tuple[Played, ...] = moves_of(build_ledger(Trace(tuple(STEPS))))
MOMENTS = st.integers(min_value=0, max_value=12)


def view(*lines: str) -> View:
    shown = Observation(text="page 'Notes'\n" + "\n".join(f"  row '{line}'" for line in lines))
    scene = read_scene(Step(0, Action("click"), after=shown), StepPart.AFTER)
    assert isinstance(scene, Scene)
    return View(scene)


@given(st.sets(st.integers(min_value=0, max_value=11)), MOMENTS, MOMENTS)
def test_places_tell_what_going_through_the_steps_tells(marked: set[int], start: int, end: int) -> None:
    places = Places(PLAYED, lambda played: played.step.position in marked)
    assert places.any(start, end) == any(place in marked for place in range(start, end))
    assert places.last(end) == max((place for place in marked if place < end), default=-1)


@given(st.lists(st.tuples(MOMENTS, st.sampled_from("abcdef")), max_size=8), st.lists(MOMENTS, max_size=5))
def test_lines_tell_what_was_seen_by_a_moment(seen: list[tuple[int, str]], asked: list[int]) -> None:
    seen = sorted(seen)
    lines = Lines()
    for after_steps, name in seen:
        lines.add(after_steps, view(name))
    for moment in sorted(asked):
        known = {e.line for after_steps, name in seen if after_steps <= moment for e in view(name).elements}
        assert lines.until(moment) == known


@given(
    st.lists(st.tuples(MOMENTS, st.sampled_from("1234")), max_size=6),
    st.lists(st.tuples(MOMENTS, st.sampled_from("1234")), max_size=6),
)
def test_a_value_is_the_agents_own_where_no_screen_showed_it_before_some_entry_of_it(
    entered: list[tuple[int, str]], seen: list[tuple[int, str]]
) -> None:
    entered, seen = sorted(entered), sorted(seen)
    own = not_shown_before(
        [(place, frozenset(typed_values(figure, Language.EN))) for place, figure in entered],
        [(after_steps, view(figure)) for after_steps, figure in seen],
        Language.EN,
    )
    expected = {
        figure
        for place, figure in entered
        if not any(after_steps <= place and figure == other for after_steps, other in seen)
    }
    assert own == {value for figure in expected for value in typed_values(figure, Language.EN)}
