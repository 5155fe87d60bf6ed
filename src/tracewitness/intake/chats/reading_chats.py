"""Reading the chats of a file in a dialect: one document, messages by line, or conversations by line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.chats.dialect import Dialect, Placed
from tracewitness.intake.chats.dumps import Chat, chats_in, exchange, merged
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.errors import BadRunError, EmptyError, IntakeError, IntakeFailure
from tracewitness.intake.grammars.choosing import GRAMMARS, Grammar, with_grammar
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode, lines_of, parse_json
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.untyped import object_of


@dataclass(slots=True)
class _Lines:
    """What was read of a file of lines."""

    messages: list[Placed] = field(default_factory=list[Placed])
    exchanges: list[Chat] = field(default_factory=list[Chat])
    failures: list[IntakeFailure] = field(default_factory=list[IntakeFailure])
    gaps: list[Gap] = field(default_factory=list[Gap])
    encodings: set[str] = field(default_factory=set[str])


def read_chats(
    candidate: Candidate, options: ReadOptions, dialect: Dialect, grammars: tuple[Grammar, ...] = GRAMMARS
) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a file.

    A format of your own for agents that write their actions in another way is one call of this with ``grammars``.

    Raises:
        IntakeError: Nothing of the file can be read.
    """
    if candidate.shape is Shape.JSON_LINES:
        lines = _read_lines(candidate, dialect)
        yield from lines.failures
        whole = [Chat("", lines.messages)] if lines.messages else []
        chats, gaps, encoding = [*whole, *merged(lines.exchanges)], lines.gaps, "/".join(sorted(lines.encodings))
    else:
        chats, gaps, encoding = chats_in(candidate.document, dialect), [], candidate.encoding
    if not chats:
        raise EmptyError("no messages in it", "name a file that holds a conversation")
    origin = Origin(candidate.name, dialect.name, "", encoding)
    for chat in chats:
        run_id = _run_id(candidate, chat, len(chats) > 1)
        try:
            yield _sealed(chat, run_id, origin, candidate, options, dialect, grammars, gaps)
        except IntakeError as error:
            if len(chats) == 1:
                raise
            yield error.at(candidate.name, chat.place).failure(run_id)


def _read_lines(candidate: Candidate, dialect: Dialect) -> _Lines:
    read = _Lines()
    for line in lines_of(candidate.path, candidate.limits):
        place = f"line {line.number}"
        try:
            text = decode(line.content, candidate.name)
            value: Any = parse_json(text.text, line.number)
        except IntakeError as error:
            if line.ended and not read.messages:
                read.failures.append(error.at(candidate.name, place).failure())
            read.gaps.append(Gap.MISSING_STEPS if line.ended else Gap.LOG_CUT_OFF)
            continue
        read.encodings.add(text.encoding)
        if dialect.is_message(value):
            read.messages.append(Placed(place, object_of(value)))
        elif isinstance(value, list):
            read.exchanges += [Chat(place, one.messages) for one in chats_in(value, dialect)]
        else:
            found = exchange(object_of(value), place, dialect)
            read.exchanges += [found] if found.messages else []
            if not found.messages and read.messages:
                read.gaps.append(Gap.MISSING_STEPS)
    return read


def _run_id(candidate: Candidate, chat: Chat, several: bool) -> str:
    path = candidate.path.absolute()
    stem = path.name.split(".", 1)[0] or path.name
    number = chat.place.removeprefix("line ").replace("[", "-").replace("]", "").replace(".", "-").strip("-")
    return f"{path.parent.name}/{stem}-{number}" if several else f"{path.parent.name}/{stem}"


def _sealed(
    chat: Chat,
    run_id: str,
    origin: Origin,
    candidate: Candidate,
    options: ReadOptions,
    dialect: Dialect,
    grammars: tuple[Grammar, ...],
    gaps: list[Gap],
) -> SealedRun:
    if chat.refused:
        raise BadRunError(chat.refused, "dump the whole list of requests with their responses")
    pictures = ChatPictures(RunFolder(candidate.path.parent, options.limits))
    spoken = with_grammar(dialect.turns(chat.messages, pictures), grammars)
    told = split_turns(spoken.turns, task=spoken.task, finish_kinds=options.finish_kinds)
    return seal_conversation(
        told,
        run_id,
        Origin(origin.path, origin.format_name, spoken.grammar or "calls", origin.encoding, chat.model or None),
        options,
        task=told.task or task_beside(candidate.path),
        start_url=spoken.start_url,
        gaps=[*gaps, *pictures.gaps()],
        stripped=[*chat.stripped, *spoken.stripped],
        notices=pictures.notices(),
    )
