"""Which pictures go: a simple model of the budget first, then examples."""

import pytest
from answering import Album, picture, shot
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.exhibits import NoPictures
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.picture_choice import ChosenPictures, choose_pictures
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step, Trace
from tracewitness.values.digests import digest_bytes

AFTER, BEFORE = StepPart.AFTER, StepPart.BEFORE
NAMES = "abcdefgh"
ALBUM = Album(*(picture(name) for name in NAMES))


def seen(name: str, words: str | None = None) -> Observation:
    return Observation(words, screenshot=shot(name))


def looks(names: str, clicks: str = "") -> Ledger:
    """One step per name, with that picture after it; those in ``clicks`` change state."""
    steps = (
        Step(at, Action("tap" if name in clicks else "scroll"), after=seen(name)) for at, name in enumerate(names, 1)
    )
    return build_ledger(Trace(tuple(steps)))


def chosen(book: Ledger, most: int, album: Album = ALBUM) -> tuple[str, ChosenPictures]:
    found = choose_pictures(book, album, most)
    by_digest = {digest_bytes(picture(name)): name for name in NAMES}
    return "".join(by_digest[each.digest] for each in found.pictures), found


STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.booleans(), st.booleans()), min_size=1, max_size=12)


@settings(max_examples=200, deadline=None)
@given(STEPS, st.integers(0, 9))
def test_the_budget_is_kept_and_holds_what_must_be_seen(plan: list[tuple[str, bool, bool]], most: int) -> None:
    steps = tuple(
        Step(
            at,
            Action("tap" if clicks else "scroll"),
            before=seen(name) if before else None,
            after=None if before else seen(name),
        )
        for at, (name, clicks, before) in enumerate(plan, 1)
    )
    names, found = chosen(build_ledger(Trace(steps)), most)
    every = list(dict.fromkeys(name for name, _, _ in plan))
    assert len(names) == min(most, len(every))
    assert list(names) == [name for name in every if name in names], "in the order of time, each once"
    assert found.left_out == (len(every) - len(names) if most else 0)
    first, last = plan[0][0], plan[-1][0]
    if most >= 2:
        assert {first, last} <= set(names)
    if most == 1:
        assert names == last
    outcomes = {name for (name, clicks, before) in plan if clicks and not before}
    outcomes |= {name for (_, clicks, _), (name, _, before) in zip(plan, plan[1:], strict=False) if clicks and before}
    if most >= len({first, last} | outcomes):
        assert outcomes <= set(names)
    elif most >= 2:
        assert set(names) <= {first, last} | outcomes
    places = {(at, BEFORE if before else AFTER) for at, (name, _, before) in enumerate(plan, 1) if name in names}
    assert found.places == places


def test_the_last_screen_goes_even_where_it_was_seen_before() -> None:
    assert chosen(looks("abcdb"), 2)[0] == "ab"
    assert chosen(looks("abcda"), 1)[0] == "a"


def test_of_the_outcomes_of_actions_the_latest_go_first() -> None:
    assert chosen(looks("abcdefg", clicks="bce"), 3)[0] == "aeg"
    assert chosen(looks("abcdefg", clicks="bce"), 4)[0] == "aceg"


def test_a_picture_that_cannot_be_read_makes_room_for_the_next() -> None:
    album = Album(*(picture(name) for name in "bd"))
    names, found = chosen(looks("abcde"), 2, album)
    assert (names, found.left_out, found.blind) == ("bd", 3, True)


def test_no_more_is_read_than_can_go() -> None:
    album = Album(*(picture(name) for name in NAMES))
    chosen(looks("abcdefgh"), 3, album)
    assert len(album.read_names) == 3
    assert chosen(looks("abc"), 0, album)[0] == "" and len(album.read_names) == 3


@pytest.mark.parametrize(("most", "unseen"), [(3, False), (2, True), (0, True)])
def test_a_screen_that_does_not_go_is_unseen(most: int, unseen: bool) -> None:
    assert chosen(looks("abc"), most)[1].unseen is unseen


def test_a_screen_whose_file_is_missing_is_unseen() -> None:
    steps = (
        Step(1, Action("tap"), after=seen("a")),
        Step(2, Action("tap"), after=Observation(screenshot=Screenshot("x"))),
    )
    _, found = chosen(build_ledger(Trace(steps)), 9)
    assert (found.unseen, found.left_out, found.none_readable) == (True, 0, False)


def test_only_screens_without_words_leave_who_looks_blind() -> None:
    steps = tuple(Step(at, Action("look"), after=seen(name, "page 'A'")) for at, name in enumerate("abc", 1))
    assert not chosen(build_ledger(Trace(steps)), 2)[1].blind
    # The same picture stands once with words and once without: where it does not go, one place stays dark.
    mixed = (*steps, Step(4, Action("look"), after=seen("b")), Step(5, Action("look"), after=seen("d", "page 'B'")))
    assert chosen(build_ledger(Trace(mixed)), 2)[1].blind


def test_nothing_is_readable_only_where_there_are_screens_without_words_and_no_picture_goes() -> None:
    assert choose_pictures(looks("abc"), NoPictures(), 9).none_readable
    assert chosen(looks("abc"), 0)[1].none_readable
    assert not chosen(looks("abc"), 1)[1].none_readable
    assert not choose_pictures(build_ledger(Trace((Step(1, Action("tap")),))), NoPictures(), 9).none_readable
    worded = (Step(1, Action("look"), after=seen("a")), Step(2, Action("look"), after=seen("b", "page 'A'")))
    assert not chosen(build_ledger(Trace(worded)), 0)[1].none_readable


def test_labels_name_the_places_and_types_the_format() -> None:
    _, found = chosen(looks("abab"), 9)
    assert [each.label for each in found.pictures] == ["step 1 after, step 3 after", "step 2 after, step 4 after"]
    assert {each.media_type for each in found.pictures} == {"image/png"}
