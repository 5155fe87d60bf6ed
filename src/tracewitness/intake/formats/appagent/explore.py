"""Reading AppAgent's exploration runs: ``self_explore_<time>/`` with ``log_explore_*.txt`` and ``log_reflect_*.txt``.

After an action the agent decides what became of it. ``BACK`` presses the button, which is a step of its own. Every
decision but ``SUCCESS`` takes the element out of the later tag lists, so that tags are grounded only ahead of the first
of these.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import names_in
from tracewitness.intake.errors import IntakeError, NoTaskError
from tracewitness.intake.formats.appagent.detect import EXPLORE
from tracewitness.intake.formats.appagent.response import Dialect, sort_response
from tracewitness.intake.formats.appagent.rounds import Log, read_log, task_of
from tracewitness.intake.formats.appagent.screens import Screen, Screens
from tracewitness.intake.formats.appagent.split import Sorted, action_of_call, narration_of, report_of, stripped_of
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Narrated, Plane, Stripped
from tracewitness.intake.reading_files import decode, lines_of, parse_json
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.untyped import object_of, text_of
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Step, Trace

REFLECT = "log_reflect_"
_DECISION = re.compile(r"Decision: (.*?)$", re.MULTILINE)
_DECISIONS = ("BACK", "CONTINUE", "SUCCESS", "INEFFECTIVE")


@dataclass(slots=True)
class Reflections:
    """The second log: the decision of each round, and the words around it."""

    decisions: dict[int, str] = field(default_factory=dict[int, str])
    narration: list[Narrated] = field(default_factory=list[Narrated])
    stripped: list[Stripped] = field(default_factory=list[Stripped])
    notices: list[str] = field(default_factory=list[str])
    damaged: bool = False


def read_exploration(root: Path, log_path: Path, name: str, options: ReadOptions) -> SealedRun:
    """Read an exploration run.

    Raises:
        IntakeError: Its log is empty or damaged throughout, or a dump is hostile.
        NoTaskError: Its task is not in the log.
    """
    folder = RunFolder(root, options.limits)
    log = read_log(folder.locate(log_path.name), name, options.limits)
    task = task_of(log) or options.task
    if task is None:
        raise NoTaskError("the task sentence is not in the prompts of the log", "give it with --task")
    names = names_in(root, name)
    reflections = _read_reflections(folder, log_path.name.replace(EXPLORE, REFLECT, 1), names)
    rounds = [Sorted(one, sort_response(one.response, Dialect.ACTION)) for one in log.rounds]
    screens = Screens(folder, names)
    steps = _steps(rounds, screens, reflections)
    finished = rounds[-1].response.call.name == "finish"
    gaps = (*log.gaps, *screens.gaps, *([Gap.MISSING_STEPS] if reflections.damaged else []))
    return SealedRun(
        run_id=root.absolute().name,
        task=Task(task),
        trace=Trace(steps, known_gaps(steps, gaps)),
        report=report_of(rounds),
        harness=HarnessStatus.COMPLETED if finished else HarnessStatus.UNKNOWN,
        origin=Origin(name, "appagent", "exploration", "/".join(sorted(log.encodings)), "AppAgent"),
        narration=(*narration_of(rounds), *reflections.narration),
        stripped=(*stripped_of(rounds, task), *reflections.stripped),
        notices=(*log.notices, *reflections.notices, *screens.notices, *_ended(log, finished)),
    )


def _ended(log: Log, finished: bool) -> Iterator[str]:
    yield "an exploration run: the agent tried out the app to document it"
    if not finished:
        yield "the log has no FINISH: round limit, stopped process or failed call; none is inferred"
    yield from (f"log read as {name}" for name in sorted(log.encodings - {"utf-8"}))


def _read_reflections(folder: RunFolder, log_name: str, names: frozenset[str]) -> Reflections:
    found = Reflections()
    if log_name not in names:
        return found
    for line in lines_of(folder.locate(log_name), folder.limits):
        try:
            record = object_of(parse_json(decode(line.content, log_name).text, line.number))
        except IntakeError as error:
            found.notices.append(f"{log_name} line {line.number}: {error.problem}")
            found.damaged = True
            continue
        _take(found, record, f"{log_name} line {line.number}")
    return found


def _take(found: Reflections, record: dict[str, object], where: str) -> None:
    step, response = record.get("step"), text_of(record.get("response"))
    decided = _DECISION.search(response)
    if isinstance(step, int) and decided and decided.group(1) in _DECISIONS and "Thought: " in response:
        found.decisions[step] = decided.group(1)
    if isinstance(step, int) and response:
        found.narration.append(Narrated(step, response))
    found.stripped.append(Stripped(f"{where}, response", Plane.NARRATION, LeakRoute.SELF_ASSESSMENT, len(response)))
    prompt = text_of(record.get("prompt"))
    found.stripped.append(Stripped(f"{where}, prompt", Plane.NARRATION, LeakRoute.ECHO, len(prompt)))


def _steps(rounds: list[Sorted], screens: Screens, reflections: Reflections) -> tuple[Step, ...]:
    """Return the steps, numbered from 1: the rounds, and behind some of them the button that was pressed."""
    before = [_before(screens, one.round.step) for one in rounds]
    steps, same_tags = list[Step](), not reflections.damaged
    for at, one in enumerate(rounds):
        number, call = one.round.step, one.response.call
        adjacent = at + 1 < len(rounds) and rounds[at + 1].round.step == number + 1
        following = before[at + 1].observation if adjacent else None
        after = None if call.name == "finish" else _after(screens, number)
        decision = reflections.decisions.get(number, "SUCCESS")
        shown = before[at] if same_tags else Screen(before[at].observation, None)
        ended_here = at == len(rounds) - 1 and after is None
        action, error = action_of_call(call, shown, in_grid=False, run_ended_here=ended_here)
        back = decision == "BACK"
        seen = after if back else following or after
        steps.append(Step(len(steps) + 1, action, before[at].observation, seen, error))
        if back:
            steps.append(Step(len(steps) + 1, Action("navigate_back", raw="back"), after, following))
        same_tags = same_tags and decision == "SUCCESS"
    return tuple(steps)


def _before(screens: Screens, number: int) -> Screen:
    pictures = (f"{number}_before.png", f"{number}_before_labeled.png")
    return screens.named(f"screen {number}", f"{number}.xml", pictures)


def _after(screens: Screens, number: int) -> Observation | None:
    pictures = (f"{number}_after.png", f"{number}_after_labeled.png")
    return screens.named(f"screen after {number}", "", pictures, expected=False).observation
