"""Calls in other words of the agent: in their arguments, in those of calls that they carry, and in what quotes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from tracewitness.intake.calls import Call, final_words, own_arguments
from tracewitness.intake.finishing import FINISH_KINDS
from tracewitness.intake.nested_calls import GIVEN, NAMES, carried_under
from tracewitness.intake.own_words import explains
from tracewitness.intake.planes import Plane
from tracewitness.intake.quoting import texts_in, without_quotes, worth_quoting
from tracewitness.intake.retelling import Say
from tracewitness.intake.roles import SAYING, Role, role_of
from tracewitness.intake.untyped import list_of, object_of, text_of

_REMEMBERED = 50
_DEEPEST = 12


@dataclass(slots=True)
class RetoldCalls:
    """Puts other words for those of the agent into calls.

    Attributes:
        say: The words.
        flag: What the agent declares.
        reports: The reports of the runs, by which an end is told from an act.
        said: Words of the latest calls, which an answer may quote.
    """

    say: Say
    flag: bool | None
    reports: str
    said: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])

    def arguments(self, name: str, given: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
        """Return the arguments of a call in other words."""
        call = Call(name, given)
        self.remember(call)
        under = carried_under(call)
        if under is not None and depth < _DEEPEST:
            return {
                key: [self._carried(one, depth) for one in list_of(item)] if key == under else self._all(key, item)
                for key, item in given.items()
            }
        role = role_of(name, given)
        plane = Plane.REPORT if role in (Role.ENDS, Role.MAY_END) else Plane.NARRATION
        if role is Role.ACTS or (role is Role.MAY_END and (final_words(call) or "") not in self.reports):
            speaking = SAYING if role is Role.MAY_END else frozenset[str]()
            return {key: self._one(key, item, key in speaking, plane, depth) for key, item in given.items()}
        return {key: self._replaced(item, plane) for key, item in given.items()}

    def answer(self, text: str) -> str:
        """Return an answer with other words where it quotes those of a call."""
        for said in reversed(self.said):
            if without_quotes(text, said) != text:
                for words in said:
                    text = text.replace(words, self.say(Plane.NARRATION))
        return text

    def answered(self, value: object, depth: int = 0) -> object:
        """Return an answer of any form with other words where it quotes those of a call."""
        if isinstance(value, str):
            return self.answer(value)
        if depth > _DEEPEST or not self.said:
            return value
        if isinstance(value, list):
            return [self.answered(one, depth + 1) for one in list_of(value)]
        if isinstance(value, dict):
            return {key: self.answered(one, depth + 1) for key, one in cast(dict[str, Any], value).items()}
        return value

    def remember(self, call: Call) -> None:
        """Note the words of a call, which its answer may quote."""
        kept, lost = own_arguments(call, FINISH_KINDS)
        said = worth_quoting((text for _, value in lost for text in texts_in(value)), texts_in(kept))
        self.said = [*self.said[-_REMEMBERED:], said] if said else self.said

    def _carried(self, value: Any, depth: int) -> Any:
        keys = object_of(value)
        held = object_of(keys.get("function"))
        if held:
            return {**keys, "function": self._carried(held, depth)}
        name = next((found for key in NAMES if (found := text_of(keys.get(key)))), "")
        under = next((key for key in GIVEN if isinstance(keys.get(key), dict)), None)
        if name and under is not None:
            return {**keys, under: self.arguments(name, keys[under], depth + 1)}
        return {
            key: self.arguments(key, cast(dict[str, Any], item), depth + 1) if isinstance(item, dict) else item
            for key, item in keys.items()
        }

    def _all(self, key: str, item: object) -> object:
        kept = isinstance(item, list | dict) and not explains(key)
        return cast(object, item) if kept else self._replaced(cast(object, item), Plane.NARRATION)

    def _one(self, key: str, item: object, speaks: bool, plane: Plane, depth: int) -> object:
        if speaks or explains(key):
            return self._replaced(item, plane)
        if depth < _DEEPEST and isinstance(item, dict):
            inner = cast(dict[str, Any], item)
            return {name: self._one(name, one, False, plane, depth + 1) for name, one in inner.items()}
        if depth < _DEEPEST and isinstance(item, list):
            return [self._one("", one, False, plane, depth + 1) for one in list_of(item)]
        return item

    def _replaced(self, value: object, plane: Plane) -> object:
        if isinstance(value, bool):
            return self.flag
        if isinstance(value, str):
            return self.say(plane)
        if isinstance(value, list):
            return [self._replaced(one, plane) for one in list_of(value)]
        if isinstance(value, dict):
            return {key: self._replaced(one, plane) for key, one in cast(dict[str, Any], value).items()}
        return value
