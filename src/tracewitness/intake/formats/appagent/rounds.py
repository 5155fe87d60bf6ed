"""The rounds of an AppAgent log: lines checked, the task taken out, screens found."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, cast

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, UnknownEncodingError, UnsafeXmlError
from tracewitness.intake.limits import Limits
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import Line, decode, lines_of, parse_json, refuse_lfs
from tracewitness.intake.ui_dump import Node, read_dump
from tracewitness.trace_side.trace import Observation

_TASK = "The task you need to complete is to "
_PAST = "Your past actions to proceed"
_NOW = "\nNow, given the"
_SUFFIX = re.compile(r"_(?:labeled|grid)\.png$|\.png$")


@dataclass(frozen=True, slots=True)
class Round:
    """One line of the log."""

    step: int
    prompt: str
    image: str
    response: str
    line: int


@dataclass(slots=True)
class Log:
    """The readable rounds of a log, with what was wrong with the others."""

    rounds: list[Round] = field(default_factory=list[Round])
    encodings: set[str] = field(default_factory=set[str])
    gaps: set[Gap] = field(default_factory=set[Gap])
    notices: list[str] = field(default_factory=list[str])


def read_log(path: Path, name: str, limits: Limits) -> Log:
    """Read a log. A damaged line in it is a gap, a damaged last line a cut-off log; neither loses the other rounds.

    Raises:
        EmptyError: It has no lines.
        BadJsonError: No line can be read.
        BadRunError: A line has other keys, or the rounds are not in order.
        UnknownEncodingError: The encoding of a line cannot be told.
        TooLargeError: It has more rounds than are read.
    """
    log, damaged = Log(), list[tuple[Line, IntakeError]]()
    last = 0
    for line in lines_of(path, limits):
        refuse_lfs(line.content, path)
        last = line.number
        try:
            decoded = decode(line.content, name, max(log.encodings - {"utf-8"}, default=""))
            value = parse_json(decoded.text, line.number)
        except UnknownEncodingError as error:
            raise error.at(name, f"line {line.number}") from None
        except IntakeError as error:
            damaged.append((line, error.at(name)))
            continue
        log.encodings.add(decoded.encoding)
        _append(log, _round(value, line.number), limits)
    if not log.rounds and damaged:
        raise damaged[0][1]
    if not log.rounds:
        raise EmptyError("the log is empty", "the run made no round; leave it out", path=name)
    for line, error in damaged:
        log.gaps.add(Gap.LOG_CUT_OFF if line.number == last else Gap.MISSING_STEPS)
        log.notices.append(f"log {error.where}: {error.problem}")
    return log


def _append(log: Log, one: Round, limits: Limits) -> None:
    where = f"line {one.line}"
    if log.rounds and one.step <= log.rounds[-1].step:
        problem = f"step {one.step} comes after step {log.rounds[-1].step}"
        raise BadRunError(problem, "one log holds two runs; split it", where=where)
    if len(log.rounds) >= limits.steps:
        raise BadRunError(f"more than {limits.steps} rounds", "split the log", where=where)
    log.rounds.append(one)


def _round(value: Any, number: int) -> Round:
    keys = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    step, texts = keys.get("step"), [keys.get(key) for key in ("prompt", "image", "response")]
    if not isinstance(step, int) or isinstance(step, bool) or not all(isinstance(text, str) for text in texts):
        raise BadRunError(
            "expected the keys step (integer), prompt, image, response (texts)",
            "check the line",
            where=f"line {number}",
        )
    prompt, image, response = cast(list[str], texts)
    return Round(step, prompt, image, response, number)


def task_of(log: Log) -> str | None:
    """Return the task sentence of the first prompt; None where there is none, or where it cannot be told.

    Documentation of the screen's elements, written by a model, stands ahead of the sentence and may hold one like it:
    the last one counts. The summary of past actions stands behind it. In the first round that summary is empty; where
    the log begins later, it is the agent's, and of several such sentences none is taken.
    """
    first = log.rounds[0]
    ahead, behind, _ = first.prompt.rpartition(_NOW)
    prompt = ahead if behind else first.prompt
    if first.step > 1 and prompt.count(_TASK) > 1:
        return None
    _, found, rest = prompt.rpartition(_TASK)
    task, ended, _ = rest.partition(_PAST)
    task = task.rstrip().removesuffix(".") if ended else task
    return task.strip() or None if found else None


@dataclass(slots=True)
class Screen:
    """One screen: what the trace shows of it, and its parsed dump for grounding."""

    observation: Observation | None
    dump: Node | None


@dataclass(slots=True)
class Screens:
    """The screens of a run's folder, by the base name that the log gives them."""

    folder: RunFolder
    names: frozenset[str]
    base: str
    notices: list[str] = field(default_factory=list[str])
    gaps: set[Gap] = field(default_factory=set[Gap])

    @classmethod
    def of(cls, folder: RunFolder, names: frozenset[str], log: Log) -> "Screens":
        """Return the screens; the base name comes from the first image name of the log, or from the folder's name."""
        bare = PurePosixPath(log.rounds[0].image.replace("\\", "/")).name
        base, _, number = _SUFFIX.sub("", bare).rpartition("_")
        return cls(folder, names, base if base and number.isdigit() else folder.root.name)

    def screen(self, number: int, expected: bool = True) -> Screen:
        """Return the screen before round ``number``; without observation where nothing of it is there.

        Raises:
            UnsafeXmlError: Its dump holds entities or a document type.
            UnsafePathError: A file of it is a link out of the folder.
        """
        stem = f"{self.base}_{number}"
        tree, dump = self._dump(f"{stem}.xml", expected)
        pictures = [name for name in _pictures(stem) if name in self.names]
        screenshot = self.folder.screenshot(pictures[0]) if pictures else None
        if tree is None and screenshot is None:
            if expected:
                self.notices.append(f"screen {number} is missing")
                self.gaps.add(Gap.UNREADABLE_OBSERVATION)
            return Screen(None, None)
        return Screen(Observation(ui_tree=tree, screenshot=screenshot), dump)

    def _dump(self, name: str, expected: bool) -> tuple[str | None, Node | None]:
        if name not in self.names:
            return None, None
        tree = self.folder.text(name)
        try:
            if tree is None:
                raise BadRunError("the UI dump is empty or cannot be read")
            return tree, read_dump(tree)
        except UnsafeXmlError as error:
            raise error.at(where=name) from None
        except BadRunError as error:
            self.notices.append(f"{name}: {error.problem}")
            if expected:
                self.gaps.add(Gap.UNREADABLE_OBSERVATION)
            return None, None


def _pictures(stem: str) -> Iterator[str]:
    return (f"{stem}{kind}.png" for kind in ("", "_labeled", "_grid"))
