"""The last guard: does the report stand in the trace where it has no business?

Structural stripping decides what the trace holds; the guard only looks. It never edits the trace, because a trace that
depends on the report is exactly what must not exist: with an editing guard, another report would leave another trace,
and non-interference would be lost to the very thing that guards it. So what it finds is put beside the trace, as
notices and as ``SealedRun.quarantined``; such a run never gets PASS, and a FLAG stays a FLAG.

It looks at the parts of an action that a log's author or a converter could have filled with the agent's words: kind,
target and raw. Not suspicious is what the agent typed into the app (a shell command counts), what the environment
itself showed, and words of the task, which reports like to repeat. A pointer action names a widget, often by a long
label that a report then quotes; where the step holds no screenful of text to compare with, it is taken for the label.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tracewitness.intake.planes import Echo
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Action, Step
from tracewitness.values.folding import fold

WORDS = 8
"""A shared run of this many words is an echo; one word weighs as much as two characters of a script without spaces."""

_WEIGHT = 2 * WORDS
_SHORTEST = 16
_SCREENFUL = 300
_TOKENS = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W_]+")
_POINTING = ("click", "tap", "double", "long_press", "hover", "scroll", "swipe", "drag", "select", "check", "toggle")
_TYPING = (
    "type",
    "input",
    "fill",
    "enter",
    "write",
    "paste",
    "send_keys",
    "press",
    "set_text",
    "bash",
    "shell",
    "run_command",
)

_Run = tuple[str, ...]


def guarded(run: SealedRun) -> SealedRun:
    """Return the run with what the guard found; task, trace and report are the very same objects."""
    echoes = tuple(find_echoes(run))
    if not echoes:
        return run
    said = tuple(f"{echo.where}: repeats at least {echo.words} words of the report" for echo in echoes)
    return replace(run, quarantined=echoes, notices=(*run.notices, *said))


def find_echoes(run: SealedRun) -> Iterator[Echo]:
    """Yield the steps whose action repeats a long run of the report's words, in step order."""
    if len(run.report.text or "") < _SHORTEST:
        return
    told = set(_runs(run.report.text or ""))
    if not told:
        return
    suspects = {step.index: runs for step in run.trace.steps if (runs := _suspicious_runs(step) & told)}
    if not suspects:
        return
    said = set[_Run]().union(*suspects.values())
    said -= set(_harmless_runs(run))
    for index, runs in suspects.items():
        if not said.isdisjoint(runs):
            yield Echo(f"step {index}, action", WORDS)


def _suspicious_runs(step: Step) -> set[_Run]:
    action = step.action
    if action.kind.casefold().startswith(_POINTING) and not _shows_text(step):
        return set()
    texts = [action.kind, action.target, None if _is_typing(action) else action.raw]
    return set(_all_runs(text for text in texts if text and len(text) >= _SHORTEST))


def _shows_text(step: Step) -> bool:
    seen = [one for one in (step.before, step.after) if one is not None]
    return max((len(one.text or "") + len(one.ui_tree or "") for one in seen), default=0) >= _SCREENFUL


def _is_typing(action: Action) -> bool:
    """Tell whether the raw action is an input call, whose words were typed into the app."""
    return action.kind.casefold().startswith(_TYPING)


def _harmless_runs(run: SealedRun) -> Iterator[_Run]:
    yield from _runs(run.task.instruction)
    for step in run.trace.steps:
        yield from _all_runs(text for text in (step.error, step.action.text) if text)
        for seen in (step.before, step.after):
            if seen is not None:
                yield from _all_runs(text for text in (seen.text, seen.ui_tree, seen.url) if text)


def _all_runs(texts: Iterable[str]) -> Iterator[_Run]:
    for text in texts:
        yield from _runs(text)


def _runs(text: str) -> Iterator[_Run]:
    """Yield every shortest run of tokens that weighs enough."""
    tokens = _TOKENS.findall(fold(text))
    weights = [1 if _is_character(token) else 2 for token in tokens]
    end = weight = 0
    for start in range(len(tokens)):
        while end < len(tokens) and weight < _WEIGHT:
            weight += weights[end]
            end += 1
        if weight < _WEIGHT:
            return
        yield tuple(tokens[start:end])
        weight -= weights[start]


def _is_character(token: str) -> bool:
    return len(token) == 1 and token >= "\u3040"
