"""Which screenshot stands before and after which action."""

from dataclasses import dataclass, field

from tracewitness.findings.causes import Gap
from tracewitness.intake.finishing import bare
from tracewitness.intake.formats.mobile_agent_runner.detect import SCREENSHOT
from tracewitness.intake.formats.mobile_agent_runner.lines import MOBILE_AGENT, ActionLog
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.trace_side.trace import Observation

_STATUS = frozenset(map(bare, ("done", "terminate", "status")))
"""Actions that end the run and are not carried out on the device."""


@dataclass(slots=True)
class Screens:
    """The screens around each action, with what was missing."""

    before: list[Observation | None] = field(default_factory=list[Observation | None])
    after: list[Observation | None] = field(default_factory=list[Observation | None])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])
    after_answer: int = 0


def screens_of(folder: RunFolder, names: frozenset[str], log: ActionLog) -> Screens:
    """Return the screens.

    Screenshot i was taken before round i. A round whose answer could not be used leaves a screenshot and no line, so
    where there are more screenshots than the lines account for, only the first and the last have a known place.
    """
    shown, count = Screens(), len(log.calls)
    numbers = sorted({int(found.group(1)) for name in names if (found := SCREENSHOT.match(name))})
    highest = numbers[-1] if numbers else -1
    lost = [number for number in range(highest + 1) if number not in set(numbers)]
    pictures = {number: _seen(folder, number) for number in numbers}
    lost += [number for number, seen in pictures.items() if seen is None]
    places = _places(log, highest)
    if places is None:
        places = _ends_of(log, highest)
        shown.notices.append(
            f"{highest + 1} screenshots for {count} actions: rounds without an action stand between them, and only the "
            "first and the last screenshot have a known place"
        )
        shown.gaps.add(Gap.UNREADABLE_OBSERVATION)
    _place(shown, log, places, pictures)
    _note_missing(shown, log, [*lost, *_not_taken(log, highest)])
    return shown


def _place(shown: Screens, log: ActionLog, places: dict[int, int], pictures: dict[int, Observation | None]) -> None:
    answered = next((at for at, one in enumerate(log.calls) if one.call and one.call.name == "answer"), len(log.calls))
    seen = [pictures.get(places[at]) if at in places else None for at in range(len(log.calls) + 1)]
    for at in range(answered + 1, len(seen)):
        # An answer is written across the screen, so what is seen behind it holds the report.
        shown.after_answer += seen[at] is not None
        seen[at] = None
    shown.before = seen[:-1]
    shown.after = seen[1:]


def _last_name(log: ActionLog) -> str:
    last = log.calls[-1].call
    return bare(last.name) if last is not None else ""


def _places(log: ActionLog, highest: int) -> dict[int, int] | None:
    """Return which screenshot stands before which action, and after the last one; None where they are too many."""
    count = len(log.calls)
    if Gap.MISSING_STEPS in log.gaps:
        return {}
    accounted = count - (_last_name(log) in _STATUS) + (Gap.LOG_CUT_OFF in log.gaps)
    return {number: number for number in range(count + 1)} if highest <= accounted else None


def _ends_of(log: ActionLog, highest: int) -> dict[int, int]:
    """Return the places of the first and the last screenshot: those that are known where rounds have no line."""
    last = len(log.calls) - 1
    if Gap.LOG_CUT_OFF in log.gaps:
        return {0: 0}
    if _last_name(log) in _STATUS:
        return {0: 0, last: highest}
    if _last_name(log) == "answer":  # its picture follows
        return {0: 0, last: highest - 1}
    return {0: 0, last + 1: highest}


def _seen(folder: RunFolder, number: int) -> Observation | None:
    picture = folder.screenshot(f"screenshot_{number}.png")
    return Observation(screenshot=picture) if picture.digest is not None else None


def _not_taken(log: ActionLog, highest: int) -> range:
    """Return the numbers of screenshots that are missing at the end: Mobile-Agent-v3 takes one after every action."""
    ended = _last_name(log) in _STATUS
    expected = len(log.calls) if log.dialect == MOBILE_AGENT and not ended else len(log.calls) - 1
    return range(highest + 1, expected + 1)


def _note_missing(shown: Screens, log: ActionLog, lost: list[int]) -> None:
    notice = missing_notice("screenshot", [f"screenshot_{number}.png" for number in sorted(set(lost))])
    if notice:
        shown.notices.append(notice)
        shown.gaps.add(Gap.UNREADABLE_OBSERVATION)
    shown.gaps |= log.gaps
