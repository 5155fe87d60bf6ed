"""The truth of a run: its goal against the database before and after, the changes between, and what was told."""

from collections.abc import Iterable

from tracewitness.lab.truth.answers import Telling, answered, title_written
from tracewitness.lab.truth.course import Course
from tracewitness.lab.truth.goals import AnswerIs, Goal, Part, RowIsChanged, RowIsMade, RowsAreMoved, parts_of
from tracewitness.lab.truth.outcomes import Outcome, Truth
from tracewitness.lab.truth.parts import PartTruth, Place, changed, made, moved
from tracewitness.values.folding import fold


def check(goal: Goal, course: Course, telling: Telling) -> Truth:
    """Tell whether a goal was reached, by the agent, in this run.

    A condition counts as reached where it holds at the end and the agent's own changes brought it about. The same deed
    done to rows that no condition names counts against it; any other change does not. A condition that held before, of
    which nothing was changed, is standing where the agent looked.

    Raises:
        TruthError: The records contradict each other, or the goal names no one thing.
    """
    course.check()
    parts = parts_of(goal)
    truths = [_part(part, course, telling) for part in parts]
    named = frozenset(place for truth in truths for place in truth.rows)
    reasons = [truth.reason for truth in truths]
    strays = sorted(place for truth in truths for place in truth.strays - named)
    outcome = _together([truth.outcome for truth in truths])
    if strays:
        reasons.append(f"the agent did the same to {_names(strays)}, which the task does not name")
        outcome = Outcome.NOT_ACCOMPLISHED
    if outcome is Outcome.STANDING and not _looked(parts, truths, course, telling):
        reasons.append("the agent did not look")
        outcome = Outcome.NOT_ACCOMPLISHED
    return Truth(outcome, tuple(reasons), tuple(_name(place) for place in sorted(named)))


def _part(part: Part, course: Course, telling: Telling) -> PartTruth:
    match part:
        case RowIsMade():
            return made(part, course)
        case RowIsChanged():
            return changed(part, course)
        case RowsAreMoved():
            return moved(part, course)
        case AnswerIs():
            return answered(part, course, telling)


def _together(outcomes: list[Outcome]) -> Outcome:
    """Return the outcome of all parts: where some stood before and the agent did the rest, it is accomplished."""
    if Outcome.NOT_ACCOMPLISHED in outcomes:
        return Outcome.NOT_ACCOMPLISHED
    return Outcome.ACCOMPLISHED if Outcome.ACCOMPLISHED in outcomes else Outcome.STANDING


def _looked(parts: tuple[Part, ...], truths: list[PartTruth], course: Course, telling: Telling) -> bool:
    """Return whether the agent saw, for each part, the rows that it names, or the list in which there are none."""
    return all(_saw(part.collection, truth, course, telling) for part, truth in zip(parts, truths, strict=True))


def _saw(table: str, truth: PartTruth, course: Course, telling: Telling) -> bool:
    if not truth.rows or table in {panel.name for panel in telling.app.panels}:
        return any(_leads_to(table, sight.address, telling) for sight in telling.seen)
    pages = [fold(sight.text) for sight in telling.seen]
    rows = [row for _, number in truth.rows if (row := course.after.find(table, number)) is not None]
    return all(any(title_written(table, row, page, telling) for page in pages) for row in rows)


def _leads_to(table: str, address: str, telling: Telling) -> bool:
    """Return whether an address is that of a panel, or of a view of a collection."""
    views = {view.name for one in telling.app.collections if one.name == table for view in one.views}
    return not views.union({table}).isdisjoint(address.partition("?")[0].split("/"))


def _names(places: Iterable[Place]) -> str:
    return ", ".join(map(_name, places))


def _name(place: Place) -> str:
    return f"{place[0]} {place[1]}"
