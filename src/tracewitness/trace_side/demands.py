"""Whether all that a task asks for is accounted for: shown in the end, or entered on the way.

A list of sent mail shows receiver and subject and seldom the text; a row of an order may not show the delivery day. So
a demand that the last sight does not show counts as met where it was entered exactly. One that is neither shown nor
entered keeps the run from being taken for done.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from tracewitness.findings.labels import Language
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.moves import Move
from tracewitness.trace_side.names import Value, element_texts, near_form_in, typed_values
from tracewitness.trace_side.scene import Element, Role
from tracewitness.trace_side.tool_calls import words_of_call
from tracewitness.trace_side.view import LOG_LINES, MESSAGES
from tracewitness.values.answers import DateValue, NumberValue
from tracewitness.values.folding import fold

_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"|“([^”]*)”|「([^」]*)」|«([^»]*)»|„([^“”]*)[“”]|『([^』]*)』")
_QUANTITY = re.compile(
    r"(?:\b(?:qty|quantity|amount|menge|anzahl|quantité|cantidad|quantidade)\b|数量|個数|수량)\s*[:=]?\s*'?(\d+)"
    r"|(?<![\w.])[x×]\s?(\d+)\b|\b(\d+)\s?[x×](?![\w])"
)
_COUNTED = re.compile(r"(?<![\d.,:])(\d{1,4})\s+([^\W\d_]{3,})")
_SHORT_WORD = 3
_UNITS = "km|mi|m|cm|mm|ft|in|kg|g|lb|lbs|oz|l|ml|gal|kb|mb|gb|tb|min|h|hr|hrs|s|sec|°c|°f|c|f|%|eur|usd|gbp|€|\\$|£"
_SILENT = MESSAGES | LOG_LINES | {Role.BUTTON, Role.DIALOG, Role.MENU_ITEM}


@dataclass(frozen=True, slots=True)
class Unmet:
    """A demand that is not accounted for; ``denied`` where the trace shows another value in its place."""

    denied: bool
    element: Element | None = None


def unmet_demand(course: Course, final: Seen | None) -> Unmet | None:
    """Return the first demand of the goal that is neither shown in the end nor entered on the way, or None.

    ``final`` is the sight that shows the goal; None where only a message speaks for it.
    """
    shown = _shown(course, final)
    entered = _entered(course, final)
    proved = final is not None and final.reading.of_record
    for value in () if proved else course.patterns.values:
        found = _unmet_value(course, value, shown, entered, final)
        if found is not None:
            return found
    return _unmet_attribute(course, shown, entered, final)


def _shown(course: Course, final: Seen | None) -> list[str]:
    seen = final or (course.seen[-1] if course.seen else None)
    if seen is None:
        return []
    own = seen.reading.element
    in_list = own is not None and own.role is Role.ROW
    kept = [e for e in seen.view.elements if e.role not in _SILENT and e not in seen.view.narrowing]
    kept = [e for e in kept if e is own or not (in_list and e.role in (Role.ROW, Role.CELL))]
    return [text for e in kept for text in element_texts(e)]


def _entered(course: Course, final: Seen | None) -> list[str]:
    """Return what the steps up to the final sight entered or pressed, and what fields held on the way.

    An entry counts only where a screen shows it afterwards: a refused one leaves no trace there.
    """
    end = final.after_steps if final is not None else len(course.played)
    texts: list[str] = []
    for played in course.played[:end]:
        step = played.step
        if played.move is Move.FINISH:
            continue
        own = [played.label, step.action.text or "", words_of_call(step.action)]
        if played.move is not Move.ENTER or step.after is None:
            texts += own
        else:
            texts += [text for e in step.after.elements if e.role not in _SILENT for text in element_texts(e)]
    return [text for text in texts if text]


def _unmet_value(
    course: Course, value: Value, shown: list[str], entered: list[str], final: Seen | None
) -> Unmet | None:
    number = next((v for v in value.typed if isinstance(v, NumberValue)), None)
    if not value.phrase and number is not None:
        return _unmet_number(course, number, shown, entered, final)
    if _other_year(course, value, (*shown, *entered, *_committed_forms(course))):
        return Unmet(denied=True, element=final.reading.element if final is not None else None)
    if any(value.shown_in(text) for text in (*shown, *entered)):
        return None
    if not value.phrase:
        return None if value.typed else Unmet(denied=False)
    return Unmet(denied=_is_quoted(course, value.phrase))


def _committed_forms(course: Course) -> list[str]:
    """Return what the fields of the forms held when they were committed."""
    scenes = (p.step.before for p in course.commits())
    return [text for s in scenes if s for e in s.elements if e.role is Role.FIELD for text in element_texts(e)]


def _other_year(course: Course, value: Value, texts: tuple[str, ...]) -> bool:
    """Return whether the day is shown or entered in another year than the task gives, and in that one nowhere."""
    asked = [v for v in value.typed if isinstance(v, DateValue) and v.year is not None]
    if not asked:
        return False
    found = [v for text in texts for v in typed_values(text, course.patterns.language) if isinstance(v, DateValue)]
    years = {v.year for v in found for a in asked if (v.month, v.day) == (a.month, a.day) and v.year is not None}
    return bool(years) and not years & {a.year for a in asked}


def _is_quoted(course: Course, phrase: str) -> bool:
    """Return whether the task gives the words in quotes, so that no other words will do."""
    found = _QUOTED.finditer(course.patterns.goal.text)
    quotes = (next((group for group in match.groups() if group), "") for match in found)
    return any(fold(quote) == phrase for quote in quotes)


def _unmet_number(
    course: Course, number: NumberValue, shown: list[str], entered: list[str], final: Seen | None
) -> Unmet | None:
    """A quantity must be shown, entered or reached by as many presses; one piece needs no number."""
    element = final.reading.element if final is not None else None
    block = element.line if element is not None else ""
    quantities = {int(n) for found in _QUANTITY.findall(fold(block)) for n in found if n}
    quantities |= {int(n) for n, word in _COUNTED.findall(fold(block)) if _counts(course, word)}
    if quantities and number.amount not in quantities:
        return Unmet(denied=True, element=element)
    other_unit = _other_unit(course, number, block)
    if other_unit:
        return Unmet(denied=True, element=element)
    if number.amount == 1 or number.amount in quantities:
        return None
    language = course.patterns.language
    if any(_same_number(number, text, language) for text in (*shown, *entered)):
        return None
    presses = [fold(p.label) for p in course.relevant if p.move in (Move.COMMIT, Move.TOUCH)]
    if presses and max(presses.count(label) for label in presses) >= number.amount:
        return None
    return Unmet(denied=False)


def _counts(course: Course, word: str) -> bool:
    return any(near_form_in(known, word) for known in course.patterns.words if len(known) > _SHORT_WORD)


@lru_cache(maxsize=256)
def _with_unit(amount: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d.,]){re.escape(amount)}(?:[.,]0+)?\s?({_UNITS})(?![^\W_])")


def _other_unit(course: Course, number: NumberValue, block: str) -> bool:
    """Return whether the entry shows the number with another unit than the task gives it ("5 mi" for "5 km")."""
    amount, there = f"{number.amount.normalize():f}", fold(block)
    if amount not in there:
        return False
    pattern = _with_unit(amount)
    asked = set(pattern.findall(fold(course.patterns.goal.text)))
    shown = set(pattern.findall(there))
    return bool(asked and shown and not asked & shown)


def _same_number(number: NumberValue, text: str, language: Language) -> bool:
    from_text = typed_values(text, language)
    return any(getattr(v, "amount", None) == number.amount for v in from_text)


def _unmet_attribute(course: Course, shown: list[str], entered: list[str], final: Seen | None) -> Unmet | None:
    """An attribute the task asks for in plain words (high priority, weekly, public) must be shown or chosen."""
    asked = attributes(_QUOTED.sub(" ", course.patterns.goal.text))
    if any(isinstance(value, DateValue) for value in course.patterns.goal.typed_values):
        # The day of the week says no more than the date.
        asked.pop("weekday", None)
    if not asked:
        return None
    element = final.reading.element if final is not None else None
    there = attributes(element.line) if element is not None else {}
    anywhere = [attributes(text) for text in (*shown, *entered)]
    for family, members in asked.items():
        if there.get(family) and not there[family] & members:
            return Unmet(denied=True, element=element)
        if not any(found.get(family, frozenset()) & members for found in anywhere):
            return Unmet(denied=False)
    return None


def attributes(text: str) -> dict[str, frozenset[str]]:
    """Return the attributes that a text names (high priority, weekly), by family."""
    families: dict[str, set[str]] = {}
    for meaning in meanings(text):
        if meaning.startswith("attr."):
            _, family, member = meaning.split(".")
            families.setdefault(family, set()).add(member)
    return {family: frozenset(members) for family, members in families.items()}
