"""An extractor whose trace has the text of its screenshots, read off each picture once."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tracewitness.asking.dialogue import Dialogue
from tracewitness.auditing.readers import EvidenceExtractor, Maker
from tracewitness.findings.evidence_causes import Notice
from tracewitness.findings.labels import TaskClass
from tracewitness.store.record import KeptAnswer, ProseSide
from tracewitness.store.store import Store
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.misreadings import doubt_absence
from tracewitness.trace_side.redacting import known_passwords
from tracewitness.trace_side.screen_text import ScreenReader, with_screen_text
from tracewitness.trace_side.trace import Trace
from tracewitness.values.digests import Digest, digest_bytes, digest_json
from tracewitness.values.redaction import redact

NOTATION = "screen-text/1"
"""How text that was read off screens is written down."""

_HELD_TEXTS = 10_000


class WithScreenText:
    """Hands an extractor the trace with the text of its screenshots, and says so in the finding.

    Args:
        extractor: The extractor.
        reader: Reads the text off pictures.
        store: Where the texts are kept, so that no later start reads a screenshot twice; None to keep them in memory.
    """

    def __init__(self, extractor: EvidenceExtractor, reader: ScreenReader, store: Store | None = None) -> None:
        self._extractor = extractor
        self._texts = ScreenTexts(reader, store)
        inner = extractor.maker
        digest = digest_json([inner.digest, reader.name, reader.version, NOTATION])
        self._maker = replace(inner, name=f"{inner.name}+{reader.name}", digest=digest)

    @property
    def maker(self) -> Maker:
        """Return who it is: the extractor and the reader."""
        return self._maker

    def extract(
        self, task: Task, goals: Sequence[Goal], task_class: TaskClass, trace: Trace, exhibits: Exhibits
    ) -> Dialogue[Extraction]:
        """Extract the evidence from the trace with the text of its screenshots."""
        worded = with_screen_text(trace, exhibits.pictures, self._texts.of_run(trace))
        extraction = yield from self._extractor.extract(task, goals, task_class, worded.trace, exhibits)
        if not worded.worded:
            return extraction
        finding = doubt_absence(extraction.finding, goals, worded.trace)
        notices = tuple(dict.fromkeys((*finding.notices, Notice.TEXT_BY_OCR)))
        return replace(extraction, finding=replace(finding, notices=notices), trace=worded.trace)


class ScreenTexts:
    """The texts of pictures, each read once and without its secrets. Safe to share between threads.

    Args:
        reader: Reads the pictures.
        store: Where the texts are kept; None to keep them in memory alone.
    """

    def __init__(self, reader: ScreenReader, store: Store | None = None) -> None:
        self.reader = reader
        self._store = store
        self._held: OrderedDict[Digest, str | None] = OrderedDict()
        self._lock = threading.Lock()

    def of_run(self, trace: Trace) -> ScreenReader:
        """Return the reader for the screens of a trace."""
        return _OfRun(self, known_passwords(trace))

    def read(self, picture: bytes, passwords: tuple[str, ...]) -> str | None:
        """Return the text of a picture.

        Args:
            picture: Its bytes.
            passwords: What was typed as a password; a text that shows one is held in memory and never stored.
        """
        key = digest_json([NOTATION, self.reader.name, self.reader.version, digest_bytes(picture)])
        with self._lock:
            if key not in self._held:
                self._held[key] = self._stored_or_read(key, picture, passwords)
            self._held.move_to_end(key)
            if len(self._held) > _HELD_TEXTS:
                self._held.popitem(last=False)
            return self._held[key]

    def _stored_or_read(self, key: Digest, picture: bytes, passwords: tuple[str, ...]) -> str | None:
        kept = self._store.get_answer(key) if self._store is not None else None
        if kept is not None:
            return kept.raw
        read = self.reader.read(picture)
        text = redact(read).text if read is not None else None
        if self._store is not None and text is not None and redact(text, passwords).text == text:
            maker = f"{self.reader.name} {self.reader.version}"
            self._store.put_answer(KeptAnswer(key, ProseSide.TRACE, maker, text))
        return text


@dataclass(frozen=True, slots=True)
class _OfRun:
    """The reader for the screens of one trace."""

    texts: ScreenTexts
    passwords: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the name of the reader."""
        return self.texts.reader.name

    @property
    def version(self) -> str:
        """Return the version of the reader."""
        return self.texts.reader.version

    def read(self, picture: bytes) -> str | None:
        """Return the text of a picture."""
        return self.texts.read(picture, self.passwords)
