from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from screens import scene

from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.changes import diff
from tracewitness.trace_side.reading_elements import key_of
from tracewitness.trace_side.scene import Element, Role, Scene


def element(name: str, value: str | None) -> Element:
    return Element(Role.ROW, name, value, None, True, key_of(Role.ROW, name), name)


_ELEMENTS = st.lists(st.builds(element, st.sampled_from("abc"), st.sampled_from(["1", "2", None])), max_size=8)


def whole(elements: list[Element]) -> Scene:
    return Scene(1, StepPart.AFTER, tuple(elements))


@given(_ELEMENTS, _ELEMENTS)
@settings(max_examples=200, deadline=None)
def test_a_difference_is_exact_as_a_multiset(old: list[Element], new: list[Element]) -> None:
    found = diff(whole(old), whole(new))
    rebuilt = Counter(old)
    rebuilt.subtract(Counter(found.vanished))
    rebuilt.subtract(Counter(pair.before for pair in found.changed))
    rebuilt.update(found.appeared)
    rebuilt.update(pair.after for pair in found.changed)
    assert +rebuilt == Counter(new)
    assert all(count >= 0 for count in rebuilt.values())
    assert all(pair.before.key == pair.after.key and pair.before != pair.after for pair in found.changed)
    for key in {e.key for e in old + new}:
        gone, come = (sum(e.key == key for e in side) for side in (found.vanished, found.appeared))
        assert not (gone and come)


@given(_ELEMENTS)
@settings(max_examples=50, deadline=None)
def test_nothing_changes_in_a_scene_seen_again(elements: list[Element]) -> None:
    assert not diff(whole(elements), whole(list(reversed(elements)))).anything


def test_a_count_is_not_part_of_the_name() -> None:
    found = diff(
        scene("page 'P'\n  button 'Helpful (3)' [not pressed]"), scene("page 'P'\n  button 'Helpful (4)' [pressed]")
    )
    assert [(p.before.name, p.after.name, p.after.on) for p in found.changed] == [("Helpful (3)", "Helpful (4)", True)]
    assert not found.appeared and not found.vanished


def test_equal_buttons_in_different_rows_are_different_elements() -> None:
    rows = "page 'P'\n  row 'Ann'\n    button 'Remove'\n  row 'Bob'\n    button 'Remove'"
    found = diff(scene(rows), scene("page 'P'\n  row 'Bob'\n    button 'Remove'"))
    assert sorted(e.key for e in found.vanished) == ["row:ann", "row:ann/button:remove"]


def test_nothing_vanishes_into_a_part_of_the_screen() -> None:
    found = diff(scene("page 'P'\n  row 'a'"), scene("toast 'Saved'"))
    assert found.vanished == ()
    assert [e.name for e in found.messages()] == ["Saved"]


def test_dialogs_errors_and_moves() -> None:
    before, after = scene("page 'P'\n  dialog 'Sure?'", url="u1"), scene("page 'Q'\n  error 'Bad mail'", url="u2")
    found = diff(before, after)
    assert [e.name for e in found.dialogs_closed()] == ["Sure?"]
    assert [e.name for e in found.errors()] == ["Bad mail"]
    assert (found.retitled, found.moved) == (("P", "Q"), ("u1", "u2"))
    assert [e.name for e in diff(after, before).dialogs_opened()] == ["Sure?"]


def test_log_lines_are_no_change_on_screen() -> None:
    assert not diff(scene("page 'P'"), scene("page 'P'\nrunner: guard hit\nconsole 'oops'")).anything


def test_a_missing_scene_says_nothing() -> None:
    assert not diff(None, scene("page 'P'")).known
    assert not diff(scene("page 'P'"), None).known
