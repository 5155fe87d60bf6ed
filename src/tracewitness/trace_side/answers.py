"""What a trace shows in answer to a query: the values on its screens, and the answer where the trace settles it."""

import re
from dataclasses import dataclass

from tracewitness.findings.labels import Language
from tracewitness.language.quantities import FoundValue, read_values
from tracewitness.task_side.goal import Superlative
from tracewitness.trace_side.counting import count_entries
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.demands import attributes
from tracewitness.trace_side.effects import effect_of
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.latest import look_up_latest
from tracewitness.trace_side.names import cells, element_texts, near_form_in, stands_in, typed_values
from tracewitness.trace_side.own_entries import ENTRIES, figures, own_figures
from tracewitness.trace_side.record_answers import look_up
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.trace import USER_SAYS, Observation, Trace
from tracewitness.trace_side.view import LOG_LINES, View
from tracewitness.values.answers import AnswerValue, DateValue, MoneyValue, NumberValue, TextValue, TimeValue
from tracewitness.values.folding import fold, folded

_WORDS = re.compile(r"\w+")
_CELL_BREAK = re.compile(r"\s{2,}|\s*[|;]\s*")
_RIVALS = 2
_RANGE = 2
_RANGE_SIGN = re.compile(r"\s*(?:[-–—~〜～]|to|until|till|bis|à|a|até|hasta|al|から|至|到|부터)\s*")
_CLOSE_ENOUGH = 2
_TEXTS = 4
_QUESTION_LIMIT = 80
_ENTRY_LIMIT = 80
# "The total of order 4711" and "how much is Tea" are worded as a sum and a count, and may be about one entry.
_OF_ONE_ENTRY = (None, Superlative.SUM, Superlative.COUNT)


@dataclass(frozen=True)
class ShownValues:
    """All that a trace's environment showed, to be asked whether it holds a value."""

    text: str
    language: Language

    def shows_text(self, text: str) -> bool:
        """Return whether the environment showed this text as whole words, after folding."""
        wanted = fold(text)
        return bool(wanted) and stands_in(wanted, self.text)

    def typed(self) -> tuple[AnswerValue, ...]:
        """Return every number, amount, date and time the environment showed."""
        return typed_values(self.text, self.language)


def values_shown(trace: Trace, language: Language) -> ShownValues:
    """Return what the observations of a trace show, without words of users and lines that only show own entries."""
    entered: set[str] = set()
    known: set[str] = set()
    shown: dict[str, None] = {}
    fresh: list[str] = []

    def look(observation: Observation | None) -> None:
        for line in (line for text in _texts(observation) for line in text.splitlines()):
            if line not in shown and not line.startswith(USER_SAYS) and not _only_entered(line, entered, language):
                shown[line] = None
                fresh.append(line)

    for step in trace.steps:
        look(step.before)
        if effect_of(step.action) in ENTRIES:
            # Each line is read once, however many entries a run has.
            known.update(figure for line in fresh for figure in figures(line, language))
            fresh.clear()
            entered |= own_figures(step.action, language) - known
        look(step.after)
    return ShownValues(fold(" \n ".join(shown)), language)


def _only_entered(line: str, entered: set[str], language: Language) -> bool:
    return bool(entered) and bool(figures(line, language) & entered)


def _texts(observation: Observation | None) -> list[str]:
    if observation is None:
        return []
    return [text for text in (observation.text, observation.ui_tree) if text]


@dataclass(frozen=True, slots=True)
class Settled:
    """The entry that answers a query: its values, what it is quoted from, and where it was seen."""

    values: tuple[AnswerValue, ...]
    element: Element
    seen: Seen


def settle_answer(course: Course) -> Settled | None:
    """Return the entry that answers the query, or None where the trace does not settle one.

    A question about an entry that it names is answered by that entry alone. A superlative is taken over the entries of
    the last screen that has some; any other question is answered by the one entry that shares most with it. Two entries
    that share as much settle nothing.
    """
    goal = course.patterns.goal
    if goal.superlative is Superlative.COUNT and (counted := count_entries(course)) is not None:
        return Settled((counted.number,), counted.element, counted.seen)
    if goal.superlative is Superlative.LAST and (latest := look_up_latest(course)) is not None:
        return Settled(latest.values, latest.element, latest.seen)
    if goal.superlative in _OF_ONE_ENTRY:
        looked_up = look_up(course)
        if looked_up.named:
            found = looked_up.found
            return Settled(found.values, found.element, found.seen) if found is not None else None
    if goal.superlative is Superlative.SUM:
        return None
    for seen in reversed(course.seen):
        if goal.superlative in (Superlative.LOWEST, Superlative.HIGHEST):
            found = _extreme(course, seen.view, lowest=goal.superlative is Superlative.LOWEST)
        else:
            found = _of_best_entry(course, seen.view)
        if found is not None:
            return Settled(found[0], found[1], seen)
    return None


