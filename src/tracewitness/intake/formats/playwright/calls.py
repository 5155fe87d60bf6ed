"""What each call of Playwright's protocol is: a deed on the page, or a look at it."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from tracewitness.intake.calls import written

_KINDS: Mapping[str, str] = {
    "click": "click",
    "mouseClick": "click",
    "tap": "click",
    "touchscreenTap": "click",
    "check": "click",
    "uncheck": "click",
    "dblclick": "double_click",
    "fill": "type",
    "type": "type",
    "keyboardType": "type",
    "keyboardInsertText": "type",
    "press": "press_key",
    "keyboardPress": "press_key",
    "keyboardDown": "press_key",
    "hover": "hover",
    "selectOption": "select",
    "setInputFiles": "upload",
    "goto": "navigate",
    "reload": "reload",
    "goBack": "navigate_back",
    "goForward": "navigate_forward",
    "dragAndDrop": "drag",
    "drop": "drag",
    "mouseWheel": "scroll",
    "scrollIntoViewIfNeeded": "scroll",
    "dispatchEvent": "dispatch_event",
    "setContent": "set_content",
    "newPage": "open_tab",
    "bringToFront": "switch_tab",
    "accept": "accept_dialog",
    "dismiss": "dismiss_dialog",
    "fetch": "request",
}
_CLASSED = {("Page", "close"): "close_tab"}
_ONLY_OF = {"accept": "Dialog", "dismiss": "Dialog", "newPage": "BrowserContext"}
_SCRIPTS = frozenset(
    "evaluateExpression evaluateExpressionHandle evalOnSelector evalOnSelectorAll addScriptTag addStyleTag".split()
)
SCRIPT = "run_script"
"""The kind of a call that ran a script: a step only where the page was another one after it."""

_KEPT = "selector source target url method key value text type button clickCount position x y deltaX deltaY".split()
_TYPED = ("value", "text", "promptText")
_BY_LABEL = re.compile(r"^internal:(?:label|text|attr|testid|role)=(?P<rest>.*)$")
# A quotation that does not end is one mark as well: else every quotation mark in it would be tried as its beginning.
_QUOTED = re.compile(r'"((?:[^"\\]++|\\.)*+)("?)')
_DESCRIBED = re.compile(r'(?<!\s)\s*+(?:>>\s*+)?internal:describe="(?:[^"\\]++|\\.)*+"')
_LONGEST = 2000

Params = Mapping[str, Any]


def kind_of_call(class_name: str, method: str, params: Params) -> str | None:
    """Return the kind of action that a call is; None for one that only looks, waits or sets something up."""
    if method in _ONLY_OF and class_name != _ONLY_OF[method]:
        return None
    if method in _SCRIPTS:
        return SCRIPT
    kind = _CLASSED.get((class_name, method)) or _KINDS.get(method)
    if kind == "click" and params.get("button") == "right":
        return "right_click"
    if kind == "click" and params.get("clickCount") == 2:
        return "double_click"
    return "click" if kind == "dispatch_event" and params.get("type") == "click" else kind


class Mouse:
    """Follows the mouse where it is moved, pressed and released by calls of their own: a release is the deed."""

    def __init__(self) -> None:
        self._at: tuple[Any, Any] = (None, None)
        self._pressed: tuple[Any, Any] = (None, None)

    def followed(self, method: str, params: Params) -> tuple[str | None, Params] | None:
        """Return kind and arguments of a call that moves, presses or releases the mouse; None for any other."""
        if method == "mouseMove":
            self._at = (params.get("x"), params.get("y"))
        elif method == "mouseDown":
            self._pressed = self._at
        elif method == "mouseUp":
            kind = "click" if self._pressed == self._at else "drag"
            return kind, {**params, "x": self._at[0], "y": self._at[1]}
        else:
            return None
        return None, params


def needs_input(kind: str) -> bool:
    """Tell whether a call of this kind is carried out by an input event, so that without one it was not."""
    return kind in ("click", "double_click", "right_click", "hover", "type", "press_key", "select", "upload", "drag")


def typed_text(kind: str, params: Params) -> str | None:
    """Return what a call entered: a text, a key, the options chosen, the names of files."""
    if kind == "press_key":
        return _word(params.get("key"))
    if kind == "select":
        return ", ".join(_option_names(params)) or None
    if kind == "upload":
        return ", ".join(_file_names(params)) or None
    if kind in ("type", "accept_dialog"):
        return next((params[key] for key in _TYPED if isinstance(params.get(key), str)), None)
    return None


def _option_names(params: Params) -> list[str]:
    options = [cast(dict[str, Any], one) for one in _listed(params.get("options")) if isinstance(one, dict)]
    keys = ("valueOrLabel", "label", "value", "index")
    return [str(one[key]) for one in options for key in keys if isinstance(one.get(key), str | int)]


def _file_names(params: Params) -> list[str]:
    named = [cast(dict[str, Any], one).get("name") for one in _listed(params.get("payloads")) if isinstance(one, dict)]
    paths = [one.replace("\\", "/").rsplit("/", 1)[-1] for one in _listed(params.get("localPaths")) if _word(one)]
    return [one for one in (*named, *paths) if isinstance(one, str)]


def _listed(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def target_of(kind: str, params: Params) -> str | None:
    """Return what a call acted on, as far as its own arguments tell: an address, a point, a name in a selector."""
    if kind in ("navigate", "request"):
        return _word(params.get("url"))
    point = params.get("x"), params.get("y")
    if all(isinstance(one, int | float) and not isinstance(one, bool) for one in point):
        return f"({point[0]:g}, {point[1]:g})"
    selector = _word(params.get("selector")) or _word(params.get("source"))
    return named_in(selector) if selector else None


def named_in(selector: str) -> str:
    """Return the name that a selector gives, such as ``Buy`` for a button of that name, else the selector."""
    last = without_description(selector).rsplit(" >> ", 1)[-1]
    found = _BY_LABEL.match(last)
    quoted = _QUOTED.search(found["rest"]) if found else None
    if quoted and quoted.group(2):
        return re.sub(r"\\(.)", r"\1", quoted.group(1))[:_LONGEST]
    return last.removeprefix("text=").removeprefix("css=")[:_LONGEST]


def without_description(selector: str) -> str:
    """Return a selector without the words in which its author described the element."""
    return _DESCRIBED.sub("", selector)


def description_size(params: Params) -> int:
    """Return how many characters of description the selectors of a call hold."""
    selectors = [one for key in ("selector", "source", "target") if (one := _word(params.get(key)))]
    return sum(len(one) - len(without_description(one)) for one in selectors)


def raw_of(method: str, params: Params, mask: str | None) -> str:
    """Return a call as it was logged: the arguments that say what was done, and no others.

    Args:
        method: The method.
        params: Its arguments.
        mask: What stands for the text that was entered, where that is a secret.
    """
    kept: dict[str, Any] = {}
    for key in _KEPT:
        value = params.get(key)
        if isinstance(value, str):
            told = without_description(value) if key in ("selector", "source", "target") else value
            kept[key] = mask if mask is not None and key in ("value", "text", "key") else told[:_LONGEST]
        elif isinstance(value, int | float | dict) and len(json.dumps(value)) <= _LONGEST:
            kept[key] = value
    if method in ("selectOption", "setInputFiles"):
        kept["chosen"] = _option_names(params) or _file_names(params)
    return written(method, kept)
