"""The stack and the memo on which a pickle works, with a bound on how much is made."""

from typing import Any

from tracewitness.intake.errors import BadPickleError, TooLargeError, UnsafePickleError
from tracewitness.intake.pickles.globals import LONGEST_NAME, Standing, standing_of
from tracewitness.intake.pickles.source import Source
from tracewitness.intake.pickles.values import Array, Global

MADE = 1_500_000
"""Most objects, lists and the like; the parts of a list from which another is made count each time."""

LEAVE_OUT = "leave the file out"


class Workspace:
    """Stack and memo.

    Attributes:
        source: Where instructions and literals are read from.
        stack: What stands above the last mark.
        fresh: The array that has just got its bytes.
        unknown: Names of classes that are no known data.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.stack: list[Any] = []
        self.fresh: Array | None = None
        self.unknown: dict[str, None] = {}
        self._below: list[list[Any]] = []
        self._memo: dict[int, Any] = {}
        self._globals: dict[tuple[str, str], Global] = {}
        self._made = 0

    def pop(self) -> Any:
        """Take the top off the stack."""
        if not self.stack:
            raise BadPickleError("takes a value where there is none", LEAVE_OUT)
        return self.stack.pop()

    def top(self) -> Any:
        """Return the top of the stack."""
        if not self.stack:
            raise BadPickleError("takes a value where there is none", LEAVE_OUT)
        return self.stack[-1]

    def push_new(self, value: Any) -> None:
        """Put a new object on the stack."""
        self.count(1)
        self.stack.append(value)

    def count(self, made: int) -> None:
        """Count what is made."""
        self._made += made
        if self._made > MADE:
            raise TooLargeError(f"makes more than {MADE} objects", LEAVE_OUT)

    def mark(self) -> None:
        """Begin a group."""
        self.count(1)
        self._below.append(self.stack)
        self.stack = []

    def marked(self) -> list[Any]:
        """Take a group off the stack with its mark, and return it."""
        if not self._below:
            raise BadPickleError("ends a group that was not begun", LEAVE_OUT)
        items, self.stack = self.stack, self._below.pop()
        return items

    def remember(self, index: int | None = None) -> None:
        """Put the top of the stack into the memo, at the next place by default."""
        self._memo[len(self._memo) if index is None else index] = self.top()

    def recall(self, index: int) -> None:
        """Put a part of the memo on the stack."""
        if index not in self._memo:
            raise BadPickleError(f"refers to part {index}, which is not there", LEAVE_OUT)
        self.stack.append(self._memo[index])

    def name(self, module: Any, name: Any) -> None:
        """Put the name of a class or function on the stack.

        Raises:
            UnsafePickleError: Only an attack would name it.
        """
        if not isinstance(module, str) or not isinstance(name, str) or len(module) + len(name) > LONGEST_NAME:
            raise BadPickleError("the name of a class that is no name", LEAVE_OUT)
        found = self._globals.get((module, name))
        if found is None:
            found = self._globals[module, name] = self._judged(Global(module, name))
        self.stack.append(found)

    def _judged(self, one: Global) -> Global:
        standing = standing_of(one)
        if standing is Standing.REFUSED:
            problem = f"the pickle would run {one.path}, which no log does; nothing of it was run"
            raise UnsafePickleError(problem, "do not open it with Python; delete it or ask who wrote it")
        if standing is Standing.UNKNOWN:
            self.unknown[one.path] = None
        return one
