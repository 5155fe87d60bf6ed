"""Files that a task speaks of without asking for them: code that was changed, and the tests that ran afterwards."""

import posixpath
import re

from tracewitness.trace_side.course import Course
from tracewitness.trace_side.moves import Move, Played
from tracewitness.trace_side.scene import Element
from tracewitness.trace_side.signals import Sign
from tracewitness.trace_side.tool_calls import call_in
from tracewitness.values.folding import fold

_FILE = re.compile(r"(?<![\w@.:-])(?:[\w.-]+/)*([\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4})(?![\w/@-])")
_PASSED = re.compile(
    r"(?<![\w.])[1-9]\d* (?:tests? |specs? |checks? |examples? )?pass(?:ed|ing)\b|\ball (?:the )?tests? pass"
)
_NOT_PASSED = re.compile(r"(?<![\w.])[1-9]\d* (?:\w+ )?(?:fail|error)|\bfail(?:ed|ing|ures?)\b")
_PATH_KEYS = frozenset(
    {"path", "file_path", "filepath", "file", "filename", "file_name", "target_file", "notebook_path"}
)


def named_files(course: Course) -> frozenset[str]:
    """Return the files that the goal's words name, where it names no other object that the trace knows."""
    patterns = course.patterns
    if any(target.known for target in patterns.targets) or patterns.values:
        return frozenset()
    return frozenset(_FILE.findall(fold(patterns.goal.text)))


def last_write(course: Course) -> Played | None:
    """Return the last call that wrote one of the named files, where calls wrote all of them; else None."""
    files = named_files(course)
    writes = [(played, name) for played in course.played for name in _written(played) if name in files]
    return writes[-1][0] if files and frozenset(name for _, name in writes) == files else None


def _written(played: Played) -> frozenset[str]:
    call = call_in(played.step.action)
    if call is None or played.move is not Move.WRITE or played.step.error or not played.step.action.executed:
        return frozenset()
    paths = (value for key, value in call.arguments.items() if key.lower() in _PATH_KEYS and isinstance(value, str))
    return frozenset(posixpath.basename(fold(path)) for path in paths)


def tests_passed(course: Course, good: Sign | None) -> bool:
    """Return whether tests ran after the last write to the named files, and the result says that they passed."""
    written = last_write(course)
    if written is None or good is None or good.element is None or good.scene is None:
        return False
    return good.step > written.step.index and _says_passed(good.element)


def _says_passed(element: Element) -> bool:
    line = fold(element.line)
    return bool(_PASSED.search(line)) and not _NOT_PASSED.search(line)
