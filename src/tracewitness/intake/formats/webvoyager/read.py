"""Reading task folders of WebVoyager."""

import re
from collections.abc import Iterator, Sequence

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate, Shape, names_in
from tracewitness.intake.chats.chat_completions import is_message, turns
from tracewitness.intake.chats.dialect import Placed
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.errors import BadRunError, IntakeFailure
from tracewitness.intake.formats.webvoyager.detect import LOG
from tracewitness.intake.formats.webvoyager.split import Screens, acted
from tracewitness.intake.grammars.choosing import with_grammar
from tracewitness.intake.grammars.grammar import Grammar
from tracewitness.intake.grammars.webvoyager import opening, parse
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.sealed import Origin, SealedRun
from tracewitness.intake.sealing import seal_conversation
from tracewitness.intake.sidecar import task_beside
from tracewitness.intake.turn_split import split_turns
from tracewitness.intake.untyped import list_of, object_of

_GRAMMAR = Grammar("WebVoyager", parse, opening)
_NUMBER = re.compile(r"screenshot(\d{1,6})\.png$")


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the run of a task folder, or of the messages in it.

    Raises:
        IntakeError: The messages cannot be read.
    """
    root = candidate.path if candidate.shape is Shape.FOLDER else candidate.path.parent
    folder = RunFolder(root, options.limits)
    log = candidate if candidate.shape is not Shape.FOLDER else Candidate(folder.locate(LOG), LOG, candidate.limits)
    messages = [
        Placed(f"messages[{at}]", object_of(one)) for at, one in enumerate(list_of(log.document)) if is_message(one)
    ]
    if not messages:
        raise BadRunError("no messages in it", f"name a folder with {LOG}")
    spoken = with_grammar(turns(messages, ChatPictures(folder)), known=_GRAMMAR)
    names = names_in(root, candidate.name)
    screens = Screens(folder, names)
    told = split_turns(acted(spoken.turns, screens), task=spoken.task, finish_kinds=options.finish_kinds)
    yield seal_conversation(
        told,
        "/".join(root.absolute().parts[1:][-2:]),  # each experiment has folders of the same tasks
        Origin(candidate.name, "webvoyager", "", log.encoding, "WebVoyager"),
        options,
        task=spoken.task or task_beside(log.path),
        start_url=spoken.start_url,
        gaps=_gaps(screens, messages, list_of(log.document)),
        stripped=spoken.stripped,
        notices=tuple(filter(None, (missing_notice("screenshot", screens.missing), _extra(names, screens.shown)))),
    )


def _gaps(screens: Screens, messages: Sequence[Placed], document: Sequence[object]) -> list[Gap]:
    unread = [Gap.UNREADABLE_OBSERVATION] if screens.missing else []
    return [*unread, *([Gap.MISSING_STEPS] if len(messages) < len(document) else [])]


def _extra(names: frozenset[str], shown: int) -> str | None:
    """Return the notice for a screenshot behind the last observation: the step after it was not written down."""
    behind = [int(found.group(1)) for name in names if (found := _NUMBER.match(name)) and int(found.group(1)) > shown]
    return f"screenshot{min(behind)}.png and those behind it have no message" if behind else None
