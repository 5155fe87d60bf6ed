"""A recording as a runner of the OSWorld family would log it: ``traj.jsonl`` with pictures and accessibility trees.

One line an action, as a call of pyautogui at the middle of the element; what was seen after it lies beside it under the
name of its step. The agent's last words are the response of the line that ends the run.
"""

import json
from datetime import datetime
from xml.sax.saxutils import quoteattr

from tracewitness.lab.recording.as_neutral import page_text
from tracewitness.lab.recording.recording import Act, Action, Control, Recording, Seen

LOG = "traj.jsonl"
INSTRUCTION = "instruction.txt"
_SPACES = 'xmlns:cp="uri:component" xmlns:st="uri:state" xmlns:val="uri:value"'
_KEYS = {"Enter": "enter", "Tab": "tab", "Escape": "esc", " ": "space", "Space": "space"}


def as_osworld(recording: Recording) -> dict[str, str]:
    """Return the text files of a run's folder by name; pictures belong beside them under ``picture_names``."""
    lines = [_line(recording, number, action) for number, action in enumerate(recording.actions, 1)]
    if recording.whole and recording.report is not None:
        lines.append(_end(recording))
    files = {LOG: "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), INSTRUCTION: recording.task}
    trees = {
        _base(at) + "_a11y.xml": accessibility(seen) for at, seen in enumerate(recording.seen) if seen and seen.text
    }
    return {**files, **trees}


def picture_names(recording: Recording) -> dict[str, str]:
    """Return the names that the pictures of a recording have in such a folder."""
    return {seen.picture: _base(at) + ".jpg" for at, seen in enumerate(recording.seen) if seen and seen.picture}


def accessibility(seen: Seen) -> str:
    """Return what was seen as an accessibility tree: the lines of text, then the elements that can be operated."""
    texts = "".join(
        f"<static name={quoteattr(line)} />" for line in (page_text(seen) or "").split("\n") if line.strip()
    )
    controls = "".join(_element(control) for control in seen.controls)
    page = f"<document-web name={quoteattr(seen.url)}>{texts}{controls}</document-web>"
    return f"<desktop-frame {_SPACES}><frame name={quoteattr(seen.title)}>{page}</frame></desktop-frame>"


def _element(control: Control) -> str:
    box = control.box
    told = [
        f"name={quoteattr(control.name)}",
        f'cp:screencoord="({box.left}, {box.top})" cp:size="({box.width}, {box.height})"',
        "" if control.value is None else f"val:value={quoteattr(control.value)}",
        'st:checked="true"' if "checked" in control.state.split() else "",
        "" if "disabled" in control.state else 'st:enabled="true"',
    ]
    return f"<{_TAGS.get(control.role, 'section')} {' '.join(filter(None, told))} />"


_TAGS = {
    "link": "link",
    "button": "push-button",
    "textbox": "entry",
    "combobox": "combo-box",
    "checkbox": "check-box",
    "switch": "toggle-button",
    "slider": "slider",
    "spinbutton": "spin-button",
    "radio": "radio-button",
}


def _base(at: int) -> str:
    return f"step_{at}"


def _line(recording: Recording, number: int, action: Action) -> dict[str, object]:
    seen = recording.at(number)
    stamp = datetime.fromisoformat(action.moment).strftime("%Y%m%d@%H%M%S%f") if action.moment else ""
    said = recording.narration[number - 1] if number <= len(recording.narration) else ""
    return {
        "step_num": number,
        "action_timestamp": stamp,
        "action": _call(action),
        "response": said,
        "reward": 0,
        "done": False,
        "info": {},
        **({"screenshot_file": f"{_base(number)}.jpg"} if seen else {}),
    }


def _end(recording: Recording) -> dict[str, object]:
    """Return the line that ends the run: DONE and FAIL are flags, ``finished`` is an end without one."""
    number = len(recording.actions) + 1
    word = {True: "DONE", False: "FAIL", None: "finished()"}[recording.declared]
    return {"step_num": number, "action": word, "response": recording.report, "reward": 0, "done": True, "info": {}}


def _call(action: Action) -> str:
    across, down = action.box.middle if action.box else (0, 0)
    click = f"pyautogui.click({across}, {down})"
    match action.act:
        case Act.CLICK:
            return click
        case Act.TYPE | Act.SELECT:
            return f"{click}\npyautogui.hotkey('ctrl', 'a')\npyautogui.write({action.text!r})"
        case Act.PRESS:
            return f"pyautogui.press({_KEYS.get(action.text or '', action.text)!r})"
        case Act.SCROLL:
            return "pyautogui.scroll(-5)"
        case Act.NAVIGATE:
            return f"pyautogui.hotkey('ctrl', 'l')\npyautogui.write({action.target!r})\npyautogui.press('enter')"
        case Act.BACK:
            return "pyautogui.hotkey('alt', 'left')"
        case Act.RELOAD:
            return "pyautogui.press('f5')"
        case Act.WAIT:
            return "WAIT"
