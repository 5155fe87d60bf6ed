"""What a task names, recognised by what the trace shows: an entry of a list whose name stands in the task's own words.

A grammar of eight languages finds where a name begins and not always where it ends ("Reunión" of "Reunión de padres").
The entries that screens show, and what the agent typed, are names for sure; so the longest of them that stands in the
task and goes on from what was read as the name, is the name. No look-alike gets in that way: it would have to stand in
the task word for word.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from tracewitness.findings.labels import Language
from tracewitness.language.quantities import read_figures, same_value
from tracewitness.task_side.goal import Goal, Wanted
from tracewitness.trace_side.effects import Effect
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.names import Name, cells, plain, stands_in, typed_values
from tracewitness.trace_side.scene import Role
from tracewitness.values.answers import AnswerValue, DateValue, TimeValue

_LONGEST_NAME = 120
_SHORTEST_NAME = 2
_TWO = 2
_GIVEN_NEW = frozenset({Wanted.PRESENT, Wanted.VALUE})
_NAMED_BY_FIGURE = frozenset({Wanted.PRESENT, Wanted.ON, Wanted.OFF, Wanted.ABSENT})
_QUOTES = "'\"“”„«»「」『』‘’"
_ENTRY_LIKE = frozenset({Role.ROW, Role.LINK, Role.CELL, Role.HEADING, Role.TEXT, Role.CHOICE, Role.OTHER, Role.PAGE})


def anchored(targets: Iterable[str], goal: Goal, ledger: Ledger) -> list[str]:
    """Return the names of a goal, each as far as an entry of the trace or a text typed there goes on from it.

    A name in quotes is complete as it stands, and so is one that goes on into another name or into a value.
    """
    names = list(targets)
    if not names:
        return names
    text = plain(goal.text)
    shown = [name for name in set(_entry_names(ledger)) if name in text and stands_in(name, text)]
    values = [plain(value) for value in goal.values]
    return [_longest(name, [n for n in names if n != name], values, shown, text) for name in names]


def met(goal: Goal, names: list[str], ledger: Ledger, titles: frozenset[str]) -> list[str]:
    """Return the names in a task that the trace shows as names: of a record, or typed into a field.

    For goals of which no name, as it was read, is what a record is called. A name that stands inside a longer one is
    none, nor is a value that the goal gives. Proper names that were read and are met somewhere in the trace stay.
    """
    text = plain(goal.text)
    typed = {plain(step.action.text) for step in ledger.steps if step.action.text and step.effect is Effect.ENTER}
    if any(plain(name) in typed for name in names):
        return names
    found = {name for name in (*titles, *typed) if _is_name(name) and name in text and stands_in(name, text)}
    values = [plain(value) for value in goal.values]
    found = {name for name in found if not any(name in value or stands_in(value, name) for value in values if value)}
    found -= {name for name in found for other in found if name != other and name in other}
    if not found:
        return names
    apart = [n for n in names if not any(plain(n) in other or other in plain(n) for other in found)]
    return [*sorted(found, key=text.find), *(n for n in apart if n != n.lower() and ledger.occurrences(n))]


def _is_name(name: str) -> bool:
    return _SHORTEST_NAME <= len(name) <= _LONGEST_NAME and any(c.isalpha() for c in name)


def figured(goal: Goal, ledger: Ledger, language: Language) -> tuple[Name, ...]:
    """Return the time or date by which a goal names a thing ("the alarm at 9:10 PM"), where entries are called so.

    A goal that gives a time or date as a new value as well names two, and which is which is not told here.
    """
    if goal.wanted not in _NAMED_BY_FIGURE:
        return ()
    found = [f for f in read_figures(goal.text, language) if isinstance(f.value, (TimeValue, DateValue))]
    figures = tuple(f.value for f in found)
    new = {v for value in goal.values for v in typed_values(value, language)}
    if not figures or (goal.wanted is not Wanted.PRESENT and any(same_value(f, n) for f in figures for n in new)):
        return ()
    if goal.wanted is Wanted.PRESENT and len(figures) > 1:
        return ()
    name = Name(
        plain(goal.text[found[0].start : found[0].end]),
        look_alikes=(),
        known=True,
        tokens=frozenset(),
        figures=figures,
        language=language,
    )
    return (name,) if any(name.same_figure(shown) for shown in set(_entry_names(ledger))) else ()


def moved(goal: Goal, ledger: Ledger, language: Language) -> tuple[str, str] | None:
    """Return how a goal spells the time or date that names a thing, and the one that it should have instead.

    "Move the alarm at 7:15 to 5:10": the one that the agent pressed an entry of is the old one. None where no entry of
    exactly one of the two was pressed, so that nothing is taken for the thing but what was acted on.
    """
    if goal.wanted not in _GIVEN_NEW:
        return None
    found = [f for f in read_figures(goal.text, language) if isinstance(f.value, (TimeValue, DateValue))]
    if len(found) != _TWO or type(found[0].value) is not type(found[1].value):
        return None
    names = [goal.text[f.start : f.end] for f in found]
    pressed = [_is_pressed(name, f.value, ledger, language) for name, f in zip(names, found, strict=True)]
    if pressed[0] == pressed[1]:
        return None
    return (names[0], names[1]) if pressed[0] else (names[1], names[0])


def of_figure(text: str, language: Language) -> Name:
    """Return the name of a thing that is called by a time or date alone."""
    figures = typed_values(text, language)
    return Name(plain(text), look_alikes=(), known=True, tokens=frozenset(), figures=figures, language=language)


def _is_pressed(text: str, figure: AnswerValue, ledger: Ledger, language: Language) -> bool:
    name = Name(plain(text), (), True, frozenset(), figures=(figure,), language=language)
    presses = (step.action.target for step in ledger.steps if step.action.target and step.effect is not Effect.ENTER)
    return any(name.same_figure(label) for label in presses)


def _longest(name: str, others: list[str], values: list[str], shown: list[str], text: str) -> str:
    own = plain(name)
    if not own or _is_quoted(own, text):
        return name
    barred = [*(plain(other) for other in others), *values]
    longer = [n for n in shown if len(n) > len(own) and stands_in(own, n)]
    longer = [n for n in longer if not any(stands_in(bar, n) for bar in barred if bar and bar not in own)]
    return max(longer, key=len, default=name)


def _is_quoted(name: str, text: str) -> bool:
    start = text.find(name)
    while start >= 0:
        before, after = text[max(start - 1, 0) : start], text[start + len(name) : start + len(name) + 1]
        if before and before in _QUOTES and after and after in _QUOTES:
            return True
        start = text.find(name, start + 1)
    return False


def _entry_names(ledger: Ledger) -> Iterator[str]:
    """Yield the plain names of the entries that screens show, and of the texts that were typed, each once."""
    typed = (step.action.text for step in ledger.steps if step.action.text)
    shown = (s.element.name for s in ledger.sightings() if s.element.role in _ENTRY_LIKE)
    for text in dict.fromkeys(chain(typed, shown)):
        if len(text) <= _LONGEST_NAME:
            yield from (plain(part) for part in cells(text))
