"""Which grammar a conversation is in whose agent writes its actions as text, and its turns with them as calls.

A grammar is told by content: the one by which most turns of the agent are actions. Packages bring others through the
entry point group ``tracewitness.grammars``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tracewitness.intake.grammars.grammar import (
    Grammar,
    GrammarFailedError,
    known_grammars,
    opened_by,
    parsed_by,
)
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.turns import Speaker, Turn

_MOST = 200
"""Turns of the agent by which a grammar is told."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The turns of a conversation with the actions in its texts as calls.

    Attributes:
        turns: The turns.
        grammar: The name of the grammar; empty where the agent calls tools, or does not act.
        task: The instruction where the first words of the user hold more; the turns are without it then.
        start_url: The page that the first words of the user name.
        stripped: What of the first words of the user is nobody's: what the agent did before.
        notices: The grammars that failed at the conversation, and were left out.
    """

    turns: Sequence[Turn]
    grammar: str = ""
    task: str | None = None
    start_url: str | None = None
    stripped: tuple[Stripped, ...] = field(default=())
    notices: tuple[str, ...] = ()


def with_grammar(
    turns: Sequence[Turn], grammars: Sequence[Grammar] | None = None, *, known: Grammar | None = None
) -> Spoken:
    """Return the turns with the actions that the agent wrote as text; as they are where it wrote none.

    A grammar that fails at a conversation is left out of it, and a notice says so.

    Args:
        turns: The turns.
        grammars: The grammars to choose from; by default all that are known.
        known: The grammar, for logs of a tool that has no other one, however much of them is damaged.
    """
    left, notices = list(known_grammars() if grammars is None else grammars), list[str]()
    while True:
        try:
            return replace(_with_grammar(turns, left, known), notices=tuple(notices))
        except GrammarFailedError as error:
            if error.grammar not in left:
                raise
            left.remove(error.grammar)
            notices.append(f"the text grammar {error.grammar.name!r} failed and is left out: {error.problem}")


def _with_grammar(turns: Sequence[Turn], grammars: Sequence[Grammar], known: Grammar | None) -> Spoken:
    grammar = known or chosen(turns, grammars)
    if grammar is None:
        return Spoken(turns)
    last = max((at for at, turn in enumerate(turns) if turn.speaker is Speaker.AGENT), default=-1)
    acted = [_acted(turn, grammar, at == last) for at, turn in enumerate(turns)]
    task, start_url, stripped = None, None, list[Stripped]()
    for at, turn in enumerate(acted):
        opening = opened_by(grammar, turn.text) if turn.speaker is Speaker.USER and turn.text.strip() else None
        if opening is None:
            continue
        acted[at] = replace(turn, speaker=Speaker.TOOL, text=opening.seen)
        task, start_url = task or opening.task or None, start_url or opening.start_url
        if opening.past:
            stripped.append(Stripped(f"{turn.where}.content", Plane.NARRATION, LeakRoute.ECHO, len(opening.past)))
    return Spoken(acted, grammar.name, task, start_url, tuple(stripped))


def chosen(turns: Sequence[Turn], grammars: Sequence[Grammar]) -> Grammar | None:
    """Return the grammar by which most turns of the agent are actions; None where it calls tools, or by none."""
    agent = [turn for turn in turns if turn.speaker is Speaker.AGENT and not turn.copied]
    if any(turn.calls for turn in agent):
        return None
    texts = [turn.text for turn in agent[:_MOST] if turn.speaks]
    best, most = None, 0
    for grammar in grammars:
        count = sum(_acts(grammar, text) for text in texts)
        if count > most:
            best, most = grammar, count
        if most == len(texts):
            break
    closes = best is not None and not _acts(best, texts[-1])  # the words with which an agent ends need not act
    return best if most * 2 > len(texts) - closes else None


def _acts(grammar: Grammar, text: str) -> bool:
    parsed = parsed_by(grammar, text)
    return parsed is not None and bool(parsed.calls)


def _acted(turn: Turn, grammar: Grammar, last: bool) -> Turn:
    """Return a turn with its actions as calls; words without any are thoughts, but for those that end the log."""
    if not turn.speaks:
        return turn
    parsed = parsed_by(grammar, turn.text)
    if parsed is None or not parsed.calls:
        return (
            turn
            if last
            else replace(turn, text="", spoke=False, reasoning="\n".join((turn.reasoning, turn.text)).strip())
        )
    return replace(turn, text=parsed.words, calls=parsed.calls)
