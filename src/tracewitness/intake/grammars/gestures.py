"""Calls of mouse and keyboard put together to what a person would name: a click there, a key chord, a drag."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from tracewitness.intake.calls import Call


@dataclass(frozen=True, slots=True)
class Deed:
    """A call with the code, or the log's own writing, that it stands in."""

    call: Call
    code: str


_CLICKS = {
    "leftclick": "click",
    "singleclick": "click",
    "rightclick": "right_click",
    "middleclick": "middle_click",
    "doubleclick": "double_click",
    "tripleclick": "triple_click",
}
_BUTTONS = {"right": "right_click", "middle": "middle_click"}
_COUNTS = {2: "double_click", 3: "triple_click"}
_PASTE = ({"ctrl", "v"}, {"command", "v"}, {"cmd", "v"}, {"ctrlleft", "v"})

_FAR = 1e7
"""No screen has a point as far out as this."""

_Point = tuple[float, float]


def gestures(deeds: Iterable[Deed]) -> Iterator[Deed]:
    """Yield deeds put together. A pause is left out where anything else was done."""
    put = _Putting()
    for one in deeds:
        put.add(one)
    put.end()
    done = [one for one in put.done if one.call.name != "wait"]
    yield from done or put.done[:1]


@dataclass(slots=True)
class _Putting:
    """What is under way: where the pointer is, which keys and which button are held, what the clipboard holds.

    Attributes:
        done: The deeds put together so far.
        at: Where the pointer was put; None where the code does not say.
        mark: The number of the element that the pointer was put on, where the code names one instead.
        moved: Moves of the pointer that no other call has used yet.
        down: Where the button was pressed, with the code of it.
        held: Keys that are held.
        fresh: Whether nothing was pressed since the first of them.
        copied: What was copied, with the code of it.
    """

    done: list[Deed] = field(default_factory=list[Deed])
    at: _Point | None = None
    mark: Any = None
    moved: list[Deed] = field(default_factory=list[Deed])
    down: tuple[_Point | None, list[str]] | None = None
    held: list[str] = field(default_factory=list[str])
    held_code: list[str] = field(default_factory=list[str])
    fresh: bool = False
    copied: Deed | None = None

    def add(self, one: Deed) -> None:
        name = one.call.name
        if name in _CLICKS or name == "click":
            self._click(one)
        elif name in ("moveto", "moveabs", "moveid", "moverel", "move"):
            self._move(one)
        elif name in ("dragto", "drag", "dragrel"):
            self._drag(one)
        elif name == "mousedown":
            self.at = _point(one.call.arguments) or self.at
            self.down = (self.at, [*self._codes(), one.code])
        elif name == "mouseup":
            self._up(one)
        elif name in ("keydown", "keyup", "press", "hotkey"):
            self._key(one)
        else:
            self._other(one)

    def _click(self, one: Deed) -> None:
        arguments = dict(one.call.arguments)
        kind = _CLICKS.get(one.call.name) or _COUNTS.get(arguments.pop("clicks", 1)) or "click"
        kind = _BUTTONS.get(arguments.pop("button", "left"), kind) if kind == "click" else kind
        self._emit(kind, {**arguments, **self._place(arguments), **self._holding()}, one.code)

    def _move(self, one: Deed) -> None:
        self.at, self.mark = _point(one.call.arguments), one.call.arguments.get("mark")
        self.moved.append(one)

    def _drag(self, one: Deed) -> None:
        start, end = self.at, _point(one.call.arguments)
        self._emit("drag", _drag_arguments(start, end, one.call.arguments), one.code)
        self.at = end

    def _up(self, one: Deed) -> None:
        self.at = _point(one.call.arguments) or self.at
        if self.down is None:
            return
        (start, codes), end = self.down, self.at
        self.down = None
        kind = "click" if start == end else "drag"
        arguments = _xy(end) if kind == "click" else _drag_arguments(start, end, {})
        code = "\n".join([*codes, *self._codes(), one.code])
        self.moved.clear()
        self.done.append(Deed(Call(kind, {**arguments, **self._holding()}), code))

    def _key(self, one: Deed) -> None:
        keys = _keys(one.call.arguments.get("keys"))
        if one.call.name == "keydown":
            self.fresh = True
            self.held += keys
            self.held_code.append(one.code)
        elif one.call.name == "keyup":
            if self.fresh and self.held:
                self._emit("press_key", {"keys": list(self.held)}, one.code)
            self.fresh = False
            self.held = [key for key in self.held if key not in keys]
        elif self.copied is not None and {key.casefold() for key in keys} in _PASTE:
            copied, self.copied = self.copied, None
            self._emit("type", copied.call.arguments, f"{copied.code}\n{one.code}")
        else:
            self._press(one, keys)

    def _press(self, one: Deed, keys: list[str]) -> None:
        self.fresh = False
        presses = {"presses": times} if (times := one.call.arguments.get("presses", 1)) != 1 else {}
        chords = [keys] if one.call.name == "hotkey" else [[key] for key in keys]
        for chord in chords or [[]]:
            self._emit("press_key", {"keys": [*self.held, *chord], **presses}, one.code)

    def _other(self, one: Deed) -> None:
        name, arguments = one.call.name, one.call.arguments
        if name in ("write", "typewrite") and isinstance(arguments.get("text"), list):
            self._press(replace(one, call=Call("press", {})), _keys(arguments["text"]))
        elif name in ("write", "typewrite"):
            self._emit("type", arguments, one.code)
        elif name in ("copy", "copytext"):
            self._let_go()
            self.copied = one
        elif name in ("scroll", "vscroll", "hscroll"):
            self._emit("scroll", {**arguments, **self._place(arguments)}, one.code)
        elif name in ("openprogram", "switchtoapplication"):
            self._emit("open_app" if name == "openprogram" else "switch_app", arguments, one.code)
        elif name in ("sleep", "wait"):
            self.done.append(Deed(Call("wait", arguments), one.code))
        else:
            self._emit(name, arguments, one.code)

    def _emit(self, kind: str, arguments: Mapping[str, Any], code: str) -> None:
        self._let_go()
        self.done.append(Deed(Call(kind, arguments), "\n".join(filter(None, [*self.held_code, *self._codes(), code]))))
        self.moved.clear()
        self.held_code.clear()

    def _codes(self) -> list[str]:
        return [one.code for one in self.moved]

    def _let_go(self) -> None:
        """Name what was copied and never pasted by itself."""
        if self.copied is not None:
            copied, self.copied = self.copied, None
            self.done.append(Deed(Call("copy", copied.call.arguments), copied.code))

    def _place(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.at = _point(arguments) or self.at
        return _xy(self.at) or ({"mark": self.mark} if self.mark is not None else {})

    def _holding(self) -> dict[str, Any]:
        self.fresh = False
        return {"holding": list(self.held)} if self.held else {}

    def end(self) -> None:
        """Name what is still under way: a key that stays held, a move that nothing followed."""
        if self.fresh and self.held:
            self._emit("press_key", {"keys": list(self.held)}, "")
        self._let_go()
        if self.down is not None:
            self.done.append(Deed(Call("mouse_down", _xy(self.down[0])), "\n".join(self.down[1])))
        if self.moved:
            self.done.append(Deed(Call("hover", _xy(self.at)), "\n".join(self._codes())))


def _point(arguments: Mapping[str, Any]) -> _Point | None:
    x, y = arguments.get("x"), arguments.get("y")
    if isinstance(x, int | float) and isinstance(y, int | float) and max(abs(x), abs(y)) < _FAR:
        return float(x), float(y)
    return None


def _xy(point: _Point | None) -> dict[str, float]:
    return {} if point is None else {"x": point[0], "y": point[1]}


def _drag_arguments(start: _Point | None, end: _Point | None, given: Mapping[str, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {"start": list(start)} if start else {}
    if end is not None:
        return {**arguments, **_xy(end)}
    return {**arguments, **{key: given[key] for key in ("dx", "dy") if key in given}}


def _keys(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(one) for one in cast(list[Any], value)]
    return [] if value is None else [str(value)]
