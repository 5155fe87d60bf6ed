"""What fills the words of a task: stored values, with what says how a language writes them."""

from dataclasses import dataclass
from enum import StrEnum

from tracewitness.lab.words.formatting import Formatter


class SlotKind(StrEnum):
    """How a slot is written."""

    TEXT = "text"
    DATE = "date"
    TIME = "time"
    DAYS = "days"
    CHOICE = "choice"
    STATE = "state"
    LABEL = "label"
    LEVEL = "level"
    NUMBER = "number"
    MONEY = "money"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Slot:
    """A value as it is stored, or the name of a setting, and how it is written."""

    value: str
    kind: SlotKind = SlotKind.TEXT


def slot_words(slot: Slot, formatter: Formatter) -> str:
    """Return a slot as a language writes it in a sentence."""
    match slot.kind:
        case SlotKind.TEXT:
            return slot.value
        case SlotKind.DAYS:
            return formatter.days_told(slot.value)
        case SlotKind.STATE:
            return formatter.texts(f"state.{slot.value}")
        case SlotKind.LABEL:
            return formatter.texts(f"field.{slot.value}")
        case _:
            return _figures(slot, formatter)


def _figures(slot: Slot, formatter: Formatter) -> str:
    writers = {
        SlotKind.DATE: formatter.date,
        SlotKind.TIME: formatter.time,
        SlotKind.CHOICE: formatter.choice,
        SlotKind.LEVEL: formatter.level,
        SlotKind.NUMBER: formatter.number,
        SlotKind.MONEY: formatter.money,
        SlotKind.SIZE: formatter.size,
    }
    return writers[slot.kind](slot.value)
