"""Accessibility trees of whole pages: what frames a page is no content, a term and what it says are one element."""

import pytest
from screens import scene

from tracewitness.trace_side.scene import Scene
from tracewitness.trace_side.view import View


def seen(tree: str, text: str | None = None) -> Scene:
    return scene(text, tree)


def content(shown: Scene) -> list[str]:
    view = View(shown)
    return [view.elements[place].name for place in view.content()]


@pytest.mark.parametrize(
    "frame", ["navigation", 'navigation "Main"', "banner", "contentinfo", 'contentinfo "About us"']
)
def test_what_frames_a_page_is_no_content(frame: str) -> None:
    tree = f'- {frame}:\n  - list:\n    - listitem:\n      - link "All alarms":\n- main:\n  - row "7:30 on"'
    assert "All alarms" not in content(seen(tree))
    assert "7:30 on" in " ".join(content(seen(tree)))


@pytest.mark.parametrize("name", ["navigation settings", "banner of the club"])
def test_an_entry_called_like_a_frame_is_content(name: str) -> None:
    assert name in content(seen(f'- main:\n  - link "{name}":\n  - text: {name}'))


def test_a_term_and_what_is_said_of_it_are_one() -> None:
    page = seen('- main:\n  - term: Sound\n  - definition: "Off"\n  - term: Phone\n  - definition: 555 0134')
    pairs = {element.name: element for element in page.elements}
    assert pairs["Phone"].value == "555 0134"
    assert "Off" in (pairs["Sound"].value or "")
    assert pairs["Phone"].line == "- term: Phone - definition: 555 0134"


@pytest.mark.parametrize(
    "tree",
    [
        "- main:\n  - definition: alone",
        "- main:\n  - term: A\n  - term: B\n  - definition: b",
        "- main:\n  - term: A\n    - definition: deeper",
        "- main:\n  - term: A\n  - definition",
    ],
)
def test_a_pair_takes_nothing_that_is_not_its_own(tree: str) -> None:
    told = " ".join(f"{e.name} {e.value or ''}" for e in seen(tree).elements)
    for word in ("alone", "A", "B", "b", "deeper"):
        assert (word in told.split()) == (word in tree.replace(":", "").split())


def test_a_text_beside_a_tree_adds_what_the_tree_does_not_say_and_nothing_twice() -> None:
    tree = (
        '- navigation:\n  - link "All alarms":\n- main:\n  - heading "All alarms" [level=1]\n  - paragraph: Entries 0'
    )
    page = seen(tree, "All alarms\nALL ALARMS\nEntries 0\nQuota used: 3 GB\nnetwork\n  DELETE /alarms/3 -> 500")
    names = [element.name for element in page.elements]
    assert names.count("All alarms") == 2
    assert any("DELETE /alarms/3" in name for name in names)
    assert any("Quota" in name for name in names)
    assert content(page).count("All alarms") == 1
