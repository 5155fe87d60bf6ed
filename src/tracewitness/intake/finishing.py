"""The end of a run: an action that only says something, such as ``answer("...")``, ends it and carries no evidence.

Agents end by an action whose arguments are the report. Of such an action the trace keeps that the agent ended here, as
the kind ``finish``, and nothing else. The same words name real actions elsewhere: a form is submitted, a user is
answered and writes back. So the place in the run decides:

* *At the end* (no executed action follows but others of these kinds): it is the end, whatever it carries.
* But a *deed* (``submit``, ``stop`` and the like) on a widget that the screens show, after which something was seen,
  is an action on the app. It keeps its kind and its target.
* *In the midst* of a run it is an action. What is only said keeps its words where the environment answered; where
  nothing was seen until the next action, they are the agent's alone and are stripped.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.trace_side.trace import Action, Observation, Step
from tracewitness.values.folding import fold

FINISH = "finish"

_LETTERS = re.compile(r"[\W_]+")
_NAME_SPACE = re.compile(r"[.:/]|__")
_QUOTED = re.compile(r"'([^']{1,200})'|\"([^\"]{1,200})\"|“([^”]{1,200})”|「([^」]{1,200})」")
_SELECTORS = ("#", ".", "[", "//", "css=", "xpath=")
_LONGEST_SELECTOR = 80
_LOOKED_BACK = 3
"""Steps whose screens are looked through for a widget."""


@lru_cache(maxsize=4096)
def bare(kind: str) -> str:
    """Return a kind without case, spaces and punctuation: ``Send_Msg To-User`` is ``sendmsgtouser``."""
    return _LETTERS.sub("", unicodedata.normalize("NFC", kind).casefold())


FINISH_KINDS = frozenset(
    map(
        bare,
        (
            "finish finished finish_task task_finished done task_done mark_done answer submit_answer final_answer "
            "give_answer return_answer complete completed task_complete task_completed complete_task "
            "mark_task_complete terminate terminated exit stop end_task end_episode end_run submit submit_task "
            "submit_result respond final_response send_msg_to_user send_message_to_user report_result "
            "report_infeasible infeasible report_failure fail give_up attempt_completion final_result "
            "set_model_response stop_action return_value provide_final_answer submit_final_answer structured_output "
            "response_format finalize_answer agent_finish"
        ).split(),
    )
)
"""Kinds by which agents end a run, as ``bare`` writes them. ``ReadOptions.finish_kinds`` replaces them."""

DEEDS = frozenset(map(bare, ("submit", "stop", "complete", "exit", "terminate")))
"""Those of the kinds that may also name an action on a widget."""

Where = Callable[[int], str]


@lru_cache(maxsize=4096)
def own_name(kind: str) -> str:
    """Return a kind without the name space that a tool server or a framework puts in front, as ``bare`` writes it."""
    return bare(_NAME_SPACE.split(kind)[-1])


def is_finish_like(kind: str, kinds: frozenset[str] = FINISH_KINDS) -> bool:
    """Tell whether a kind, in any spelling, is one by which agents end a run."""
    return bare(kind) in kinds or (own_name(kind) in kinds and own_name(kind) not in DEEDS)


def only_says(kind: str, kinds: frozenset[str] = FINISH_KINDS) -> bool:
    """Tell whether a kind is one by which agents end a run and none that acts on a widget."""
    return any(name in kinds and name not in DEEDS for name in (bare(kind), own_name(kind)))


def without_final_words(
    steps: Sequence[Step],
    where: Where,
    kinds: frozenset[str] = FINISH_KINDS,
    may_end: Callable[[int], bool] | None = None,
) -> tuple[tuple[Step, ...], tuple[Stripped, ...]]:
    """Return the steps without the words of actions that end the run or only say something, and what was stripped.

    Nothing but the steps decides, so that the report has no say in it.

    Args:
        steps: The steps of a run.
        where: Returns the place of the action at a position in the source.
        kinds: The kinds by which agents end a run, as :func:`bare` writes them.
        may_end: Tells of the action at a position whether it may be one that ends the run; by default its kind tells.
    """
    kept, stripped = list(steps), list[Stripped]()
    ending, seen_later = True, False
    for at in range(len(steps) - 1, -1, -1):
        action = steps[at].action
        seen_later = seen_later or _shows(steps[at].after) or (at + 1 < len(steps) and _shows(steps[at + 1].before))
        ends = is_finish_like(action.kind, kinds) if may_end is None else may_end(at)
        if not action.executed or not ends:
            ending = ending and not action.executed
            continue
        deed = ending and _is_deed(steps, at, seen_later)
        told = _told(action, deed, ending, _is_answered(steps, at))
        ending = ending and not deed
        kept[at] = replace(steps[at], action=told)
        plane = Plane.REPORT if told.kind == FINISH else Plane.NARRATION
        stripped += _lost(action, told, where(at), plane)
    return tuple(kept), tuple(reversed(stripped))


def _told(action: Action, deed: bool, ending: bool, answered: bool) -> Action:
    """Return what is kept of an action of these kinds."""
    if ending:
        return Action(action.kind, action.target) if deed else Action(FINISH)
    if bare(action.kind) in DEEDS or answered:
        return action
    return Action(action.kind)


def _lost(action: Action, told: Action, where: str, plane: Plane) -> list[Stripped]:
    before = {"target": action.target, "text": action.text, "raw": action.raw}
    after = {"target": told.target, "text": told.text, "raw": told.raw}
    return [
        Stripped(f"{where}.{key}", plane, LeakRoute.FINISH_ARGUMENTS, len(words))
        for key, words in reversed(before.items())
        if words is not None and after[key] is None
    ]


def _is_deed(steps: Sequence[Step], at: int, seen_later: bool) -> bool:
    """Tell whether an action was done to a widget of the screens just before it, with something seen afterwards."""
    action = steps[at].action
    if bare(action.kind) not in DEEDS or not action.target or not seen_later:
        return False
    seen_before = [seen for step in steps[max(at - _LOOKED_BACK, 0) : at] for seen in (step.before, step.after)]
    return _names_widget(action.target, [*seen_before, steps[at].before])


def _names_widget(target: str, seen: Iterable[Observation | None]) -> bool:
    """Tell a widget from words of the agent: a selector, or a name that the screens show."""
    if target.startswith(_SELECTORS) and len(target) <= _LONGEST_SELECTOR and " " not in target:
        return True
    names = [found.group()[1:-1] for found in _QUOTED.finditer(target)] or [target]
    screens = [fold(text) for one in seen if one is not None for text in (one.text, one.ui_tree) if text]
    return all(any(fold(name) in screen for screen in screens) for name in names)


def _is_answered(steps: Sequence[Step], at: int) -> bool:
    following = steps[at + 1].before if at + 1 < len(steps) else None
    return _shows(steps[at].after) or _shows(following)


def _shows(seen: Observation | None) -> bool:
    return seen is not None and bool(seen.text or seen.ui_tree or seen.url or seen.screenshot)
