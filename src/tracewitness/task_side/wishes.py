"""Requests that give no order: wishes for a state, complaints about one, and what is not to be done.

"X should be deleted", "I'd like to have an alarm", "I no longer need X": the class is that of the state wished for. The
earliest word for a state decides; where there is none, something that is set (a role, a brightness) makes the wish one
for a setting, and anything else is to be there or to be changed.
"""

import re

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.clauses import Clause
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.task_side.speech import SpokenText, Verb, task_lexicon

_STATES = (TaskClass.DELETE, TaskClass.OTHER, TaskClass.SEND, TaskClass.CONFIGURE)
_WISH_LAST = (Language.JA, Language.KO)
# "…, but do not delete it": so near after or before the verb stands what forbids it.
_FORBIDDEN_REACH = 12


def find_wish(text: SpokenText, clause: Clause, number: int, limit: int, *, told: bool) -> Verb | None:
    """Return the wish that a clause speaks, or None; the state wished for may stand up to ``limit``.

    With ``told`` only a wish that names its state counts.
    """
    complaint = find_complaint(text, clause, number)
    if complaint is not None:
        return complaint
    wish = _search(text, "wish", clause.start, clause.end)
    if wish is None:
        return None
    # German and the like put the state at the end, Chinese and Japanese may put all of it before the wish.
    start = clause.start if text.language in SUBSTRING_LANGUAGES else wish.start()
    end = clause.end if text.language in _WISH_LAST else limit
    task_class = _wished_class(text, start, end)
    if task_class is None and not told:
        task_class = _set_or_made(text, clause, wish, end)
    return None if task_class is None else _verb(wish, task_class, number)


def find_complaint(text: SpokenText, clause: Clause, number: int) -> Verb | None:
    """Return what a clause says is wanted no more, or None."""
    for category, task_class in (("unwanted.configure", TaskClass.CONFIGURE), ("unwanted", TaskClass.DELETE)):
        found = _search(text, category, clause.start, clause.end)
        if found is not None:
            return _verb(found, task_class, number, reason=True)
    return None


def gives_reason(text: SpokenText, verb: Verb, clauses: list[Clause], others: list[Verb]) -> bool:
    """Return whether a verb only says why something is asked for later in its sentence ("..., so clear them all")."""
    if text.language in _WISH_LAST:
        end = clauses[verb.clause].end
        return _search(text, "reason_end", verb.end, end) is not None
    asked = next((clauses[other.clause] for other in others if other.clause != verb.clause), None)
    if asked is None:
        return False
    end = max(clause.end for clause in clauses if clause.sentence == asked.sentence)
    return _search(text, "consequence", asked.start, end) is not None


def is_forbidden(text: SpokenText, verb: Verb, clause: Clause, limit: int) -> bool:
    """Return whether a verb says what is not to be done ("but do not delete it")."""
    before = _search(text, "forbids_before", max(clause.start, verb.start - _FORBIDDEN_REACH), verb.start)
    if before is not None and before.end() == verb.start:
        return True
    if text.language is Language.ZH and _search(text, "forbids_before", verb.start, verb.end) is not None:
        # A 把 construction that reaches over "但不要".
        return True
    after = task_lexicon().pattern(text.language, "forbids_after")
    return after is not None and after.match(text.masked, verb.end, limit) is not None


def tells_of_mishap(text: SpokenText, clause: Clause) -> bool:
    """Return whether a clause tells of what was done by mistake; the verb in it is not what is asked for."""
    return _search(text, "mishap", clause.start, clause.end) is not None


def sets_something(text: SpokenText, verb: Verb, clause: Clause) -> bool:
    """Return whether a verb of changing is about something that is set: a role, a slider, a time zone."""
    adjusting = _search(text, "adjusting", verb.start, min(verb.end, clause.end))
    start = clause.start if text.language in SUBSTRING_LANGUAGES else verb.start
    return adjusting is not None and _search(text, "setting", start, clause.end) is not None


def _wished_class(text: SpokenText, start: int, end: int) -> TaskClass | None:
    found = [(m.start(), c) for c in _STATES if (m := _search(text, f"state.{c.value}", start, end)) is not None]
    return min(found, key=lambda pair: (pair[0], _STATES.index(pair[1])))[1] if found else None


def _set_or_made(text: SpokenText, clause: Clause, wish: re.Match[str], end: int) -> TaskClass:
    """Return the class of a wish that names no state: to be told, to set something, or to have or change something."""
    if _search(text, "state.query", wish.start(), end) is not None:
        return TaskClass.QUERY
    setting = _search(text, "setting", clause.start, end)
    return TaskClass.CREATE_EDIT if setting is None else TaskClass.CONFIGURE


def _verb(found: re.Match[str], task_class: TaskClass, number: int, *, reason: bool = False) -> Verb:
    return Verb(found.start(), found.end(), task_class, False, False, number, wish=True, reason=reason)


def _search(text: SpokenText, category: str, start: int, end: int) -> re.Match[str] | None:
    pattern = task_lexicon().pattern(text.language, category)
    return None if pattern is None else pattern.search(text.masked, start, end)
