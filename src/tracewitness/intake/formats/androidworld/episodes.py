"""The episodes of a checkpoint, and the columns of what was recorded at their steps."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from tracewitness.intake.errors import BadRunError
from tracewitness.intake.untyped import list_of, object_of, text_of

STEP_NUMBER = "step_number"
DATA = "episode_data"
_KEYS = ("goal", "task_template", DATA)


@dataclass(slots=True)
class Columns:
    """What was recorded at the steps: one list a field, with one entry a step.

    Attributes:
        numbers: The numbers of the steps.
        lists: The fields whose lists have an entry for every step.
        uneven: The others, with how many entries they have: which steps those belong to is not known.
    """

    numbers: list[int] = field(default_factory=list[int])
    lists: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    uneven: dict[str, int] = field(default_factory=dict[str, int])

    def at(self, name: str, step: int) -> Any:
        """Return the entry of a field at the position of a step; None where there is none."""
        return self.lists[name][step] if name in self.lists else None


@dataclass(frozen=True, slots=True)
class Episode:
    """One run.

    Attributes:
        where: Its place in the pickle; empty where it is the only one.
        fields: What was recorded about it as a whole.
        columns: What was recorded at its steps.
        crashed: Whether the record is that of a run that ended by an exception.
    """

    where: str
    fields: Mapping[str, Any]
    columns: Columns
    crashed: bool

    @property
    def goal(self) -> str:
        """Return what was asked."""
        return text_of(self.fields.get("goal")).strip()

    @property
    def agent(self) -> str | None:
        """Return who ran."""
        return text_of(self.fields.get("agent_name")) or None


def episodes_of(value: Any) -> Iterator[Episode]:
    """Yield the episodes of a checkpoint: a list of them, one alone, or in an old one a pair of list and task names.

    Raises:
        BadRunError: It holds something else.
    """
    if isinstance(value, tuple) and len(cast(tuple[Any, ...], value)) == 2:
        value = cast(tuple[Any, ...], value)[0]
    listed = [cast(Any, value)] if isinstance(value, dict) else list_of(value)
    if not listed:
        raise BadRunError("the pickle holds no list of episodes", "name a checkpoint of AndroidWorld")
    for at, one in enumerate(listed):
        fields = object_of(one)
        if not all(key in fields for key in _KEYS):
            missing = next(key for key in _KEYS if key not in fields)
            raise BadRunError(f"an episode without {missing}", "name a checkpoint of AndroidWorld", where=f"[{at}]")
        crashed = not isinstance(fields[DATA], dict)
        yield Episode(f"[{at}]" if len(listed) > 1 else "", fields, columns_of(object_of(fields[DATA])), crashed)


def columns_of(data: Mapping[Any, Any]) -> Columns:
    """Return the columns of an episode's data."""
    lists = {key: cast(list[Any], value) for key, value in data.items() if isinstance(key, str) and _is_list(value)}
    counts = Counter(len(value) for key, value in lists.items() if key != STEP_NUMBER)
    count = len(lists[STEP_NUMBER]) if STEP_NUMBER in lists else counts.most_common(1)[0][0] if counts else 0
    found = Columns(_numbers(lists.get(STEP_NUMBER), count))
    for key, value in lists.items():
        if len(value) == count:
            found.lists[key] = value
        else:
            found.uneven[key] = len(value)
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _numbers(given: list[Any] | None, count: int) -> list[int]:
    """Return the numbers of the steps as recorded, where they rise; else counted from 0."""
    numbers = [one for one in given or () if isinstance(one, int) and not isinstance(one, bool)]
    rising = all(first < then for first, then in zip(numbers, numbers[1:], strict=False))
    if len(numbers) == count and rising and (not numbers or 0 <= numbers[0] and numbers[-1] < 2**31):
        return numbers
    return list(range(count))
