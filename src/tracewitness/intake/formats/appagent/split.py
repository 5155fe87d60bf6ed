"""Sorting the rounds of an AppAgent run into planes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracewitness.intake.elements import PlacedNode, label
from tracewitness.intake.formats.appagent.elements import focused_element, tagged_elements
from tracewitness.intake.formats.appagent.grid import under_cell
from tracewitness.intake.formats.appagent.response import Call, Response, typed_text
from tracewitness.intake.formats.appagent.rounds import Round
from tracewitness.intake.formats.appagent.screens import Screen
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.ui_dump import Node
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.trace_side.trace import Action, Step

_KINDS = {
    "tap": "click",
    "tap_grid": "click",
    "long_press": "long_press",
    "long_press_grid": "long_press",
    "swipe": "swipe",
    "swipe_grid": "swipe",
    "text": "type",
    "grid": "grid",
    "finish": "finish",
    "unparsed": "unparsed",
}
_TAGGED = ("tap", "long_press", "swipe")


@dataclass(frozen=True, slots=True)
class Sorted:
    """A round with its response sorted."""

    round: Round
    response: Response


def steps_of(rounds: Sequence[Sorted], screens: Sequence[Screen], trailing: Screen) -> tuple[Step, ...]:
    """Return the steps. ``screens`` stand before each round; ``trailing`` is the one after the last round, if any.

    The screen before a round is also the one after the round before it, as long as no round is missing in between.
    """
    steps: list[Step] = []
    followers = [*screens[1:], trailing]
    for at, (one, screen, follower) in enumerate(zip(rounds, screens, followers, strict=True)):
        last = at == len(rounds) - 1
        adjacent = last or rounds[at + 1].round.step == one.round.step + 1
        after = follower.observation if adjacent and one.response.call.name != "finish" else None
        grid, ended_here = _in_grid(rounds, at), last and follower.observation is None
        action, error = action_of_call(one.response.call, screen, in_grid=grid, run_ended_here=ended_here)
        steps.append(Step(one.round.step, action, screen.observation, after, error))
    return tuple(steps)


def _in_grid(rounds: Sequence[Sorted], at: int) -> bool | None:
    """Tell whether a round stood under the grid overlay, which the round before it asks for; None if unknown."""
    if at == 0:
        return None if rounds[0].round.step > 1 else False
    before = rounds[at - 1]
    adjacent = rounds[at].round.step == before.round.step + 1
    return before.response.call.name == "grid" if adjacent else None


def action_of_call(
    call: Call, screen: Screen, *, in_grid: bool | None, run_ended_here: bool
) -> tuple[Action, str | None]:
    """Return the action, and the tool's error where it could not be carried out.

    Args:
        call: The call.
        screen: The screen before it.
        in_grid: Whether the round stood under the grid overlay; None where that is unknown.
        run_ended_here: Whether nothing more of the run is there.
    """
    kind, dump = _KINDS[call.name], screen.dump
    if call.name in ("finish", "unparsed"):
        return Action(kind, executed=call.name == "finish"), None
    if run_ended_here and (error := _wrong_form(call, in_grid)):
        return Action(kind, None, None, call.written, executed=False), error
    if call.name in _TAGGED and dump is not None:
        return _tagged_action(call, dump, run_ended_here)
    if call.name == "text":
        focus = focused_element(dump) if dump else None
        target = label(focus) if focus else None
        return Action(kind, target, typed_text(call.arguments[0]), call.written), None
    return Action(kind, _grid_target(call, screen), None, call.written), None


def _wrong_form(call: Call, in_grid: bool | None) -> str | None:
    """Return why the tool, which writes the log line first, then fails on a call of the other kind of round."""
    if in_grid is True and call.name in (*_TAGGED, "text"):
        return "not executed: under the grid overlay a cell and a part of it are asked for"
    if in_grid is False and call.name.endswith("_grid"):
        return "not executed: there was no grid overlay"
    return None


def _tagged_action(call: Call, dump: Node, run_ended_here: bool) -> tuple[Action, str | None]:
    elements, number = tagged_elements(dump), int(call.arguments[0])
    element = _by_tag(elements, number)
    if element is not None:
        return Action(_KINDS[call.name], label(element), None, call.written), None
    if run_ended_here:
        # The tool writes the log line first and then fails on a tag that is not there, which ends the run.
        error = f"not executed: the screen has {len(elements)} tagged elements, none is number {number}"
        return Action(_KINDS[call.name], None, None, call.written, executed=False), error
    return Action(_KINDS[call.name], None, None, call.written), None


def _by_tag(elements: Sequence[PlacedNode], number: int) -> PlacedNode | None:
    """Return the element the tool acts on: it indexes a Python list with number - 1, so tag 0 is the last element."""
    position = number - 1
    return elements[position] if -len(elements) <= position < len(elements) else None


def _grid_target(call: Call, screen: Screen) -> str | None:
    if call.name == "swipe_grid":
        start, start_part, end, end_part = call.arguments
        return f"from grid cell {start} ({start_part}) to grid cell {end} ({end_part})"
    if not call.name.endswith("_grid"):
        return None
    area, part = call.arguments
    found = None
    if screen.dump is not None and screen.size is not None:
        found = under_cell(int(area), part, screen.dump, screen.size)
    return found or f"grid cell {area} ({part})"


def report_of(rounds: Sequence[Sorted]) -> Report:
    """Return the report: FINISH is the declared success, the Summary beside it the final words.

    The tool defines FINISH as "completed or nothing to be done" and prints that the task was completed. A run that ends
    otherwise (round limit, unreadable response, stopped process) has no report, whatever its last Summary says.
    """
    last = rounds[-1].response
    if last.call.name != "finish":
        return Report(None)
    return Report(last.closing or None, DeclaredStatus.SUCCESS)


def narration_of(rounds: Sequence[Sorted]) -> tuple[Narrated, ...]:
    """Return the agent's words at each round, final words left out."""
    return tuple(Narrated(one.round.step, one.response.words) for one in rounds if one.response.words)


def stripped_of(rounds: Sequence[Sorted], task: str | None) -> Iterator[Stripped]:
    """Yield what was kept from the trace side."""
    for at, one in enumerate(rounds):
        where = f"line {one.round.line}"
        kept = len(task or "") if at == 0 else 0
        yield Stripped(f"{where}, prompt", Plane.NARRATION, LeakRoute.ECHO, len(one.round.prompt) - kept)
        if one.response.words:
            yield Stripped(f"{where}, response", Plane.NARRATION, LeakRoute.THOUGHTS, len(one.response.words))
        if one.response.call.name == "finish" and one.response.closing:
            closing = one.response.closing
            yield Stripped(f"{where}, response: Summary", Plane.REPORT, LeakRoute.FINAL_REPORT, len(closing))
