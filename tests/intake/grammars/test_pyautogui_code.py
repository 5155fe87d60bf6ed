"""pyautogui code as calls: taken apart without being run, and without the words in it."""

import pytest

from tracewitness.intake.grammars import pyautogui
from tracewitness.intake.grammars.pyautogui import snippet


def calls(code: str) -> list[tuple[str, dict[str, object]]]:
    found = snippet(code)
    assert found is not None
    return [(one.call.name, dict(one.call.arguments)) for one in found.deeds]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("pyautogui.click(100, 200)", [("click", {"x": 100.0, "y": 200.0})]),
        ("pyautogui.click(x=100, y=200, button='right')", [("right_click", {"x": 100.0, "y": 200.0})]),
        ("pyautogui.click((100, 200), clicks=2, interval=0.1)", [("double_click", {"x": 100.0, "y": 200.0})]),
        ("pyautogui.doubleClick(1, 2)", [("double_click", {"x": 1.0, "y": 2.0})]),
        ("pyautogui.tripleClick(1, 2)", [("triple_click", {"x": 1.0, "y": 2.0})]),
        ("pyautogui.moveTo(5, 6)\npyautogui.click()", [("click", {"x": 5.0, "y": 6.0})]),
        ("pyautogui.moveTo(5, 6)", [("hover", {"x": 5.0, "y": 6.0})]),
        ("x, y = 7, 8\npyautogui.click(x, y)", [("click", {"x": 7.0, "y": 8.0})]),
        ("pyautogui.write('a b', interval=0.05)", [("type", {"text": "a b"})]),
        ("pyautogui.typewrite(message='a')", [("type", {"text": "a"})]),
        ("pyautogui.typewrite(['enter'])", [("press_key", {"keys": ["enter"]})]),
        ("pyautogui.press('enter', presses=3)", [("press_key", {"keys": ["enter"], "presses": 3})]),
        ("pyautogui.press(['down', 'up'])", [("press_key", {"keys": ["down"]}), ("press_key", {"keys": ["up"]})]),
        ("pyautogui.hotkey('ctrl', 's')", [("press_key", {"keys": ["ctrl", "s"]})]),
        ("pyautogui.hotkey(['ctrl', 's'])", [("press_key", {"keys": ["ctrl", "s"]})]),
        (
            "pyautogui.keyDown('ctrl'); pyautogui.press('s'); pyautogui.keyUp('ctrl')",
            [("press_key", {"keys": ["ctrl", "s"]})],
        ),
        (
            "pyautogui.keyDown('alt')\npyautogui.keyDown('f4')\npyautogui.keyUp('f4')\npyautogui.keyUp('alt')",
            [("press_key", {"keys": ["alt", "f4"]})],
        ),
        (
            "pyautogui.keyDown('shift')\npyautogui.click(1, 2)\npyautogui.keyUp('shift')",
            [("click", {"x": 1.0, "y": 2.0, "holding": ["shift"]})],
        ),
        ("pyautogui.scroll(-5, x=1, y=2)", [("scroll", {"amount": -5, "x": 1.0, "y": 2.0})]),
        (
            "pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4, duration=1)",
            [("drag", {"start": [1.0, 2.0], "x": 3.0, "y": 4.0})],
        ),
        (
            "pyautogui.mouseDown(1, 2)\npyautogui.moveTo(3, 4)\npyautogui.mouseUp()",
            [("drag", {"start": [1.0, 2.0], "x": 3.0, "y": 4.0})],
        ),
        ("pyautogui.mouseDown(1, 2)\ntime.sleep(1)\npyautogui.mouseUp(1, 2)", [("click", {"x": 1.0, "y": 2.0})]),
        (
            "import pyperclip\npyperclip.copy('word')\npyautogui.hotkey('ctrl', 'v')\ntime.sleep(0.5)",
            [("type", {"text": "word"})],
        ),
        ("pyperclip.copy('word')", [("copy", {"text": "word"})]),
        ("time.sleep(3)", [("wait", {"seconds": 3})]),
        ("import pyautogui\n# Empty text, no action taken", []),
        ("computer.mouse.move_id(id=78)\ncomputer.mouse.single_click()", [("click", {"mark": 78})]),
        ("computer.os.open_program('msedge')", [("open_app", {"app": "msedge"})]),
        ("os.remove('a.txt')", [("code", {"code": "os.remove('a.txt')"})]),
    ],
)
def test_code_is_calls(code: str, expected: list[tuple[str, dict[str, object]]]) -> None:
    assert calls(code) == expected


def test_words_in_code_are_told_apart() -> None:
    code = (
        "import pyautogui\n'''\nObservation:\na form\n\nThought:\nAll is saved.\n'''\n"
        "Thought: done\npyautogui.click(1, 2)  # the save button\nthought = 'I saved it'\n"
        "for _ in range(2):\n    'twice'\n    pyautogui.press('down')  # down\nprint('The task is complete')\n"
        'def go():\n    """Saves."""\n    pyautogui.click(3, 4)\ngo()\n'
    )
    found = snippet(code)
    assert found is not None
    kept = "\n".join(f"{one.call} {one.code}" for one in found.deeds)
    for word in ("form", "saved", "save button", "twice", "# down", "complete", "Saves", "Thought"):
        assert word not in kept
        assert word.lstrip("# ") in found.words
    assert [one.call.name for one in found.deeds] == ["click", "code"]
    assert "for _ in range(2):\n    pyautogui.press('down')" in kept


@pytest.mark.parametrize(
    "code",
    [
        "I will click the button.",
        "'''Thought: it's a 'quote' ''' it does not end '''",
        "pyautogui.hotkey('ctrl'",
        "x = " + "-" * 3000 + "1",
        "(" * 300,
        "a\0b",
        "pyautogui.write('" + "a" * 300_000 + "')",
    ],
)
def test_what_is_no_python_gives_nothing(code: str) -> None:
    assert snippet(code) is None
    assert pyautogui.parse(code) is None


def test_numbers_no_screen_has_are_no_point() -> None:
    assert calls("pyautogui.click(1e999, " + "9" * 400 + ")")[0][0] == "click"
    assert calls("pyautogui.moveTo(" + "9" * 400 + ", 1)") == [("hover", {})]


def test_nothing_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert calls("print('ran')\nraise SystemExit(3)\npyautogui.click(1, 2)")[-1][0] == "click"
    assert capsys.readouterr().out == ""


def test_a_grammar_gives_calls_and_words() -> None:
    found = pyautogui.parse("# I click it.\npyautogui.click(1, 2)")
    assert found is not None
    assert ([one.name for one in found.calls], found.words) == (["click"], "I click it.")
