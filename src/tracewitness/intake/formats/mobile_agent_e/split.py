"""Sorting a Mobile-Agent-E run into steps and a report."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.action_kinds import is_known
from tracewitness.intake.calls import Call, point_of
from tracewitness.intake.elements import Element, nearest_element
from tracewitness.intake.finishing import FINISH, only_says
from tracewitness.intake.formats.mobile_agent_e.events import Events
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.phone_actions import phone_action
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.ui_dump import Box
from tracewitness.intake.untyped import object_of, objects_of, text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Observation, Step

_WITHIN = 60
"""How far from the middle of an element a point may lie that is named by it, in pixels."""

_TEXT, _ICON = "text: ", "icon: "


@dataclass(slots=True)
class Screens:
    """What was seen before each step, with the elements on it."""

    seen: dict[int, Observation | None] = field(default_factory=dict[int, Observation | None])
    elements: dict[int, tuple[Element, ...]] = field(default_factory=dict[int, tuple[Element, ...]])
    lost: list[str] = field(default_factory=list[str])


def screens_of(events: Events, folder: RunFolder) -> Screens:
    """Return the screens; a screenshot is looked for below ``screenshots/`` by the last part of its logged path."""
    screens = Screens()
    for step, entry in events.screens.items():
        elements = tuple(_elements(entry))
        text = "\n".join(_line(one.label) for one in elements) or None
        name = PurePosixPath(text_of(entry.get("screenshot")).replace("\\", "/")).name
        picture = folder.screenshot(f"screenshots/{name}") if name not in ("", "..") else None
        if picture is not None and picture.digest is None:
            screens.lost.append(picture.name)
        screens.elements[step] = elements
        screens.seen[step] = Observation(text, screenshot=picture) if text or picture else None
    return screens


def _elements(entry: dict[str, Any]) -> Iterator[Element]:
    """Yield what the tool's text recognition and its captions of icons found, each at the middle of its bounds."""
    for info in objects_of(entry.get("perception_infos")):
        label = text_of(info.get("text")).removeprefix(_TEXT).replace("\n", " ").strip()
        point = point_of(info)
        if label in ("", "icon", "icon: None") or point is None:
            continue
        x, y = round(point[0]), round(point[1])
        yield Element(label, Box(x, y, x, y))


def _line(label: str) -> str:
    """Return an element as a line of the screen."""
    if label.startswith(_ICON):
        return f"icon {json.dumps(label.removeprefix(_ICON), ensure_ascii=False)}"
    return label


def steps_of(events: Events, screens: Screens) -> tuple[Step, ...]:
    """Return the steps: the actions by their numbers, and the end where the agent ended the run itself."""
    steps = [
        Step(number, _action(events, screens, number), screens.seen.get(number), screens.seen.get(number + 1))
        for number in sorted(events.actions)
    ]
    if ended(events):
        last = steps[-1].index if steps else 0
        number = events.finish.get("step")
        at = number if isinstance(number, int) and number > last else last + 1
        steps.append(Step(at, Action(FINISH), screens.seen.get(at)))
    elif events.begun - set(events.actions) and not events.finish:
        events.gaps.add(Gap.LOG_CUT_OFF)
    return tuple(steps)


def ended(events: Events) -> bool:
    """Tell whether the agent ended the run: its plan said that it has finished."""
    return events.finish.get("finish_flag") == "success"


def report_of(events: Events) -> Report:
    """Return the report: the declared success, and the thought with which the plan ended."""
    if not ended(events):
        return Report(None)
    thought = text_of(object_of(events.finish.get("final_info_pool")).get("finish_thought")).strip()
    return Report(thought or None, DeclaredStatus.SUCCESS)


def _action(events: Events, screens: Screens, number: int) -> Action:
    place, entry = events.actions[number]
    given = object_of(entry.get("action_object"))
    name = text_of(given.get("name")).strip()
    if not name or only_says(name):
        events.stripped += _unused(place, given)
        return Action("unparsed", executed=False)
    call = Call(name, _pixels(object_of(given.get("arguments"))))
    action, hidden = phone_action(call)
    events.stripped += [
        Stripped(f"{place}.action_object.{one.key}", one.plane, one.route, one.characters) for one in hidden
    ]
    point = point_of(call.arguments)
    near = nearest_element(*point, screens.elements.get(number, ()), _WITHIN) if point else None
    target = near.label if near else action.target
    if is_known(name):
        return Action(action.kind, target, action.text, action.raw)
    return _shortcut(action, target, call)


def _shortcut(action: Action, target: str | None, call: Call) -> Action:
    """Return a sequence of actions under a name of its own as one: what it typed, else what it touched."""
    text = call.arguments.get("text")
    if isinstance(text, str) and text:
        return Action("type", target, text, action.raw)
    return Action("click" if point_of(call.arguments) else action.kind, target, None, action.raw)


def _pixels(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with coordinates as numbers, which the tool reads also from texts, and both ends of a swipe."""
    numbers = {key: _number(arguments[key]) for key in ("x", "y", "x1", "y1", "x2", "y2") if key in arguments}
    kept = {key: value for key, value in arguments.items() if key not in numbers} | numbers
    if len({"x1", "y1", "x2", "y2"} & numbers.keys()) == 4:
        others = {key: value for key, value in kept.items() if key not in ("x1", "y1", "x2", "y2")}
        return {**others, "coordinate": [numbers["x1"], numbers["y1"]], "coordinate2": [numbers["x2"], numbers["y2"]]}
    return kept


def _number(value: Any) -> Any:
    bare = value.strip() if isinstance(value, str) else ""
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) < 10 else value


def _unused(place: str, given: dict[str, Any]) -> Iterator[Stripped]:
    if given:
        size = len(json.dumps(given, ensure_ascii=False))
        yield Stripped(f"{place}.action_object", Plane.NARRATION, LeakRoute.FINISH_ARGUMENTS, size)
