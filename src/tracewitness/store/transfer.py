"""A whole store as JSON Lines, out and in.

The first line names the form and its version. Then come kept texts, records and model answers, each kind in the order
of its keys, one object per line with the digest of its content; the last line counts them and carries the digest of
everything before it. So equal stores give equal bytes, and a line that was changed, lost, added or moved is seen. The
import is one transaction: it takes a whole file or nothing. Records that are already there are left as they are.
"""

import hashlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NoReturn, Protocol

from sqlalchemy import Connection, Executable, select

from tracewitness.store.codec import decode, encode
from tracewitness.store.connecting import guarded, reading, writing
from tracewitness.store.errors import RecordError, StoreUnreadableError, TransferError
from tracewitness.store.record import Prose, ProseSide, body_of, prose_refs, record_from
from tracewitness.store.rows import answer_from, answer_row, audit_row, load_object
from tracewitness.store.schema import ANSWERS, AUDITS, EVIDENCE
from tracewitness.store.store import Store, insert_absent, insert_audit, insert_texts, read_texts
from tracewitness.store.texts import from_stored
from tracewitness.values.digests import Digest, canonical_json, digest_text

FORM = "tracewitness-store"
FORM_VERSION = 1
_PAGE = 500


class TextSink(Protocol):
    """Where lines go."""

    def write(self, text: str, /) -> object:
        """Take a text."""
        ...


@dataclass(slots=True)
class TransferCount:
    """How many of each kind went through; on import ``new_audits`` of the audits were not there before."""

    evidence: int = 0
    audits: int = 0
    answers: int = 0
    new_audits: int = 0


def export_jsonl(store: Store, target: str | Path | TextSink) -> TransferCount:
    """Write a whole store as JSON Lines (ASCII only, line feeds), from one consistent view.

    Args:
        store: The store.
        target: A path, which is written anew, or an open text stream.

    Raises:
        StoreUnreadableError: The path cannot be written, or the database cannot be read.
        StoreLockedError: Another process holds the store for too long.
        RecordError: A stored record is damaged; nothing of a damaged store is passed on as whole.
    """
    if not isinstance(target, str | Path):
        return _export(store, target)
    with _open(target, "w") as sink:
        return _export(store, sink)


def import_jsonl(store: Store, source: str | Path | Iterable[str]) -> TransferCount:
    """Read an export into a store, all of it or nothing.

    Args:
        store: The store, fresh or in use.
        source: A path, or lines (an open text stream).

    Raises:
        TransferError: A line is not what the export wrote; the text names the line.
        StoreUnreadableError: The path cannot be read, or the database cannot be written.
        StoreLockedError: Another process holds the store for too long.
    """
    if not isinstance(source, str | Path):
        return _import(store, source)
    with _open(source, "r") as lines:
        return _import(store, lines)


@contextmanager
def _open(path: str | Path, mode: str) -> Generator[IO[str]]:
    try:
        # Bytes that are not ASCII become surrogates on reading, and are refused with their line.
        with open(path, mode, encoding="ascii", errors="surrogateescape", newline="\n") as opened:
            yield opened
    except OSError as problem:
        verb = "written" if mode == "w" else "read"
        raise StoreUnreadableError(f"{path}: cannot be {verb}: {problem.strerror}") from problem


@dataclass(slots=True)
class _Seal:
    """The running count and digest of the lines of a file."""

    lines: int = 0
    hash: Any = field(default_factory=hashlib.sha256)

    def add(self, line: str) -> None:
        self.lines += 1
        self.hash.update(line.encode("utf-8", "surrogatepass") + b"\n")

    def end_line(self) -> str:
        """Return the last line of the file."""
        return canonical_json({"kind": "end", "lines": self.lines, "digest": f"sha256:{self.hash.hexdigest()}"})


def _export(store: Store, sink: TextSink) -> TransferCount:
    seal, count = _Seal(), TransferCount()
    with guarded(store.place), reading(store.engine) as connection:
        for line in _lines(connection, count):
            seal.add(line)
            sink.write(line + "\n")
    sink.write(seal.end_line() + "\n")
    return count


def _header() -> str:
    return canonical_json({"kind": "header", "form": FORM, "version": FORM_VERSION})


