"""The machine that runs a pickle: opcodes that build plain data and stubs, and no other."""

from collections.abc import Iterator
from typing import Any

from tracewitness.intake.errors import TooLargeError
from tracewitness.intake.pickles.literals import LITERALS
from tracewitness.intake.pickles.opcodes import OPCODES, refusal
from tracewitness.intake.pickles.source import Source
from tracewitness.intake.pickles.values import Array
from tracewitness.intake.pickles.workspace import LEAVE_OUT, Workspace

OPERATIONS = 8_000_000
"""Most opcodes of a pickle: a run of fifty steps with a screen of a hundred elements each has some 300,000."""

_STOP = ord(".")


class PickleMachine:
    """Runs one pickle.

    Attributes:
        value: What the pickle holds, once :meth:`run` has ended.
        unknown: The names that it holds of classes that are no known data; their objects are kept as stubs.
    """

    def __init__(self, source: Source) -> None:
        self.value: Any = None
        self._source = source
        self._work = Workspace(source)
        self.unknown = self._work.unknown

    def run(self) -> Iterator[Array]:
        """Yield every array as soon as it has its bytes.

        Raises:
            BadPickleError: The pickle is damaged, or uses what no log needs.
            UnsafePickleError: It names what only an attack would.
            TooLargeError: It is larger than what is read.
        """
        source, work = self._source, self._work
        for _ in range(OPERATIONS):
            code = source.byte()
            literal = LITERALS.get(code)
            if literal is not None:
                work.stack.append(literal(source))
                continue
            if code == _STOP:
                self.value = work.pop()
                source.rest()
                return
            opcode = OPCODES.get(code)
            if opcode is None:
                raise refusal(code)
            opcode(work)
            if work.fresh is not None:
                array, work.fresh = work.fresh, None
                yield array
                if array.content is None:  # whoever asked has let the bytes go
                    source.keep(-array.room)
        raise TooLargeError(f"more than {OPERATIONS} instructions", LEAVE_OUT)
