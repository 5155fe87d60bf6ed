import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import appagent, dump, node, said, the_run

from tracewitness.intake.formats.appagent.grid import cell_point, under_cell
from tracewitness.intake.ui_dump import read_dump

NAME = "task_system_2026-01-31_12-00-00"
PAGE = dump(
    node("", "[0,0][1080,2400]", node("Wi-Fi", "[0,300][1080,450]", clickable="true"))
    + node("Bluetooth", "[0,450][1080,600]", clickable="true")
)


def head(width: int, height: int) -> bytes:
    """Return the first bytes of a PNG of a size."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", width, height, 8, 2, 0, 0, 0) + bytes(8)


def with_pictures(folder: Path, *sizes: tuple[int, int]) -> Path:
    for at, size in enumerate(sizes, 1):
        (folder / f"{NAME}_{at}.png").write_bytes(head(*size))
    return folder


@pytest.mark.parametrize(
    ("area", "part", "point"),
    [
        # 1080 is divided by 120 (9 columns of 120), 2400 by 120 (20 rows of 120)
        (1, "top-left", (30, 30)),
        (1, "center", (60, 60)),
        (9, "right", (960 + 90, 60)),
        (10, "bottom", (60, 120 + 90)),
        (180, "bottom-right", (960 + 90, 2280 + 90)),
        (181, "center", None),
        (0, "center", None),
        (5, "somewhere", (480 + 60, 60)),
        (5, "top-somewhere", (480 + 60, 60)),
    ],
)
def test_the_point_of_a_cell(area: int, part: str, point: tuple[int, int] | None) -> None:
    assert cell_point(area, part, 1080, 2400) == point


def test_the_side_of_a_cell_divides_the_picture() -> None:
    assert cell_point(1, "center", 1440, 3120) == (60, 60), "120 divides 1440 and 3120"
    assert cell_point(1, "center", 1079, 2401) == (67, 60), "nothing divides them: 8 columns of 134, 20 rows of 120"
    assert cell_point(9, "center", 1079, 2401) == (67, 180)
    assert cell_point(1, "center", 1224, 2448) == (68, 68), "136 divides 1224 and 2448"


@given(st.integers(120, 3000), st.integers(120, 3000), st.integers(1, 500), st.sampled_from(["top", "left", "center"]))
def test_every_cell_lies_on_the_picture(width: int, height: int, area: int, part: str) -> None:
    point = cell_point(area, part, width, height)
    if point is not None:
        assert 0 <= point[0] < width
        assert 0 <= point[1] < height


def test_a_picture_too_small_for_a_cell() -> None:
    assert cell_point(1, "center", 100, 50) is None


def test_the_widget_under_a_cell() -> None:
    root = read_dump(PAGE)
    assert under_cell(28, "center", root, (1080, 2400)) == "Wi-Fi", "row 4: 360 to 480"
    assert under_cell(37, "center", root, (1080, 2400)) == "Bluetooth"
    assert under_cell(172, "center", root, (1080, 2400)) is None
    assert under_cell(28, "center", root, (2400, 1080)) is None, "the tool reckons with the device held upright"


def test_a_tap_under_the_grid_is_grounded(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("grid()"), said('tap(28, "center")'), said("FINISH")], dumps=[PAGE] * 3)
    steps = the_run(with_pictures(folder, (1080, 2400), (1080, 2400), (1080, 2400))).trace.steps
    assert [(step.action.kind, step.action.target) for step in steps] == [
        ("grid", None),
        ("click", "Wi-Fi"),
        ("finish", None),
    ]
    assert steps[1].action.raw == 'tap(28, "center")'


def test_without_a_picture_the_cell_stands_for_itself(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("grid()"), said('long_press(28, "top")')], dumps=[PAGE] * 3)
    step = the_run(folder).trace.steps[1]
    assert (step.action.kind, step.action.target) == ("long_press", "grid cell 28 (top)")


@pytest.mark.parametrize("call", ["tap(1)", 'swipe(1, "up", "long")', 'text("hi")'])
def test_a_tag_or_a_text_under_the_grid_was_logged_and_not_executed(tmp_path: Path, call: str) -> None:
    step = the_run(appagent(tmp_path, [said("grid()"), said(call)], dumps=[PAGE] * 2)).trace.steps[1]
    assert not step.action.executed
    assert "grid" in (step.error or "")


def test_a_cell_without_the_grid_was_logged_and_not_executed(tmp_path: Path) -> None:
    step = the_run(appagent(tmp_path, [said("tap(1)"), said('tap(28, "center")')], dumps=[PAGE] * 2)).trace.steps[1]
    assert not step.action.executed
    assert "no grid overlay" in (step.error or "")


def test_a_call_of_the_other_kind_in_a_run_that_went_on_was_executed(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said('tap(28, "center")'), said("tap(1)"), said("FINISH")], dumps=[PAGE] * 3)
    assert the_run(folder).trace.steps[0].action.executed
