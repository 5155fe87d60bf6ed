"""Sorting a DroidRun trajectory into planes."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.intake.action_kinds import kind_of
from tracewitness.intake.bare_answers import FAILED, bare_answer, shown_answer
from tracewitness.intake.calls import Call, action_of, declared_status, final_words, point_of
from tracewitness.intake.elements import element_at
from tracewitness.intake.finishing import FINISH, only_says, without_final_words
from tracewitness.intake.formats.droidrun.actions import Doings, Done
from tracewitness.intake.formats.droidrun.events import EventLog, Kind
from tracewitness.intake.formats.droidrun.screens import Look, Looks
from tracewitness.intake.own_words import is_narrating
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.turn_steps import ATTEMPT
from tracewitness.intake.untyped import text_of
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Observation, Step

_LIMITS = ("Reached max step", "Reached maximum step", "Reached maximum number of steps")
OF_THE_TOOL = (*_LIMITS, "Device disconnected", "LLM response is None", "Failed after", "Error")
_TOUCHED = re.compile(r"^(?:Tapped|Long pressed|Swiped)\b[^()\n]{0,40}\((-?\d{1,6}), (-?\d{1,6})\)")
"""Where the tool says that it touched the screen, in pixels; what the agent gives may be in thousandths."""
_NOT_DONE = ("Unknown tool", "Unknown action type", "Invalid arguments for", "Invalid action JSON", "Missing ")
"""How the tool says that it did not carry out what it was asked to."""
_BUTTONS = frozenset({"back", "home"})
_COMPLETE = "complete"
_NAMES = {
    _COMPLETE: FINISH,
    "button_press": "system_button",
    "key_press": "press_key",
    "tap_by_index": "tap",
    "tap_by_coordinates": "tap",
    "type_secret": "type",
    "open_bundle_id": "open_app",
}
_APPS = ("text", "package", "bundle_id")
_SAID = ("thought", "thoughts")


@dataclass(slots=True)
class Told:
    """A run sorted into planes."""

    steps: tuple[Step, ...] = ()
    report: Report = field(default_factory=lambda: Report(None))
    ended: bool = False
    limited: bool = False
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])


def split(log: EventLog, doings: Doings, looks: Looks, finish_kinds: frozenset[str]) -> Told:
    """Sort a run. A look at the screen stands before the actions that follow it, and after those ahead of it."""
    told, steps, kinds = Told(), list[Step](), finish_kinds | {FINISH}
    numbers = _numbers(doings, looks)
    for at, one in enumerate(doings.actions):
        before, after = numbers[at]
        shown = looks.at(before)
        action = _action(one, shown, kinds, told)
        answer = _answered(one, kinds, told)
        seen = looks.at(after).seen
        if answer and not one.failed:
            seen = replace(seen or Observation(), text=shown_answer(answer))
        error = answer or FAILED if one.failed and not only_speaks(one.call) else None
        steps.append(Step(at + 1, action, shown.seen, seen, error))
    _end(log, doings, looks, steps)
    places = [one.place for one in doings.actions] + ["the last event"]
    kept, lost = without_final_words(steps, lambda at: places[at], kinds)
    told.stripped += [one for one in lost if one.characters]
    told.limited = any(text_of(one.fields.get("reason")).startswith(_LIMITS) for one in log.of(Kind.END)[-1:])
    refused = {at for at, one in enumerate(doings.actions) if one.failed or told.limited}
    told.steps = tuple(_attempts(kept, refused))
    told.ended = any(one.action.kind == FINISH for one in told.steps)
    told.report = _report(log, doings) if told.ended else Report(None)
    told.narration = _narration(log)
    return told


def _attempts(steps: Sequence[Step], refused: Container[int]) -> Iterator[Step]:
    """Yield the steps, each end that was refused, or that something was done after, as an attempt."""
    acted = [at for at, one in enumerate(steps) if one.action.kind != FINISH]
    last = acted[-1] if acted else -1
    for at, one in enumerate(steps):
        goes_on = one.action.kind == FINISH and (at < last or at in refused)
        yield replace(one, action=replace(one.action, kind=ATTEMPT)) if goes_on else one


def _numbers(doings: Doings, looks: Looks) -> list[tuple[int | None, int | None]]:
    """Return the numbers of the looks before and after each action."""
    actions = doings.actions
    if all(one.look is not None for one in actions):
        looks.keep(doings.looks, doings.looks + 1)
        taken = max(max(looks.states, default=-1), max(looks.pictures, default=-1))
        return [_around(actions, at, taken) for at in range(len(actions))]
    moves = sum(not _ends(one.call) for one in actions)
    looks.keep(moves, moves + 1)
    return [(at, at + 1) for at in range(len(actions))]


def _around(actions: list[Done], at: int, taken: int) -> tuple[int | None, int | None]:
    """Return the look before the first and after the last of the actions between two looks."""
    look = actions[at].look or 0
    first = at == 0 or actions[at - 1].look != look
    last = at + 1 == len(actions) or actions[at + 1].look != look
    return look - 1 if first else None, look if last and look <= taken else None


def _end(log: EventLog, doings: Doings, looks: Looks, steps: list[Step]) -> None:
    """Add the end where the agent ended the run and no call says so: a manager's answer, or an early version's end."""
    called = any(_ends(one.call) and not one.failed for one in doings.actions)
    if called or not (_answers(log) or _own_end(log)):
        return
    last = doings.looks - 1 if doings.source != "macro" else len(doings.actions)
    steps.append(Step(len(steps) + 1, Action(FINISH), looks.at(last if last >= 0 else None).seen))


def _action(one: Done, look: Look, kinds: frozenset[str], told: Told) -> Action:
    call = named(one.call)
    done = not (one.failed and one.result.startswith(_NOT_DONE))
    action, hidden = action_of(call, one.target or _target(one, look), executed=done, kinds=kinds)
    told.stripped += [Stripped(f"{one.place}.{lost.key}", lost.plane, lost.route, lost.characters) for lost in hidden]
    button = text_of(call.arguments.get("button")).casefold()
    if action.kind == "press_key" and button in _BUTTONS:
        return replace(action, kind=kind_of(button), text=None)
    return action


def named(call: Call) -> Call:
    """Return a call by the name that its kind has elsewhere."""
    return replace(call, name=_NAMES.get(call.name, call.name))


def _target(one: Done, look: Look) -> str | None:
    call = named(one.call)
    if kind_of(call.name) == "open_app":
        return next((text for key in _APPS if (text := text_of(call.arguments.get(key)))), None)
    index = call.arguments.get("index", call.arguments.get("element_index"))
    if isinstance(index, int) and not isinstance(index, bool):
        return look.by_number.get(index) or f"element {index}"
    touched = _TOUCHED.match(one.result)
    point = (float(touched.group(1)), float(touched.group(2))) if touched else point_of(call.arguments)
    found = element_at(*point, look.elements) if point else None
    return found.label if found else None


def only_speaks(call: Call) -> bool:
    """Tell whether a call only says something: it ends the run, or notes something down."""
    return _ends(call) or is_narrating(call.name)


def _ends(call: Call) -> bool:
    """Tell whether a call ends the run; ``complete`` touches no widget in this tool."""
    return call.name == _COMPLETE or only_says(call.name)


def _answered(one: Done, kinds: frozenset[str], told: Told) -> str:
    """Return what a tool answered, without what of it is the agent's."""
    text = one.result.strip()
    words = bare_answer(named(one.call), text, failed=one.failed, kinds=kinds) if text else ""
    if len(words) < len(text):
        plane = Plane.REPORT if _ends(one.call) else Plane.NARRATION
        told.stripped.append(Stripped(f"{one.place}.summary", plane, LeakRoute.ECHO, len(text) - len(words)))
    return words