def _lines(connection: Connection, count: TransferCount) -> Iterator[str]:
    yield _header()
    for row in _rows(connection, select(EVIDENCE).order_by(EVIDENCE.c.digest, EVIDENCE.c.side)):
        kept = Prose(Digest(row.digest), ProseSide(row.side), from_stored(row.text))
        if digest_text(kept.text) != kept.digest:
            raise RecordError(f"the kept text {kept.digest} is damaged; run `tracewitness store verify`")
        count.evidence += 1
        yield canonical_json({"kind": "evidence", **encode(kept)})
    in_order = select(AUDITS.c.body_digest, AUDITS.c.body).order_by(AUDITS.c.audited_at, AUDITS.c.record_id)
    for digest, body in _rows(connection, in_order):
        count.audits += 1
        yield _body_line("audit", digest, body)
    for digest, body in _rows(
        connection, select(ANSWERS.c.answer_digest, ANSWERS.c.body).order_by(ANSWERS.c.cache_key)
    ):
        count.answers += 1
        yield _body_line("answer", digest, body)


def _rows(connection: Connection, query: Executable) -> Iterator[Any]:
    yield from connection.execution_options(yield_per=_PAGE).execute(query)


def _body_line(kind: str, digest: str, body: str) -> str:
    if digest_text(body) != digest:
        raise RecordError(f"a stored {kind} is damaged ({digest}); run `tracewitness store verify`")
    return canonical_json({"kind": kind, "digest": digest, "body": load_object(body)})


def _import(store: Store, source: Iterable[str]) -> TransferCount:
    seal, count, ended = _Seal(), TransferCount(), False
    with guarded(store.place), writing(store.engine, synced=True) as connection:
        for number, raw in enumerate(source, start=1):
            line = raw.removesuffix("\n")
            if ended:
                raise TransferError(number, "a line after the last line")
            ended = _take(connection, number, line, seal, count)
            seal.add(line)
        if not ended:
            raise TransferError(seal.lines + 1, "the file ends before its last line; it was cut off")
    return count


def _take(connection: Connection, number: int, line: str, seal: _Seal, count: TransferCount) -> bool:
    """Take one line into the database, and return whether it is the last."""
    content = _content(number, line)
    kind = content.pop("kind", None)
    if number == 1:
        _check_header(kind, content)
        return False
    if kind == "end":
        if line != seal.end_line():
            raise TransferError(number, "lines were changed, lost, added or moved since the export")
        return True
    if (taker := _TAKERS.get(str(kind))) is None:
        raise TransferError(number, "not a kept text, a record, an answer or the last line")
    try:
        taker(connection, content, count)
    except (ValueError, TypeError, RecordError) as problem:
        raise TransferError(number, f"changed since the export: {problem}") from problem
    return False


def _content(number: int, line: str) -> dict[str, Any]:
    try:
        content = load_object(line)
        untouched = canonical_json(content) == line
    except ValueError:
        raise TransferError(number, "not a JSON object; the line is damaged") from None
    if not untouched:
        raise TransferError(number, "changed since the export: not in the form that an export has")
    return content


def _check_header(kind: object, content: dict[str, Any]) -> None:
    version = content.get("version")
    if kind != "header" or content.get("form") != FORM or not isinstance(version, int):
        raise TransferError(1, f"not an export of a store; expected a first line with `{FORM}`")
    if version != FORM_VERSION:
        raise TransferError(1, f"an export of form {version}, this version reads {FORM_VERSION}; upgrade tracewitness")


def _take_evidence(connection: Connection, content: dict[str, Any], count: TransferCount) -> None:
    kept = decode(Prose, content)
    if digest_text(kept.text) != kept.digest:
        _mismatch()
    insert_texts(connection, [kept])
    count.evidence += 1


def _take_audit(connection: Connection, content: dict[str, Any], count: TransferCount) -> None:
    body = _body(content)
    refs = prose_refs(body)
    texts = read_texts(connection, set(refs))
    if missing := [digest for digest, side in refs if (digest, side) not in texts]:
        raise ValueError(f"the text {missing[0]} is not in the file")
    record = record_from(body, [Prose(digest, side, texts[digest, side]) for digest, side in refs])
    if body_of(record) != body:
        raise ValueError("not in the form that a record has")
    count.new_audits += insert_audit(connection, audit_row(record))
    count.audits += 1


def _take_answer(connection: Connection, content: dict[str, Any], count: TransferCount) -> None:
    answer = answer_from(canonical_json(_body(content)))
    insert_absent(connection, ANSWERS, [answer_row(answer)])
    count.answers += 1


def _body(content: dict[str, Any]) -> dict[str, Any]:
    body = content.get("body")
    if set(content) != {"digest", "body"} or not isinstance(body, dict):
        raise ValueError("expected a digest and a body")
    if digest_text(canonical_json(body)) != content["digest"]:
        _mismatch()
    found: dict[str, Any] = content["body"]
    return found


def _mismatch() -> NoReturn:
    raise ValueError("the content does not match its digest")


_TAKERS = {"evidence": _take_evidence, "audit": _take_audit, "answer": _take_answer}
