"""How a reader asks without holding a model: it yields questions and is handed the replies.

A reader that needs no model yields nothing. Because every question passes through a driver, one place can count,
record, cache or refuse them, and the synchronous and the asynchronous audit share one core.
"""

import asyncio
from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast

from tracewitness.asking.port import Answer, Askers, Question, Unavailable
from tracewitness.findings.causes import UnavailableCause

T = TypeVar("T")

Reply: TypeAlias = Answer | Unavailable
Dialogue: TypeAlias = Generator[tuple[Question, ...], tuple[Reply, ...], T]

_NOBODY = Unavailable(UnavailableCause.NOT_RECORDED, "no model is set up")


def settle(dialogue: Dialogue[T], askers: Askers) -> T:
    """Run a dialogue to its end. Starts an event loop only where a question is asked.

    Args:
        dialogue: The reader's dialogue.
        askers: The models to ask; where a side has none, its questions are answered with unavailable.

    Returns:
        What the dialogue returns.

    Raises:
        RuntimeError: A question is asked from inside a running event loop (use ``settle_async`` there).
    """
    try:
        questions = next(dialogue)
        while True:
            questions = dialogue.send(asyncio.run(_ask_all(questions, askers)))
    except StopIteration as ended:
        return ended.value


async def settle_async(dialogue: Dialogue[T], askers: Askers, *, apart: bool = False) -> T:
    """Run a dialogue to its end inside the running event loop; the questions of one round are asked together.

    Args:
        dialogue: The reader's dialogue.
        askers: The models to ask.
        apart: Run what the reader does between its questions in a thread, so that long work, such as reading the text
            off pictures, holds up no other run.
    """
    replies: tuple[Reply, ...] | None = None
    while True:
        taken = await asyncio.to_thread(_advance, dialogue, replies) if apart else _advance(dialogue, replies)
        if isinstance(taken, _Ended):
            return cast(T, taken.value)
        replies = await _ask_all(taken, askers)


@dataclass(frozen=True, slots=True)
class _Ended:
    """What a dialogue returned; an iterator's end itself cannot come out of a thread."""

    value: object


def _advance(dialogue: Dialogue[T], replies: tuple[Reply, ...] | None) -> tuple[Question, ...] | _Ended:
    try:
        return next(dialogue) if replies is None else dialogue.send(replies)
    except StopIteration as ended:
        return _Ended(ended.value)


async def _ask_all(questions: tuple[Question, ...], askers: Askers) -> tuple[Reply, ...]:
    return tuple(await asyncio.gather(*(_ask(question, askers) for question in questions)))


async def _ask(question: Question, askers: Askers) -> Reply:
    asker = askers.of(question.side)
    if asker is None:
        return _NOBODY
    try:
        return await asker.ask(question)
    except Exception as error:
        # The kind of error alone: its message may quote the question.
        return Unavailable(UnavailableCause.INTERNAL, f"the model's client failed: {type(error).__name__}")