def _answers(log: EventLog) -> list[str]:
    found = [text_of(one.fields.get("answer")).strip() for one in log.of(Kind.PLAN)]
    return [text for text in found if text]


def _own_end(log: EventLog) -> bool:
    """Tell whether the last end in the log is the agent's, and not one that the tool makes."""
    ends = log.of(Kind.END)
    return bool(ends) and not text_of(ends[-1].fields.get("reason")).startswith(OF_THE_TOOL)


def _report(log: EventLog, doings: Doings) -> Report:
    calls = [one.call for one in doings.actions if _ends(one.call) and not one.failed][-1:]
    texts = [text for call in calls if (text := final_words(call))] or _answers(log)[-1:]
    flags = [flag for call in calls if (flag := declared_status(call.arguments))]
    for one in log.of(Kind.END)[-1:] if _own_end(log) else []:
        texts = texts or [text for text in (text_of(one.fields.get("reason")).strip(),) if text]
        flags = flags or [DeclaredStatus.SUCCESS if one.fields.get("success") else DeclaredStatus.FAILURE]
    for one in log.of(Kind.PLAN)[-1:]:
        if not flags and isinstance(one.fields.get("success"), bool):
            flags = [DeclaredStatus.SUCCESS if one.fields["success"] else DeclaredStatus.FAILURE]
    return Report("\n\n".join(texts) or None, flags[-1] if flags else None)


def _narration(log: EventLog) -> list[Narrated]:
    """Return the agent's thoughts, at the look at the screen that they follow."""
    found, look = list[Narrated](), 0
    for one in log.events:
        look += one.kind in (Kind.ANSWER, Kind.LOOK)
        words = next((text for key in _SAID if (text := text_of(one.fields.get(key)).strip())), "")
        if words and one.kind is not Kind.PLAN:
            found.append(Narrated(max(look, 1), words))
    return found
