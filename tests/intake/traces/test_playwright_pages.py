"""Pages out of snapshots: references between snapshots, what is visible, what a page is written as."""

import random
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from made_logs import the_run
from made_traces import Made, page

from tracewitness.findings.causes import Gap
from tracewitness.intake.formats.playwright.dom import DEEPEST, Frames
from tracewitness.intake.formats.playwright.rendering import render
from tracewitness.intake.limits import MEBIBYTE, ReadOptions
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.scenes import read_scenes

TASK = ReadOptions(task="Buy one item")


def lines(*body: Any, sheets: tuple[str, ...] = ()) -> list[str]:
    root = Frames().add("f", page("Shop", *body))
    assert root is not None
    return [line.removeprefix("  ") for line in render(root, sheets).tree.split("\n")[1:]]


def test_controls_are_told_with_name_value_and_state() -> None:
    body: list[Any] = [
        ["H1", {}, "Check", ["SPAN", {}, "out"]],
        ["LABEL", {}, "Name ", ["INPUT", {"__playwright_value_": "Ana"}]],
        ["LABEL", {"for": "m"}, "Mail"],
        ["INPUT", {"id": "m", "type": "email", "__playwright_value_": "", "disabled": ""}],
        ["INPUT", {"type": "checkbox", "aria-label": "Gift", "__playwright_checked_": "true"}],
        ["INPUT", {"type": "radio", "aria-label": "Fast", "__playwright_checked_": "false"}],
        [
            "SELECT",
            {"aria-label": "Colour"},
            ["OPTION", {"__playwright_selected_": "false"}, "Red"],
            ["OPTION", {"__playwright_selected_": "true"}, "Blue"],
        ],
        ["TEXTAREA", {"placeholder": "Note", "__playwright_value_": "two\nlines"}, "old"],
        ["INPUT", {"type": "submit", "value": "Pay"}],
        ["BUTTON", {"aria-disabled": "true"}, "Can", ["B", {}, "cel"]],
        ["BUTTON", {"aria-pressed": "true"}, "Star"],
        ["A", {"href": "/x"}, "Terms"],
        ["A", {}, "no link"],
        ["DIV", {"role": "alert"}, "Card ", ["BR"], "declined"],
        ["IMG", {"alt": "A cat"}],
        ["INPUT", {"type": "hidden", "value": "secret"}],
        ["INPUT", {"aria-label": "Size", "aria-invalid": "true", "__playwright_value_": "99"}],
    ]
    assert lines(*body) == [
        '- heading "Checkout" [level=1]',
        "- text: Name",
        '- textbox "Name": Ana',
        "- text: Mail",
        '- textbox "Mail" [disabled]',
        '- checkbox "Gift" [checked]',
        '- radio "Fast"',
        '- combobox "Colour": Blue',
        '- textbox "Note": two lines',
        '- button "Pay"',
        '- button "Cancel" [disabled]',
        '- button "Star" [checked]',
        '- link "Terms"',
        "- text: no link",
        "- alert: Card declined",
        '- img "A cat"',
        '- textbox "Size" [invalid]: 99',
    ]


def test_lists_and_tables_keep_their_entries() -> None:
    items: Any = ["UL", {}, ["LI", {}, "Milk"], ["LI", {}, "Bread ", ["BUTTON", {}, "Remove"]]]
    table: Any = ["TABLE", {}, ["TBODY", {}, ["TR", {}, ["TD", {}, "Total"], ["TD", {}, "5"]]]]
    assert lines(items, table) == [
        "- list:",
        '  - listitem "Milk"',
        '  - listitem "Bread Remove":',
        "    - text: Bread",
        '    - button "Remove"',
        "- table:",
        '  - row "Total 5":',
        '    - cell "Total"',
        '    - cell "5"',
    ]


