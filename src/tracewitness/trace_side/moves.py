"""What each executed step does for the task: enter, commit, cancel, switch, move on, or nothing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tracewitness.trace_side.effects import Effect
from tracewitness.trace_side.interface_words import label_meanings, meanings
from tracewitness.trace_side.ledger import LedgerStep
from tracewitness.trace_side.names import element_texts, stands_in
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.trace_side.things import things_of
from tracewitness.trace_side.view import LOG_LINES, MESSAGES, is_search_box
from tracewitness.values.folding import fold

_QUOTED = re.compile(r"'([^']{1,120})'|\"([^\"]{1,120})\"|“([^”]{1,120})”|「([^」]{1,120})」|«([^»]{1,120})»")
_NUMBERED = re.compile(r"""(?:index|element|bid|id|ref)["']?\s*[:=]\s*["']?(\w+)|\(\s*["']?(\d+)["']?\s*[,)]""")
_CONFIRM_KEYS = frozenset({"enter", "return", "numpadenter", "ctrl+s", "control+s", "meta+s", "cmd+s", "ctrl+enter"})
_UNDO_KEYS = frozenset({"ctrl+z", "control+z", "cmd+z", "meta+z", "undo"})
_LEAVE_KEYS = frozenset({"escape", "esc"})
_LABELS = frozenset({Role.CELL, Role.TEXT})
_CONTROLS = frozenset({Role.BUTTON, Role.LINK, Role.FIELD, Role.SWITCH, Role.CHOICE, Role.MENU_ITEM, Role.TAB})
_COMMITS = frozenset({"save", "send", "create", "remove"})
_UNTOUCHABLE = MESSAGES | LOG_LINES | {Role.PAGE, Role.HEADING, Role.DIALOG, Role.EMPTY_STATE, Role.PROGRESS}
_MENU_ENTRY_LIMIT = 16
_MAYBE_CONTROLS = frozenset({Role.LINK, Role.OTHER, Role.MENU_ITEM, Role.TEXT})
_CONTROL_LIMIT = 30
# Text that ends with a line feed was sent off with the Enter key.
_LINE_SENT = re.compile(r"(?:\\n|\n)['\"]?\s*[)}\]]*\s*$")
# "row 'Invoices' > 'Run now'" presses what stands last.
_PATH_END = re.compile(r"[>›]\s*([^>›()]{1,80}?)\s*\)?\s*$")
_TOOL_NAME = re.compile(r"[A-Za-z]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Move(StrEnum):
    """What a step does for the task."""

    ENTER = "enter"
    COMMIT = "commit"
    CANCEL = "cancel"
    DISCARD = "discard"
    REVERT = "revert"
    SWITCH = "switch"
    WRITE = "write"
    TOUCH = "touch"
    LOOK = "look"
    FINISH = "finish"


CHANGING = frozenset({Move.ENTER, Move.COMMIT, Move.SWITCH, Move.WRITE, Move.REVERT, Move.DISCARD, Move.TOUCH})


@dataclass(frozen=True, slots=True)
class Played:
    """One step as a move, with the label of what was acted on and the element, where it can be told."""

    step: LedgerStep
    move: Move
    label: str
    element: Element | None = None


def play(steps: Iterable[LedgerStep]) -> tuple[Played, ...]:
    """Return the moves that the steps of a run are."""
    screens = _Screens()
    return tuple(_play(step, screens) for step in steps)


def _play(step: LedgerStep, screens: "_Screens") -> Played:
    element = _acted_on(step, screens)
    label = _label(step, element)
    return Played(step, _move(step, label, element), label, element)


class _Screens:
    """The elements of a run's screens by what they are called: each screen is read once, each label sought once."""

    def __init__(self) -> None:
        self._elements: dict[int, tuple[Element, ...]] = {}
        self._names: dict[int, list[tuple[str, str, Element]]] = {}
        self._found: dict[tuple[int, str], Element | None] = {}

    def called(self, scene: Scene, label: str) -> Element | None:
        """Return the element of a scene with this name or value, else the first whose name holds it, or None."""
        key = id(scene.elements)
        if key not in self._names:
            self._elements[key] = scene.elements  # kept alive, so that no other screen takes its place
            touchable = (e for e in scene.elements if e.role not in _UNTOUCHABLE)
            self._names[key] = [(fold(e.name), fold(e.value) if e.value else "", e) for e in touchable]
        wanted = fold(label)
        if (key, wanted) not in self._found:
            self._found[key, wanted] = _called(self._names[key], wanted)
        return self._found[key, wanted]


def _acted_on(step: LedgerStep, screens: _Screens) -> Element | None:
    """Find the element that an index, a reference or a quoted label points to in the scene before."""
    scene, raw = step.before, step.action.raw or ""
    if scene is None:
        return None
    if step.action.target:
        return screens.called(scene, step.action.target)
    found = _NUMBERED.search(raw)
    if found:
        number = found.group(1) or found.group(2)
        first, second, third = f"[{number}]", f"[ref={number}]", f"element {number}:"
        element = next((e for e in scene.elements if first in e.line or second in e.line or third in e.line), None)
        if element is not None:
            return element
    pressed = _path_end(raw)
    quoted = _quoted(pressed.group(1) if pressed else raw)
    return screens.called(scene, quoted[0]) if quoted else None


def _called(names: list[tuple[str, str, Element]], wanted: str) -> Element | None:
    """Return what is called so, a control before a cell or a label of the same name, else what has it in its name."""
    holding: Element | None = None
    exact: Element | None = None
    for name, value, element in names if wanted else ():
        if wanted in (name, value):
            if exact is None and element.role not in _LABELS:
                return element
            if element.role in _CONTROLS:
                return element
            exact = exact or element
        if holding is None and stands_in(wanted, name):
            holding = element
    return exact or holding


@lru_cache(maxsize=1024)
def _quoted(raw: str) -> tuple[str, ...]:
    return tuple(found.group(found.lastindex or 0) for found in _QUOTED.finditer(raw))


def _path_end(raw: str) -> re.Match[str] | None:
    return _PATH_END.search(raw) if ">" in raw or "›" in raw else None


def _label(step: LedgerStep, element: Element | None) -> str:
    pressed = _path_end(step.action.raw or "")
    if pressed and element is None:
        return pressed.group(1).strip(" '\"“”")
    if element is not None:
        return element.name or element.value or ""
    if step.action.target:
        return step.action.target
    quoted = _quoted(step.action.raw or "")
    if quoted:
        return quoted[-1]
    inner = re.search(r"\(([^(){}]{1,80})\)", step.action.raw or "")
    return inner.group(1).strip() if inner else ""


def _move(step: LedgerStep, label: str, element: Element | None) -> Move:
    if step.effect is Effect.FINISH:
        return Move.FINISH
    if step.action.executed and step.effect is Effect.MOVE and _slid(step):
        return Move.TOUCH
    if not step.action.executed or step.effect in (Effect.NONE, Effect.MOVE, Effect.ASK):
        return Move.LOOK
    if step.effect is Effect.ENTER:
        if element is not None and element.on is not None:
            return Move.SWITCH
        if "filtered" in label_meanings(label) or (element is not None and is_search_box(element)):
            return Move.LOOK
        return Move.COMMIT if _LINE_SENT.search(step.action.raw or step.action.text or "") else Move.ENTER
    if step.effect is Effect.CALL:
        return _called_tool(step)
    key = _key(step)
    if key is not None:
        return _pressed_key(step, key)
    return _pressed(step, label, element)


def _slid(step: LedgerStep) -> bool:
    """Return whether a gesture changed a value on the same page, as a swipe along a slider does."""
    kind = step.action.kind.lower()
    gesture = any(word in kind for word in ("swipe", "drag", "slide"))
    return gesture and any(c.before.value != c.after.value for c in step.changes.changed) and not step.changes.retitled


def _called_tool(step: LedgerStep) -> Move:
    name = (
        (step.action.target if step.action.kind in ("tool", "tool_call") else None)
        or step.action.raw
        or step.action.kind
    )
    head = re.split(r"[({\s]", name.strip(), maxsplit=1)[0] or step.action.kind
    words = [w.lower() for w in _TOOL_NAME.findall(_CAMEL.sub(" ", head))]
    said = frozenset[str]().union(*(meanings(word) for word in words)) if words else frozenset[str]()
    if "read_tool" in said and not said & {"write_tool"}:
        return Move.LOOK
    if "write_tool" in said:
        return Move.WRITE
    return Move.TOUCH


def _key(step: LedgerStep) -> str | None:
    kind = step.action.kind.lower()
    raw = step.action.raw or ""
    if "key" in kind or kind == "press" or raw.startswith(("press(", "key(", "press_key(")):
        quoted = _quoted(raw)
        return (step.action.text or (quoted[-1] if quoted else "")).lower() or None
    return None


def _pressed_key(step: LedgerStep, key: str) -> Move:
    if key in _LEAVE_KEYS:
        return (
            Move.CANCEL if step.before is not None and any(_is_dialog(e) for e in step.before.elements) else Move.LOOK
        )
    if key in _UNDO_KEYS:
        return Move.REVERT
    if key in _CONFIRM_KEYS:
        return Move.COMMIT
    if key in ("delete", "backspace", "space", " "):
        return Move.TOUCH
    return Move.LOOK


def _is_dialog(element: Element) -> bool:
    return element.role is Role.DIALOG


def _pressed(step: LedgerStep, label: str, element: Element | None) -> Move:
    said = label_meanings(label)
    if _switches(step, said, element):
        return Move.SWITCH
    if "trash_place" in said and element is not None and element.role is not Role.BUTTON:
        return Move.LOOK
    in_dialog = step.before is not None and any(_is_dialog(e) for e in step.before.elements)
    if _calls_off(said, label) and (element is None or _is_control(element)):
        return Move.COMMIT
    if "revert" in said:
        return Move.REVERT
    if "discard" in said and (in_dialog or not said & _COMMITS):
        return Move.DISCARD
    if "cancel" in said and in_dialog and _cancelling_is_asked(step, label):
        return Move.COMMIT
    if "cancel" in said and not said & (_COMMITS - {"save"}):
        return Move.CANCEL if in_dialog or (element is not None and element.role is Role.BUTTON) else Move.LOOK
    if said & _COMMITS and (element is None or _is_control(element)):
        return Move.COMMIT
    if element is not None and element.role is Role.TAB:
        return Move.LOOK
    return Move.TOUCH if _changed_in_place(step) or not label else Move.LOOK


def _switches(step: LedgerStep, said: frozenset[str], element: Element | None) -> bool:
    if element is not None and element.on is not None and element.role is not Role.ROW:
        return True
    # On another page stand other switches.
    turned = step.changes.moved or "more_pages" in said
    return not turned and any(p.before.on is not None and p.before.on != p.after.on for p in step.changes.changed)


def _calls_off(said: frozenset[str], label: str) -> bool:
    """Return whether a control says what it calls off ("Cancel order"): it does something, and leaves no form."""
    return bool(said & {"cancel", "revert"}) and bool(things_of(label))


def _cancelling_is_asked(step: LedgerStep, label: str) -> bool:
    """Return whether a dialog asks whether to cancel something, so that "Yes, cancel" carries it out."""
    dialogs = [e for e in step.before.elements if _is_dialog(e)] if step.before is not None else []
    return len(label.split()) > 1 and any("cancel" in label_meanings(e.name) for e in dialogs)


def _is_control(element: Element) -> bool:
    """Return whether an element may be a control: a button, or a short text where the notation has no buttons."""
    if element.role is Role.ROW:
        # An entry of a menu, where the notation calls it an item.
        return element.value in (None, element.name) and len(element.name) <= _MENU_ENTRY_LIMIT
    return element.role is Role.BUTTON or (element.role in _MAYBE_CONTROLS and len(element.name) <= _CONTROL_LIMIT)


def _changed_in_place(step: LedgerStep) -> bool:
    """Return whether the same page showed other content afterwards, so that the press was more than navigation."""
    changes = step.changes
    if not changes.known or changes.retitled or changes.moved:
        return False
    before, after = step.before, step.after
    if before is None or after is None or before.title != after.title:
        return False
    if changes.dialogs_opened() or any("filtered" in meanings(e.line) for e in (*before.elements, *after.elements)):
        return False
    messages = [e for e in changes.appeared if e.role in (Role.TOAST, Role.STATUS)]
    rows = [e for e in (*changes.vanished, *changes.appeared) if e.role is Role.ROW]
    return bool(changes.changed or messages or rows) and bool(before.title or changes.changed or messages)


def reads(element: Element) -> str:
    """Return all that an element shows, for relevance."""
    return " | ".join(element_texts(element))


def loads(played: Played) -> bool:
    """Return whether a step loads a page anew or leads to another one, so that what it shows is stored."""
    name = f"{played.step.action.kind} {played.step.action.raw or ''}".lower()
    moved = played.step.changes.retitled is not None or played.step.changes.moved is not None
    return moved or any(word in name for word in ("reload", "refresh", "goto", "open_url", "navigate", "f5"))