def _extreme(course: Course, view: View, *, lowest: bool) -> tuple[tuple[AnswerValue, ...], Element] | None:
    entries = [e for e in (view.elements[place] for place in view.rows()) if "advert" not in meanings(e.line)]
    amounts = [(amount, e) for e in entries if (amount := _last_amount(course, e)) is not None]
    if len(amounts) < _RIVALS or view.goes_on:
        return None
    chosen = (min if lowest else max)(amounts, key=lambda pair: pair[0].amount)
    return (chosen[0], *_names_in(course, chosen[1])), chosen[1]


def _last_amount(course: Course, element: Element) -> NumberValue | MoneyValue | None:
    found = typed_values(element.value or element.name, course.patterns.language)
    values = [v for v in found if v not in course.own_values]
    money = [v for v in values if isinstance(v, MoneyValue)]
    numbers = [v for v in values if isinstance(v, NumberValue)]
    return (money or numbers or [None])[-1]


def _names_in(course: Course, element: Element) -> tuple[TextValue, ...]:
    """Return the cells of an entry that are names, for questions that ask which one."""
    parts = cells(element.value or element.name)
    return tuple(TextValue(folded(part)) for part in parts if not typed_values(part, course.patterns.language))


def _of_best_entry(course: Course, view: View) -> tuple[tuple[AnswerValue, ...], Element] | None:
    entries = [e for e in view.elements if _may_answer(e, view) and not course.typed_by_agent(e)]
    kinds = _asked_kinds(course)
    fitting = [e for e in entries if any(isinstance(v, kinds) for v in _values_of(course, e))] if kinds else []
    scored = [(closeness(course.patterns, e, _owner(view, e)), e) for e in (fitting or entries)]
    top = max((score for score, _ in scored), default=0)
    chosen = [element for score, element in scored if score == top]
    if course.patterns.goal.superlative in (Superlative.FIRST, Superlative.LAST) and fitting:
        chosen = chosen[:1] if course.patterns.goal.superlative is Superlative.FIRST else chosen[-1:]
    if len({_text(e) for e in chosen}) != 1 or not _close_enough(course, view, top, alone=len(fitting) == 1):
        return None
    if not _in_the_asked_part(course, view, chosen[0]):
        return None
    values = _values_of(course, chosen[0])
    asked = tuple(v for v in values if isinstance(v, kinds)) if fitting else values
    told = _by_label(course, chosen[0], asked or values)
    return (told, chosen[0]) if told else None


def _in_the_asked_part(course: Course, view: View, element: Element) -> bool:
    """Return whether a count is of the part that the question means: one of all is none of "high priority"."""
    if course.patterns.goal.superlative is not Superlative.COUNT:
        return True
    place = [view.header, _text(element), *(text for e in view.narrowing for text in element_texts(e))]
    there = attributes(" | ".join(place))
    return all(
        there.get(family, frozenset()) & members for family, members in attributes(course.patterns.goal.text).items()
    )


def _by_label(course: Course, element: Element, values: tuple[AnswerValue, ...]) -> tuple[AnswerValue, ...]:
    """Of several values of one kind in an entry, keep those whose own words stand in the question.

    "bought 3 April  warranty until 3 May" answers a question after the warranty with its second date. Where no words
    tell them apart, none of them answers.
    """
    text = element.value or element.name
    found = [f for f in read_values(text, course.patterns.language) if f.value in values]
    kept: list[AnswerValue] = [v for v in values if not any(f.value == v for f in found)]
    for kind in {type(f.value) for f in found}:
        same = [f for f in found if type(f.value) is kind]
        scores = [_label_words(course, text, found, f) for f in same]
        if len(same) == _RANGE and _RANGE_SIGN.fullmatch(text[same[0].end : same[1].start]):
            # What stands before a range is said of both of its ends.
            scores[1] = scores[0]
        if len({f.start for f in same}) == 1:
            kept += [f.value for f in same]
        elif len(same) == _RANGE and len(set(scores)) == 1 and (side := _side_asked(course)) is not None:
            kept.append(same[side].value)
        elif max(scores) > 0 and not (len(same) == _RANGE and len(set(scores)) == 1):
            kept += [f.value for f, score in zip(same, scores, strict=True) if score == max(scores)]
    return tuple(kept)


