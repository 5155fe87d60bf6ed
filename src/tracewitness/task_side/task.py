"""The task plane of a run."""

import re
from dataclasses import dataclass

from tracewitness.findings.labels import TaskClass
from tracewitness.language.folding import tidy
from tracewitness.values.digests import Digest, digest_text
from tracewitness.values.folding import fold

READ_LENGTH = 8_000
"""Characters of an instruction that are read for its class and its parts; what follows is named as not read."""

_LONGEST_WORD = 200
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Task:
    """What was asked.

    Attributes:
        instruction: The instruction, verbatim.
        app: The app it concerns, where the log says so.
        start_url: The page the run starts on, where the log says so.
        locale: A locale such as ``de-DE``, where the log says so.
        given_class: A class set by the run file; it overrides the frozen rule.
    """

    instruction: str
    app: str | None = None
    start_url: str | None = None
    locale: str | None = None
    given_class: TaskClass | None = None

    @property
    def key(self) -> Digest:
        """The digest of its words: equal for instructions that differ in case, spacing and punctuation alone."""
        return digest_text(" ".join(_WORDS.findall(fold(self.instruction))) or self.instruction)

    @property
    def is_cut(self) -> bool:
        """Whether the instruction is longer than what is read of it."""
        return len(self.instruction) > READ_LENGTH

    @property
    def read_part(self) -> str:
        """The instruction, tidied, or as much of a very long one as is read: up to a space, so that no word is cut."""
        if not self.is_cut:
            return tidy(self.instruction)
        start = self.instruction[:READ_LENGTH]
        tail = start[-_LONGEST_WORD:]
        last_word = len(tail.split()[-1]) if tail.split() else 0
        return tidy(start[: len(start) - last_word] if last_word < len(tail) else start)
