"""Reading the chats of a file in a dialect: one document, messages by line, or conversations by line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.chats.dialect import Dialect, Placed
from tracewitness.intake.chats.dumps import Chat, Merging, chats_in, exchange
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, IntakeFailure
from tracewitness.intake.grammars.choosing import with_grammar
from tracewitness.intake.grammars.grammar import Grammar
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, lines_of, parse_json
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.untyped import object_of


@dataclass(slots=True)
class _Read:
    """What was found out while a file was read."""

    encoding: str = "utf-8"
    gaps: list[Gap] = field(default_factory=list[Gap])
    met: bool = False


def read_chats(
    candidate: Candidate, options: ReadOptions, dialect: Dialect, grammars: tuple[Grammar, ...] | None = None
) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file; of conversations by line as they come.

    Agents that write their actions as text are read by the grammars that are known, or by those that are given.

    Raises:
        IntakeError: Nothing of the file can be read.
    """
    read = _Read()
    lines = candidate.shape is Shape.JSON_LINES
    found = _by_line(candidate, dialect, read) if lines else _in_document(candidate, dialect, read)
    for chat in found:
        read.met = True
        if isinstance(chat, IntakeFailure):
            yield chat
            continue
        run_id = _run_id(candidate, chat)
        try:
            yield _sealed(chat, run_id, read, candidate, options, dialect, grammars)
        except IntakeError as error:
            if not chat.place:
                raise
            yield error.at(candidate.name, chat.place).failure(run_id)
    if not read.met:
        raise EmptyError("no messages in it", "name a file that holds a conversation")


def _in_document(candidate: Candidate, dialect: Dialect, read: _Read) -> Iterator[Chat]:
    chats = chats_in(candidate.document, dialect)
    read.encoding = candidate.encoding
    if len(chats) == 1:
        chats[0].place = ""
    yield from chats


def _by_line(candidate: Candidate, dialect: Dialect, read: _Read) -> Iterator[Chat | IntakeFailure]:
    """Yield the conversations of lines; messages by line are one, and a line of it that is damaged is a gap."""
    whole: list[Placed] = []
    merging = Merging()
    failures: list[IntakeFailure] = []
    for line in lines_of(candidate.path, candidate.limits):
        place = f"line {line.number}"
        try:
            text = decode(line.content, candidate.name)
            value: Any = parse_json(text.text, line.number)
        except IntakeError as error:
            read.gaps.append(Gap.MISSING_STEPS if line.ended else Gap.LOG_CUT_OFF)
            failures.append(error.at(candidate.name, place).failure())
            continue
        read.encoding = text.encoding if text.encoding != "utf-8" else read.encoding
        if dialect.is_message(value):
            whole.append(Placed(place, object_of(value)))
            continue
        found = _on_line(value, place, dialect)
        if whole and not found:
            read.gaps.append(Gap.MISSING_STEPS)
        for one in found:
            yield from merging.add(one)
    if whole:
        yield Chat("", whole)
    else:
        read.gaps.clear()
        yield from failures
    yield from merging.end()


def _on_line(value: Any, place: str, dialect: Dialect) -> list[Chat]:
    if isinstance(value, list):
        return [Chat(place, one.messages) for one in chats_in(value, dialect)]
    found = exchange(object_of(value), place, dialect)
    return [found] if found.messages else []


def _run_id(candidate: Candidate, chat: Chat) -> str:
    path = candidate.path.absolute()
    stem = path.name.split(".", 1)[0] or path.name
    number = chat.place.removeprefix("line ").replace("[", "-").replace("]", "").replace(".", "-").strip("-")
    return f"{path.parent.name}/{stem}-{number}" if number else f"{path.parent.name}/{stem}"


def _sealed(
    chat: Chat,
    run_id: str,
    read: _Read,
    candidate: Candidate,
    options: ReadOptions,
    dialect: Dialect,
    grammars: tuple[Grammar, ...] | None,
) -> SealedRun:
    if chat.refused:
        raise BadRunError(chat.refused, "dump the whole list of requests with their responses")
    pictures = ChatPictures(RunFolder(candidate.path.parent, options.limits))
    spoken = with_grammar(dialect.turns(chat.messages, pictures), grammars)
    told = split_turns(spoken.turns, task=spoken.task, finish_kinds=options.finish_kinds)
    return seal_conversation(
        told,
        run_id,
        Origin(candidate.name, dialect.name, spoken.grammar or "calls", read.encoding, chat.model or None),
        options,
        task=told.task or task_beside(candidate.path),
        start_url=spoken.start_url,
        gaps=[*read.gaps, *pictures.gaps()],
        stripped=[*chat.stripped, *spoken.stripped],
        notices=(*pictures.notices(), *spoken.notices),
    )