def _side_asked(course: Course) -> int | None:
    """Return which end of a range ("9:00 - 20:30") the question asks for: 0 the start, -1 the end, None neither."""
    said = meanings(course.patterns.goal.text)
    if ("ask_end" in said) == ("ask_start" in said):
        return None
    return -1 if "ask_end" in said else 0


def _label_words(course: Course, text: str, found: list[FoundValue], value: FoundValue) -> int:
    breaks = [m.end() for m in _CELL_BREAK.finditer(text) if m.end() <= value.start]
    before = max([*(f.end for f in found if f.end <= value.start), *breaks], default=0)
    words = fold(text[before : value.start])
    if before in breaks and not words.strip():
        # A cell that begins with its value names it behind: "| 05:13 departs |".
        behind = [m.start() for m in _CELL_BREAK.finditer(text) if m.start() >= value.end]
        words = fold(text[value.end : min(behind, default=len(text))])
    return sum(1 for word in course.patterns.words if near_form_in(word, words))


def _close_enough(course: Course, view: View, score: int, *, alone: bool) -> bool:
    """Return whether an entry answers: it shares enough with the question, or is the only fitting one on its page."""
    if score >= _CLOSE_ENOUGH:
        return True
    patterns = course.patterns
    place = " | ".join([view.header, *(text for e in view.narrowing for text in element_texts(e))])
    if score > 0 and any(t.named_in(place) for t in patterns.targets):
        return True
    if score > 0 and any(v.phrase and v.shown_in(place) for v in patterns.values):
        return True
    if not alone:
        return False
    page = " | ".join([view.header, *(_text(e) for e in view.elements if _may_answer(e, view))])
    named = [t for t in course.patterns.targets if t.named_in(page)]
    return bool(named) or score > 0 or course.patterns.keyword_in(page)


def _asked_kinds(course: Course) -> tuple[type, ...]:
    """Return the kinds of value that the question asks for by its words; none where it does not say."""
    said = meanings(course.patterns.goal.text)
    kinds: list[type] = []
    if "ask_money" in said:
        kinds += [MoneyValue, NumberValue]
    if "ask_count" in said:
        kinds += [NumberValue]
    if "ask_time" in said:
        kinds += [TimeValue]
    if "ask_date" in said:
        kinds += [DateValue]
    return tuple(dict.fromkeys(kinds))


def _may_answer(element: Element, view: View) -> bool:
    if element.role is Role.FIELD:
        return view.reads_back and bool(element.value)
    return element.role not in LOG_LINES and element.role not in (Role.BUTTON, Role.PAGE, Role.TOAST)


def _text(element: Element) -> str:
    return " | ".join(element_texts(element))


def _owner(view: View, element: Element) -> str:
    """Return the name of the entry that an element is the value of, empty where there is none."""
    owner = view.elements[element.parent] if element.parent is not None else None
    return owner.name if owner is not None and owner.role in (Role.ROW, Role.TEXT, Role.OTHER) else ""


def closeness(patterns: GoalPatterns, element: Element, owner: str = "") -> int:
    """Return how much an entry shares with the words of a question, 0 for nothing.

    A named object counts three, a shared content word one, and a run of words in the order of the question as many as
    it has: "Eastness to Holm" and "Holm to Eastness" name the same two places.
    """
    text = fold(f"{owner} {_text(element)}")
    named = sum(3 for target in patterns.targets if target.named_in(text))
    shared = sum(1 for word in patterns.goal.keywords if len(word) > 1 and near_form_in(word, text))
    return named + shared + _longest_run(tuple(_WORDS.findall(fold(patterns.goal.text))), tuple(_WORDS.findall(text)))


def _longest_run(question: tuple[str, ...], entry: tuple[str, ...]) -> int:
    best = 0
    runs = [0] * (len(entry) + 1)
    for word in question[:_QUESTION_LIMIT]:
        following = [0] * (len(entry) + 1)
        for place, other in enumerate(entry[:_ENTRY_LIMIT], start=1):
            if word == other:
                following[place] = runs[place - 1] + 1
                best = max(best, following[place])
        runs = following
    return best if best > 1 else 0


def _values_of(course: Course, element: Element) -> tuple[AnswerValue, ...]:
    text = element.value or element.name
    asked = [typed for value in course.patterns.values for typed in value.typed]
    known = [*asked, *course.own_values]
    values = tuple(v for v in typed_values(text, course.patterns.language) if v not in known)
    if values:
        return values
    # What the question itself says is no answer to it.
    question = fold(course.patterns.goal.text)
    rest = [c for c in cells(text) if not any(t.named_in(c) for t in course.patterns.targets) and c not in question]
    return tuple(TextValue(folded(part)) for part in rest[:_TEXTS])