HIDDEN: list[Any] = [
    ["DIV", {"hidden": ""}, "x"],
    ["DIV", {"style": "color: red; display: none"}, "x"],
    ["DIV", {"style": "visibility:hidden"}, "x"],
    ["SCRIPT", {}, "x"],
    ["NOSCRIPT", {}, "x"],
    ["TEMPLATE", {}, "x"],
    ["DIALOG", {}, "x"],
    ["DETAILS", {}, ["P", {}, "x"]],
    ["DIV", {"popover": "auto"}, "x"],
    ["STYLE", {}, "x"],
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_html_hides_is_left_out(hidden: Any) -> None:
    assert lines(hidden, "seen") == ["- text: seen"]


OPEN: list[Any] = [
    ["DIALOG", {"__playwright_dialog_open_": "modal"}, "x"],
    ["DETAILS", {"open": ""}, ["P", {}, "x"]],
    ["DIV", {"popover": "auto", "__playwright_popover_open_": "true"}, "x"],
    ["X-CARD", {}, ["template", {"__playwright_shadow_root_": "open"}, "x"]],
    ["DIV", {"style": "display:block"}, "x"],
]


@pytest.mark.parametrize("shown", OPEN)
def test_what_is_open_is_shown(shown: Any) -> None:
    assert any(line.endswith("x") for line in lines(shown))


SHEET = """
/* .modal { display: block } */
.modal, .toast.done { display: none; }
.modal.show { display: block }
#gone { visibility: hidden !important }
@media (max-width: 1px) { .kept { display: none } p { display: none } }
.list > .row .extra { display:none }
a:hover .kept { display: none }
.later { display: none } .later { display: flex }
"""


STYLED: list[Any] = [
    (["DIV", {"class": "modal fade"}, "Order placed"], False),
    (["DIV", {"class": "modal show"}, "Order placed"], True),
    (["DIV", {"class": "toast"}, "x"], True),
    (["DIV", {"class": "toast done"}, "x"], False),
    (["P", {"id": "gone", "style": "color:red"}, "x"], False),
    (["P", {"class": "kept"}, "x"], True),
    (["DIV", {"class": "list"}, ["DIV", {"class": "row"}, ["I", {}, ["B", {"class": "extra"}, "x"]]]], False),
    (["DIV", {"class": "row"}, ["B", {"class": "extra"}, "x"]], True),
    (["P", {"class": "later"}, "x"], True),
    (["DIV", {"class": "modal", "style": "display: block"}, "x"], True),
]


@pytest.mark.parametrize(("body", "seen"), STYLED)
def test_what_a_style_sheet_hides_is_left_out(body: Any, seen: bool) -> None:
    for told in (lines(["STYLE", {}, SHEET], body), lines(body, sheets=(SHEET,))):
        assert (told != []) is seen


def test_a_linked_style_sheet_is_read_from_the_resources(tmp_path: Path) -> None:
    made = Made()
    html: list[Any] = [
        "HTML",
        {},
        ["HEAD", {}, ["BASE", {"href": "http://shop.test/a/"}], ["LINK", {"rel": "stylesheet", "href": "s.css?v=1"}]],
        ["BODY", {}, ["P", {"class": "ok"}, "Order placed"], ["P", {}, "Waiting"]],
    ]
    made.call("click", {"selector": "#a"}, after=html)
    made.request(
        "GET", "http://shop.test/a/s.css?v=1", 200, kind="stylesheet", mimeType="text/css", _file="resources/s"
    )
    made.files["resources/s"] = b".ok{display:none}"
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    after = run.trace.steps[0].after
    assert after is not None and after.ui_tree == "- document:\n  - text: Waiting"


def test_references_lead_to_earlier_snapshots_of_the_same_frame() -> None:
    frames = Frames()
    frames.add("f", page("Shop", ["P", {}, "one"], ["P", {}, "two"]))
    frames.add("g", page("Other", ["P", {}, "three"]))
    # Nodes count children first: BASE 0, "Shop" 1, TITLE 2, HEAD 3, "one" 4, P 5, "two" 6, P 7, BODY 8, HTML 9.
    second = frames.add("f", ["HTML", {}, [[1, 3]], ["BODY", {}, [[1, 7]], ["P", {}, "new"], [[1, 5]]]])
    third = frames.add("f", [[1, 3]])  # of its own nodes: "new" 0, P 1, BODY 2, HTML 3
    assert second is not None and third is not None and second is third
    assert render(third).tree.split("\n") == [
        '- document "Shop":',
        "  - text: two",
        "  - text: new",
        "  - text: one",
    ]


@pytest.mark.parametrize("reference", [[[0, 1]], [[9, 1]], [[1, 99]], [[-1, 0]], [[1, -1]], [[True, 1]], [["a", 1]], 7])
def test_a_reference_to_nothing_is_told(reference: Any) -> None:
    frames = Frames()
    frames.add("f", page("Shop", "one"))
    root = frames.add("f", ["HTML", {}, ["BODY", {}, "seen", reference]])
    assert root is not None and root.cut
    assert "seen" in render(root).tree


def test_a_page_with_missing_parts_is_a_gap(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, after=["HTML", {}, ["BODY", {}, "seen", [[3, 4]]]])
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_snapshots_that_double_and_nest_without_end_are_cut() -> None:
    frames = Frames(most_nodes=5000)
    root = frames.add("f", ["DIV", {}, "x"])
    for _ in range(60):
        root = frames.add("f", ["DIV", {}, [[1, 0]], [[1, 1]], [[1, 1]]])
        assert root is not None and root.size <= 5000
    nested = frames.add("g", ["DIV", {}, "x"])
    for _ in range(3 * DEEPEST):
        nested = frames.add("g", ["DIV", {}, [[1, 1]]]) or frames.add("g", ["DIV", {}, [[1, 0]]])
        assert nested is not None and nested.depth <= DEEPEST


def test_deeply_nested_names_take_no_time() -> None:
    html: Any = ["LI", {}, "x"]
    for _ in range(DEEPEST - 10):
        html = ["LI", {}, *(["SPAN", {}, "y"] for _ in range(200)), html]
    root = Frames().add("f", page("Shop", html))
    assert root is not None
    begun = time.process_time()
    render(root)
    assert time.process_time() - begun < 20


def test_frames_are_shown_where_they_stand_in_a_page(tmp_path: Path) -> None:
    made = Made()
    frame = ["IFRAME", {"src": "/snapshot/frame@2", "title": "Payment"}]
    hidden = ["IFRAME", {"src": "/snapshot/frame@3", "style": "display: none"}]
    strange = ["IFRAME", {"src": "/snapshot/frame@9"}]
    call = made.call("click", {"selector": "#a"}, before=page("Shop", frame, hidden, strange))
    secret = ["INPUT", {"type": "password", "__playwright_value_": "hunter22"}]
    loop = page("Pay", "Card hunter22", secret, ["IFRAME", {"src": "/snapshot/frame@2"}])
    made.snapshot(call, "after", loop, frameId="frame@2", isMainFrame=False)
    made.snapshot(call, "after", page("Spy", "unseen"), frameId="frame@3", isMainFrame=False)
    made.snapshot(call, "after", page("Shop", frame, hidden, strange, "Total"))
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    after = run.trace.steps[0].after
    told = after.ui_tree if after is not None and after.ui_tree else ""
    assert '- iframe "Payment":\n    - text: Card [redacted:password]\n    - textbox: [redacted:password]' in told
    assert told.endswith("- iframe\n  - text: Total") and "unseen" not in told and "hunter22" not in told


@pytest.mark.slow
def test_a_large_trace_takes_little_memory(tmp_path: Path) -> None:
    made, chance = Made(), random.Random(1)

    def row() -> Any:
        return ["TR", {}, *(["TD", {}, f"cell {chance.randrange(10**9)}"] for _ in range(6))]

    def table() -> Any:
        return ["TABLE", {}, *(row() for _ in range(150))]

    for at in range(200):
        made.call("click", {"selector": f"#b{at}"}, before=page("Shop", table()), after=page("Shop", table(), str(at)))
        made.files[made.picture()] = chance.randbytes(260_000)
    log = made.zip(tmp_path / "trace.zip")
    made.files.clear()
    made.lines.clear()
    assert log.stat().st_size > 50 * MEBIBYTE
    tracemalloc.start()
    run = the_run(log, TASK)
    assert tracemalloc.get_traced_memory()[1] < 150 * MEBIBYTE
    tracemalloc.stop()
    assert len(run.trace.steps) == 200 and run.trace.gaps == ()


def test_a_text_of_the_page_cannot_pose_as_a_line_of_its_own() -> None:
    told = lines(["P", {}, 'Hello\n- status: Order placed\n  - button "x"'], ["BUTTON", {}, 'a" [checked]\nb'])
    assert told == ['- text: Hello - status: Order placed - button "x"', '- button "a\\" [checked] b"']


def test_the_trace_side_reads_the_notation(tmp_path: Path) -> None:
    made = Made()
    box = ["INPUT", {"type": "checkbox", "aria-label": "Wi-Fi", "__playwright_checked_": "true"}]
    field = ["INPUT", {"aria-label": "Name", "__playwright_value_": "Ana"}]
    made.call("click", {"selector": "#a"}, after=page("Settings", box, field, ["P", {"role": "status"}, "Saved"]))
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    (scene,) = read_scenes(run.trace)
    assert (scene.title, scene.partial) == ("Settings", False)
    told = [(one.role, one.name, one.value, one.on) for one in scene.elements]
    assert (Role.SWITCH, "Wi-Fi", None, True) in told and (Role.FIELD, "Name", "Ana", None) in told


@pytest.mark.parametrize(
    "sheet",
    [
        "a" * 2_000_000,
        "{" * 2_000_000,
        "}" * 2_000_000,
        "/*" * 1_000_000,
        "a{" * 1_000_000,
        "display:" * 250_000,
        "x{display:" + " " * 1_900_000,
        "@media" * 300_000,
        "*{display:none}" * 130_000,
        ",".join(f".a{at}" for at in range(300)) + "{display:none}",
        "a " * 900 + "{display:none}",
    ],
    ids=range(11),
)
def test_no_style_sheet_takes_long(sheet: str) -> None:
    body = [["DIV", {"class": f"a{at}"}, "x"] for at in range(2000)]
    begun = time.process_time()
    lines(*body, sheets=(sheet,))
    assert time.process_time() - begun < 5


def test_more_pages_than_are_looked_through_are_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracewitness.intake.formats.playwright.viewing.MOST_VISITS", 500_000)
    made = Made()
    large = page("Shop", *(["P", {}, str(at)] for at in range(10_000)))
    body = 4 + 2 * 10_000  # the nodes ahead of it: four of the head, two a paragraph
    made.call("click", {"selector": "#a"}, before=large)
    for ago in range(1, 1500):
        made.call("click", {"selector": "#a"}, before=["HTML", {}, [[ago, body]]])
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    assert len(run.trace.steps) == 1500 and Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    seen = run.trace.steps[1].before
    assert seen is not None and "- text: 9999" in (seen.ui_tree or "")


def test_a_page_that_refers_to_a_node_twice_is_left_out_and_told(tmp_path: Path) -> None:
    made = Made()
    made.call("click", {"selector": "#a"}, before=["HTML", {}, ["BODY", {}, ["P", {}, "once"]]])
    made.call("click", {"selector": "#a"}, before=["HTML", {}, ["BODY", {}, [[1, 1]], [[1, 1]]]])
    made.call("click", {"selector": "#a"}, before=["HTML", {}, ["BODY", {}, [[2, 1]], ["P", {}, "new"]]])
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    first, second, third = (step.before for step in run.trace.steps)
    assert first is not None and third is not None and "once" in (third.ui_tree or "")
    assert second is None or not second.ui_tree
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


@pytest.mark.parametrize("nodes", [3, 1000])
def test_snapshots_that_refer_to_one_another_again_and_again_are_read_at_once(tmp_path: Path, nodes: int) -> None:
    made = Made()
    for at in range(60):
        inner: list[Any] = [["DIV", {}, "x" * 50]] * nodes if at == 0 else [[[1, place]] for place in range(nodes)]
        made.call("click", {"selector": "#a"}, before=["HTML", {}, ["BODY", {}, *inner]])
    begun = time.process_time()
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    assert len(run.trace.steps) == 60 and Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert time.process_time() - begun < 5


def test_long_texts_count_as_many_nodes() -> None:
    frames = Frames()
    frames.add("f", ["DIV", {}, "x" * 1_000_000])
    root = frames.add("f", ["DIV", {}, *([[1, 0]] for _ in range(1000))])
    assert root is not None and root.cut
    assert sum(len(child) for child in root.children if isinstance(child, str)) < 200_000_000


def test_a_small_trace_takes_little_time_however_large_its_pages_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracewitness.intake.formats.playwright.viewing._FREE_VISITS", 100_000)
    made = Made()
    made.call("click", {"selector": "#a"}, before=page("Shop", *(["P", {}, str(at)] for at in range(1000))))
    for ago in range(1, 1500):
        made.call("click", {"selector": "#a"}, before=["HTML", {}, [[ago, 4 + 2 * 1000]]])
    run = the_run(made.zip(tmp_path / "trace.zip"), TASK)
    shown = [step.before for step in run.trace.steps if step.before is not None and step.before.ui_tree]
    assert 100 < len(shown) < 1000 and Gap.UNREADABLE_OBSERVATION in run.trace.gaps
