"""Reading session files of Claude Code."""

from collections.abc import Iterator, Sequence
from itertools import chain

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.errors import EmptyError, IntakeError, IntakeFailure
from tracewitness.intake.formats.claude_code.lines import Session, SessionLine, read_lines, segments, subagent_names
from tracewitness.intake.formats.claude_code.split import session_turns
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.untyped import text_of


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the run of a session; several where the user began anew in it.

    Raises:
        IntakeError: Nothing of the file can be read.
    """
    session = read_lines(candidate.path, candidate.name, options.limits)
    told = [lines for lines in segments(session.lines) if any(line.speaks for line in lines)]
    if not told:
        raise EmptyError("no messages in the session", "leave the file out")
    path = candidate.path.absolute()
    stem = path.name.split(".", 1)[0]
    for number, lines in enumerate(told, 1):
        run_id = f"{path.parent.name}/{stem}" + (f"-{number}" if len(told) > 1 else "")
        try:
            yield _sealed(lines, session, run_id, candidate, options)
        except IntakeError as error:
            if len(told) == 1:
                raise
            yield error.at(candidate.name, lines[0].where).failure(run_id)


def _sealed(
    lines: Sequence[SessionLine], session: Session, run_id: str, candidate: Candidate, options: ReadOptions
) -> SealedRun:
    folder = RunFolder(candidate.path.parent, options.limits)
    pictures = ChatPictures(folder)
    told = session_turns(lines, lambda agent_id: _subagent(agent_id, candidate, folder, options), pictures)
    version = next((found for line in lines if (found := text_of(line.value.get("version")))), "")
    model = next((found for line in lines if (found := text_of(line.message.get("model")))), None)
    return seal_conversation(
        split_turns(told.turns, finish_kinds=options.finish_kinds),
        run_id,
        Origin(candidate.name, "claude_code", version, "/".join(sorted(session.encodings)), model),
        options,
        task="\n\n".join(dict.fromkeys(told.asked)) or None,
        harness=_harness(lines),
        gaps=[*session.gaps, *pictures.gaps()],
        stripped=told.stripped,
        notices=pictures.notices(),
    )


def _harness(lines: Sequence[SessionLine]) -> HarnessStatus | None:
    """Return how the program ended, which it says at the end of its output as a stream; None where it says nothing."""
    ended = [text_of(line.value.get("subtype")) for line in lines if line.value.get("type") == "result"]
    if not ended or not ended[-1].startswith("error"):
        return None
    return HarnessStatus.STEP_LIMIT if "max_turns" in ended[-1] else HarnessStatus.ERROR


def _subagent(agent_id: str, candidate: Candidate, folder: RunFolder, options: ReadOptions) -> Sequence[SessionLine]:
    """Return the lines of a subagent from its file: beside the session, or in its folder of subagents."""
    for name in subagent_names(candidate.path, agent_id):
        try:
            path = folder.locate(name)
            found = read_lines(path, name, options.limits)
        except IntakeError:
            continue
        return tuple(SessionLine(f"{name}, {line.where}", line.value) for line in chain(found.lines) if not line.clears)
    return ()
