import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import dump, node

from tracewitness.intake.elements import Element, dump_elements, element_at, nearest_element
from tracewitness.intake.ui_dump import Box, Node, read_dump

ROW = node("", "[0,100][1000,200]", clickable="true", children=node("Wi-Fi", "[20,120][300,180]"))
SWITCH = node("", "[800,100][1000,200]", clickable="true", **{"resource-id": "android:id/switch_widget"})


def named(x: float, y: float, *nodes: str) -> str | None:
    found = element_at(x, y, dump_elements(read_dump(dump(*nodes))))
    return found.label if found else None


def test_the_smallest_element_that_holds_the_point_is_taken() -> None:
    assert named(100, 150, ROW) == "Wi-Fi"
    assert named(500, 150, ROW) == "Wi-Fi", "bare ground of a row that can be touched is the row"


def test_a_widget_without_a_text_is_named_by_its_id_and_its_row() -> None:
    assert named(900, 150, node("", "[0,100][1000,200]", children=node("Wi-Fi", "[20,120][300,180]") + SWITCH)) == (
        "switch_widget in Wi-Fi"
    )


def test_a_layout_is_no_element() -> None:
    assert named(500, 900, node("", "[0,0][1000,2000]", children=ROW)) is None
    assert named(-1, 150, ROW) is None


def test_of_equally_small_elements_the_one_on_top_is_taken() -> None:
    assert named(5, 5, node("below", "[0,0][10,10]"), node("above", "[0,0][10,10]")) == "above"


def test_the_nearest_of_elements_that_are_points() -> None:
    points = [Element("Search", Box(100, 100, 100, 100)), Element("Cart", Box(900, 100, 900, 100))]
    assert nearest_element(130, 110, points, within=50) == points[0]
    assert nearest_element(500, 100, points, within=50) is None
    assert nearest_element(1, 1, [], within=50) is None


COORDINATE = st.integers(-5, 20)


@given(st.lists(st.tuples(COORDINATE, COORDINATE, COORDINATE, COORDINATE), max_size=8), COORDINATE, COORDINATE)
def test_what_is_found_holds_the_point_and_nothing_smaller_does(
    corners: list[tuple[int, int, int, int]], x: int, y: int
) -> None:
    elements = [
        Element(str(at), Box(min(a, c), min(b, d), max(a, c), max(b, d))) for at, (a, b, c, d) in enumerate(corners)
    ]
    holding = [one for one in elements if one.box.left <= x <= one.box.right and one.box.top <= y <= one.box.bottom]
    found = element_at(x, y, elements)
    assert (found in holding) if holding else (found is None)
    if found is not None:
        areas = [(one.box.right - one.box.left) * (one.box.bottom - one.box.top) for one in holding]
        assert (found.box.right - found.box.left) * (found.box.bottom - found.box.top) == min(areas)


@pytest.mark.parametrize("name", ["", "id/more"])
def test_thousands_of_widgets_without_a_text_are_named_at_once(name: str) -> None:
    bounds = [f"[0,0][{at},{at}]" for at in range(20_000)]
    tree = read_dump(dump(*(node("", one, clickable="true", **{"resource-id": name}) for one in bounds)))
    begun = time.process_time()
    assert len(dump_elements(tree)) == 20_000
    assert time.process_time() - begun < 5


def naive_texts(root: Node) -> list[str]:
    below = (one.own_text for child in root.children for one in child.walk())
    return list(dict.fromkeys(filter(None, below)))[:3]


@given(st.recursive(st.sampled_from(["", "a", "b", "c", "d"]), lambda inner: st.lists(inner, max_size=5)))
def test_a_node_knows_the_first_texts_below_it(shape: Any) -> None:
    def made(one: Any) -> str:
        return (
            node(one, "[0,0][1,1]")
            if isinstance(one, str)
            else node("", "[0,0][1,1]", children="".join(map(made, one)))
        )

    for one in read_dump(dump(made(shape))).walk():
        assert list(one.texts) == naive_texts(one)
