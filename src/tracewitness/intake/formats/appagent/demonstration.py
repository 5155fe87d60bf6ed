"""Reading AppAgent's demonstrations by a person: ``record.txt``, ``task_desc.txt`` and the screens.

No agent says anything in them, so such a run has no report; it is read, and not audited.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import names_in
from tracewitness.intake.elements import label
from tracewitness.intake.errors import BadRunError, EmptyError, NoTaskError
from tracewitness.intake.formats.appagent.detect import RECORD, RECORDED, TASK
from tracewitness.intake.formats.appagent.elements import tagged_elements
from tracewitness.intake.formats.appagent.screens import Screen, Screens
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.reading_files import decode, read_bytes
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Step, Trace

_DUMPS, _PICTURES = "xml", "raw_screenshots"
_NUMBERED = re.compile(r"^(.*)_\d{1,6}\.(?:xml|png)$")
_KINDS = {"tap": "click", "long_press": "long_press", "text": "type", "swipe": "swipe"}


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of a record: an action on the element with a tag, and what was typed or the direction."""

    name: str
    tag: int
    argument: str
    written: str


def read_demonstration(root: Path, name: str, options: ReadOptions) -> SealedRun:
    """Read a demonstration.

    Raises:
        EmptyError: It has no action.
        NoTaskError: Nobody says what it was to show.
        IntakeError: The record cannot be read, or a dump is hostile.
    """
    folder = RunFolder(root, options.limits)
    read = decode(read_bytes(folder.locate(RECORD), options.limits.line), RECORD)
    lines = [line for line in read.text.splitlines() if line.strip()]
    recorded = [_recorded(line) for line in lines if line.strip() != "stop"]
    if not recorded:
        raise EmptyError("the record holds no action", "leave it out", path=name)
    if len(recorded) > options.limits.steps:
        raise BadRunError(f"more than {options.limits.steps} actions", "split the record")
    task = (folder.text(TASK) or "").strip() or options.task
    if not task:
        raise NoTaskError(f"{TASK} holds no task", "give it with --task")
    screens = _screens(folder, root)
    steps = tuple(_steps(recorded, screens))
    stopped = lines[-1].strip() == "stop"
    gaps = (*screens.gaps, *([] if stopped else [Gap.LOG_CUT_OFF]))
    return SealedRun(
        run_id=root.absolute().name,
        task=Task(task),
        trace=Trace(steps, known_gaps(steps, gaps)),
        report=Report(None),
        harness=HarnessStatus.UNKNOWN,
        origin=Origin(name, "appagent", "demonstration", read.encoding),
        stripped=(Stripped("report", Plane.REPORT, LeakRoute.NONE, 0),),
        notices=("a demonstration by a person: there is no agent that reports anything", *screens.notices),
    )


def _recorded(line: str) -> Recorded | None:
    found = RECORDED.match(line.strip())
    if found is None:
        return None
    name, tag, argument, _ = found.groups()
    return Recorded(name, int(tag), argument or "", line.strip().rpartition(":::")[0])


def _screens(folder: RunFolder, root: Path) -> Screens:
    names = frozenset(
        f"{below}/{name}"
        for below in (_DUMPS, _PICTURES)
        if (root / below).is_dir()
        for name in names_in(folder.locate(below), below)
    )
    bases = [found.group(1) for name in sorted(names) if (found := _NUMBERED.match(name.rpartition("/")[2]))]
    return Screens(folder, names, bases[0] if bases else root.name)


def _screen(screens: Screens, number: int, expected: bool = True) -> Screen:
    stem = f"{screens.base}_{number}"
    return screens.named(f"screen {number}", f"{_DUMPS}/{stem}.xml", [f"{_PICTURES}/{stem}.png"], expected)


def _steps(recorded: list[Recorded | None], screens: Screens) -> Iterator[Step]:
    shown = [_screen(screens, number) for number in range(1, len(recorded) + 1)]
    after = [*shown[1:], _screen(screens, len(recorded) + 1, expected=False)]
    for at, one in enumerate(recorded):
        yield Step(at + 1, _action(one, shown[at]), shown[at].observation, after[at].observation)


def _action(one: Recorded | None, screen: Screen) -> Action:
    if one is None:
        return Action("unparsed", executed=False)
    elements = tagged_elements(screen.dump) if screen.dump is not None else ()
    target = label(elements[one.tag - 1]) if 1 <= one.tag <= len(elements) else None
    typed = one.argument.strip().removeprefix('"').removesuffix('"') if one.name == "text" else None
    return Action(_KINDS[one.name], target, typed, one.written)
