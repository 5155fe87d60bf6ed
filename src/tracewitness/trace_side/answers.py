"""What a trace shows in answer to a query: the values on its screens, and the answer where the trace settles it."""

from dataclasses import dataclass
from decimal import Decimal

from tracewitness.findings.labels import Language
from tracewitness.task_side.goal import Superlative
from tracewitness.trace_side.course import Course
from tracewitness.trace_side.names import cells, element_texts, stands_in, typed_values
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.trace import Observation, Trace
from tracewitness.trace_side.view import LOG_LINES, View
from tracewitness.values.answers import AnswerValue, DateValue, MoneyValue, NumberValue, TextValue, TimeValue
from tracewitness.values.folding import fold, folded
from tracewitness.values.ternary import Ternary


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
    """Return what the observations of a trace show (never what the agent typed or said)."""
    parts: list[str] = []
    for step in trace.steps:
        for observation in (step.before, step.after):
            parts.extend(_texts(observation))
    return ShownValues(fold(" \n ".join(dict.fromkeys(parts))), language)


def _texts(observation: Observation | None) -> list[str]:
    if observation is None:
        return []
    return [text for text in (observation.text, observation.ui_tree) if text]


def settle_answer(course: Course) -> tuple[AnswerValue, ...]:
    """Return the answer that the trace itself supports, or nothing where it does not settle one.

    A superlative is taken over the candidates of the last telling screen; a plain question is answered by what stands
    beside the named object. Two different candidates settle nothing.
    """
    final = course.final()
    if final is None or final.reading.value is not Ternary.YES:
        return ()
    view, goal = final.view, course.patterns.goal
    if goal.superlative in (Superlative.LOWEST, Superlative.HIGHEST):
        return _extreme(course, view, lowest=goal.superlative is Superlative.LOWEST)
    if goal.superlative is not None:
        return ()
    return _beside(course, view)


def _extreme(course: Course, view: View, *, lowest: bool) -> tuple[AnswerValue, ...]:
    amounts = [amount for place in view.rows() if (amount := _last_amount(course, view.elements[place])) is not None]
    if not amounts or view.goes_on:
        return ()
    chosen = min(amounts, key=_size) if lowest else max(amounts, key=_size)
    return (chosen,)


def _last_amount(course: Course, element: Element) -> NumberValue | MoneyValue | None:
    values = typed_values(element.value or element.name, course.patterns.language)
    money = [v for v in values if isinstance(v, MoneyValue)]
    numbers = [v for v in values if isinstance(v, NumberValue)]
    return (money or numbers or [None])[-1]


def _size(value: NumberValue | MoneyValue) -> Decimal:
    return value.amount


def _beside(course: Course, view: View) -> tuple[AnswerValue, ...]:
    """Return the values in the one entry that names the object and shares most words with the question."""
    best: list[tuple[int, Element]] = []
    for element in view.elements:
        if element.role in LOG_LINES or element.role in (Role.BUTTON, Role.FIELD, Role.PAGE):
            continue
        score = _score(course, element)
        if score > 0:
            best.append((score, element))
    if not best:
        return ()
    top = max(score for score, _ in best)
    chosen = [element for score, element in best if score == top]
    if len(chosen) != 1:
        return ()
    return _values_of(course, chosen[0])


def _score(course: Course, element: Element) -> int:
    text = " | ".join(element_texts(element))
    named = sum(2 for target in course.patterns.targets if target.named_in(text))
    shared = sum(1 for word in course.patterns.goal.keywords if len(word) > 2 and stands_in(word, fold(text)))
    return named + shared


def _values_of(course: Course, element: Element) -> tuple[AnswerValue, ...]:
    text = element.value or element.name
    asked = [v for v in course.patterns.values]
    values = tuple(
        v
        for v in typed_values(text, course.patterns.language)
        if isinstance(v, MoneyValue | NumberValue | DateValue | TimeValue) and not any(v in a.typed for a in asked)
    )
    if values:
        return values
    rest = [c for c in cells(text) if not any(t.named_in(c) for t in course.patterns.targets)]
    return (TextValue(folded(rest[0])),) if len(rest) == 1 else ()
